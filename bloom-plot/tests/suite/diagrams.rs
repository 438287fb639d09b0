//! Tests of diagrams of small filters, with positions given by hand and with the positions of real filters.

use std::collections::BTreeMap;

use bloom_core::{BloomFilter, PartitionedBloomFilter, Shape};
use bloom_plot::diagram::{Diagram, DiagramOf, Item, Kind, Verdict};
use bloom_plot::{Drawing, FigureError, Look, Size, Theme, chart};

fn names(text: &str) -> Vec<String> {
    text.split(',')
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect()
}

fn of(
    bits: u64,
    hashes: u8,
    inserts: &str,
    queries: &str,
    by_hand: &[(&str, &[u64])],
) -> DiagramOf {
    let positions = by_hand
        .iter()
        .map(|(name, all)| ((*name).to_owned(), all.to_vec()));
    DiagramOf {
        bits,
        hashes,
        kind: Kind::Classic,
        inserts: names(inserts),
        removes: Vec::new(),
        queries: names(queries),
        positions: positions.collect::<BTreeMap<_, _>>(),
    }
}

fn verdicts(diagram: &Diagram) -> Vec<Verdict> {
    diagram.queries.iter().map(|query| query.1).collect()
}

/// Returns the number of positions of each slice, block or stage.
fn lengths(diagram: &Diagram) -> Vec<u64> {
    let groups = diagram.groups.iter();
    groups
        .map(|group| group.positions.end - group.positions.start)
        .collect()
}

#[test]
fn the_worked_example_of_sixteen_bits_has_its_three_verdicts() {
    let by_hand: &[(&str, &[u64])] = &[
        ("a", &[2, 6, 13]),
        ("b", &[4, 10, 11]),
        ("c", &[6, 11, 12]),
        ("x", &[4, 13, 15]),
        ("y", &[2, 4, 11]),
    ];
    let diagram = of(16, 3, "a,b,c", "x,y,b", by_hand).diagram().unwrap();
    assert_eq!(diagram.title(), "16 bits, 3 hashes");
    // If an item is given fewer positions than there are hashes, the title omits k.
    let fewer = of(16, 5, "a,b,c", "x,y,b", by_hand).diagram().unwrap();
    assert_eq!(fewer.title(), "16 bits");
    let set: Vec<usize> = (0..16).filter(|bit| diagram.counts[*bit] > 0).collect();
    assert_eq!(set, [2, 4, 6, 10, 11, 12, 13]);
    assert_eq!(
        verdicts(&diagram),
        [Verdict::Absent, Verdict::FalsePositive, Verdict::Present]
    );
    assert_eq!(
        diagram.description,
        "A Bloom filter, 7 of its 16 bits set by a, b and c: x is absent, y is a false positive \
         and b is present."
    );
    let csv = diagram.csv();
    assert!(csv.starts_with("kind,name,position,value\ninsert,a,2,\ninsert,a,6,\n"));
    assert!(csv.contains("query,y,11,false positive\n") && csv.ends_with("bit,,15,0\n"));
}

#[test]
fn counters_keep_items_that_share_bits_with_a_removed_one() {
    use Verdict::{Absent, FalsePositive, Present};
    // Each case has the positions of a and of b, the counters with both items, the counters after the removal of a, and what a
    // query of a then gives. If b has all positions of a, the removed item a is still found.
    let cases = [
        (
            &[1, 2][..],
            &[1, 2, 4][..],
            [0, 2, 2, 0, 1],
            [0, 1, 1, 0, 1],
            FalsePositive,
        ),
        (
            &[1, 2][..],
            &[1, 2][..],
            [0, 2, 2, 0, 0],
            [0, 1, 1, 0, 0],
            FalsePositive,
        ),
        (
            &[1, 2][..],
            &[2, 4][..],
            [0, 1, 2, 0, 1],
            [0, 0, 1, 0, 1],
            Absent,
        ),
    ];
    for (a, b, both, one, verdict) in cases {
        let mut question = of(5, 2, "a,b", "a,b", &[("a", a), ("b", b)]);
        question.kind = Kind::Counting;
        assert_eq!(question.diagram().unwrap().counts, both);
        question.removes = names("a");
        let diagram = question.diagram().unwrap();
        assert_eq!(diagram.counts, one);
        assert_eq!(verdicts(&diagram), [verdict, Present]);
    }
}

#[test]
fn removing_an_item_never_inserted_is_refused_or_does_harm() {
    let by_hand: &[(&str, &[u64])] = &[("a", &[1, 2]), ("b", &[3]), ("c", &[0]), ("d", &[2, 3])];
    let mut question = of(5, 2, "a,b", "a,b", by_hand);
    question.kind = Kind::Counting;
    question.removes = names("c,d");
    let diagram = question.diagram().unwrap();
    let let_go: Vec<bool> = diagram.removes.iter().map(|removed| removed.1).collect();
    assert_eq!(let_go, [false, true]);
    assert_eq!(verdicts(&diagram), [Verdict::FalseNegative; 2]);
}

#[test]
fn items_have_the_positions_of_a_real_filter() {
    for (bits, hashes) in [(1, 1), (16, 3), (61, 7), (64, 16)] {
        let words = "ant,bee,cat,dog,eel";
        let diagram = of(bits, hashes, "ant,bee", words, &[]).diagram().unwrap();
        let mut filter = BloomFilter::<str>::new(Shape::new(bits, hashes).unwrap()).unwrap();
        filter.insert("ant");
        filter.insert("bee");
        let set = diagram.counts.iter().filter(|count| **count > 0).count();
        assert!((filter.fill() - set as f64 / bits as f64).abs() < 1e-12);
        for (item, verdict) in &diagram.queries {
            let found = matches!(verdict, Verdict::Present | Verdict::FalsePositive);
            assert_eq!(found, filter.contains(&*item.name), "{}", item.name);
        }
        let mut counting = of(bits, hashes, "ant,bee", "", &[]);
        counting.kind = Kind::Counting;
        let sum: u64 = counting.diagram().unwrap().counts.iter().sum();
        assert_eq!(sum, 2 * u64::from(hashes));
    }
}

#[test]
fn colliding_hashes_of_an_item_are_noted_and_drawn_with_two_heads() {
    let note = |question: &DiagramOf| question.diagram().unwrap().note;
    let positions = |c: &'static [u64]| {
        of(
            16,
            3,
            "a,c",
            "c,d",
            &[("a", &[2, 6, 13]), ("c", c), ("d", &[6, 6, 6])],
        )
    };
    let apart = DiagramOf {
        queries: names("c"),
        ..positions(&[4, 5, 6])
    };
    assert!(!note(&apart).contains("Two arrowheads"));
    let meet = positions(&[11, 4, 11]);
    let sentence = "Two arrowheads: several hashes of an item select one bit (c on 11 and d on 6).";
    assert!(note(&meet).ends_with(sentence), "{}", note(&meet));
    // The list of positions has one entry for each hash. Two hashes that select one bit set it once.
    let diagram = meet.diagram().unwrap();
    assert_eq!(diagram.inserts[1].positions, [4, 11, 11]);
    assert_eq!(diagram.csv().matches("insert,c,11,").count(), 2);
    assert!(diagram.csv().contains("bit,,11,1\n"));
    let heads = |question: &DiagramOf| {
        let svg = chart::svg(&question.diagram().unwrap(), Size::default()).unwrap();
        // The filled areas in the colour of `c` are the heads of its arrows and its cells. A path of cells has a coordinate
        // difference of 0, because its edges are horizontal and vertical; a path of a head has none.
        let areas = svg
            .lines()
            .filter(|line| line.starts_with("<path fill=\"#D55E00\""));
        let heads = areas.filter(|line| !line.contains(" 0 "));
        heads.count()
    };
    let alone = |c: &'static [u64]| DiagramOf {
        queries: Vec::new(),
        ..positions(c)
    };
    assert_eq!(heads(&alone(&[4, 5, 11])), 3);
    assert_eq!(
        heads(&alone(&[4, 11, 11])),
        3,
        "one arrow with one head and one with two"
    );
    assert_eq!(heads(&alone(&[11, 11, 11])), 2);
    // In a block or a stage, positions are counted from 0. If there are many collisions, they are not listed.
    let mut blocked = of(32, 2, "a", "", &[("a", &[17, 17])]);
    blocked.kind = Kind::Blocked(4);
    assert!(note(&blocked).ends_with("select one bit (a on 1 of block 2)."));
    // If the first stage finds the item of a query, no arrow to the second stage is drawn, and collisions in the second stage
    // are not noted.
    let mut growing = of(8, 3, "j,b,c,a", "j,y", &[]);
    growing.kind = Kind::Scalable;
    let diagram = growing.diagram().unwrap();
    let [(b, _), (x, _)] = &diagram.queries[..] else {
        panic!("two queries");
    };
    let meets = |item: &Item| item.positions.windows(2).any(|pair| pair[0] == pair[1]);
    assert!(meets(b) && !meets(x) && b.positions.iter().any(|position| *position < 8));
    assert!(!diagram.note.contains("j on"), "{}", diagram.note);
    let mut counting = of(4, 12, "a,b", "", &[]);
    counting.kind = Kind::Counting;
    assert!(note(&counting).ends_with("several hashes of an item select one counter."));
}

#[test]
fn a_diagram_is_drawn_in_every_size_and_theme() {
    let names = "a,b,c,d,e,f,g,sixteen letters!";
    let diagram = of(64, 5, names, names, &[]).diagram().unwrap();
    for (_, theme) in Theme::NAMES {
        for (width, height) in [(800, 500), (300, 200), (4_000, 200), (300, 4_000)] {
            let size = Size::new(width, height).unwrap();
            let theme = *theme;
            let look = Look {
                size,
                theme,
                ..Look::default()
            };
            let svg = chart::svg(&diagram, look).unwrap();
            assert_eq!(svg, chart::svg(&diagram, look).unwrap());
            assert!(svg.contains("sixteen letters!") && svg.contains("present"));
            assert!(!svg.contains("NaN"));
        }
    }
}

#[test]
fn more_arrows_than_can_be_followed_are_discs_in_rows() {
    let discs = |svg: &str| svg.matches("stroke-linecap=\"round\"").count();
    let draw = |hashes| {
        let diagram = of(64, hashes, "a,b,c,d,e,f,g,h", "a,b,x,y", &[])
            .diagram()
            .unwrap();
        (chart::svg(&diagram, Size::default()).unwrap(), diagram)
    };
    let (arrows, few) = draw(6);
    assert!(discs(&arrows) == 0 && few.note.contains("a dashed arrow ends"));
    let (rows, many) = draw(16);
    assert!(discs(&rows) > 8 && many.note.contains("a ring marks a clear bit"));
    assert!(
        many.note.contains("Two discs side by side: several hashes"),
        "{}",
        many.note
    );
    for text in ["h", "y?", "false positive"] {
        assert!(rows.contains(&format!(">{text}</text>")), "{text}");
    }
    // The row of an item has a disc for each of its bits, or two discs if several hashes select one bit.
    let lines = rows
        .lines()
        .filter(|line| line.contains("#0072B2") && line.contains("linecap"));
    let places: usize = lines.map(|line| line.matches("0 0").count()).sum();
    assert!((14..=20).contains(&places), "{places}");
}

#[test]
fn diagrams_that_cannot_be_drawn_are_refused() {
    let removing = DiagramOf {
        removes: names("a"),
        ..of(16, 3, "a", "b", &[])
    };
    let needs = "remove needs a counting filter (--filter counting)";
    let (many, long) = ("a,b,c,d,e,f,g,h,i", "seventeen letters");
    for (question, message) in [
        (
            of(65, 3, "a", "", &[]),
            "m must be from 1 to 64 to be drawn, got 65",
        ),
        (
            of(16, 17, "a", "", &[]),
            "k must be from 1 to 16 to be drawn, got 17",
        ),
        (
            of(16, 3, "", "", &[]),
            "insert needs at least one item, got none",
        ),
        (
            of(16, 3, many, "", &[]),
            "insert must have at most 8 entries to be told apart, got 9",
        ),
        (
            of(16, 3, long, "", &[]),
            "name must have 1 to 16 letters and no control characters, got 17",
        ),
        (
            of(16, 3, "a", "", &[("a", &[16])]),
            "positions must be below m, got 16",
        ),
        (removing, needs),
    ] {
        assert_eq!(question.diagram().unwrap_err().to_string(), message);
    }
    assert!(matches!(
        of(16, 3, "a", "", &[("a", &[])]).diagram(),
        Err(FigureError::Refused { .. })
    ));
}

#[test]
fn the_default_items_show_all_three_verdicts() {
    let diagram = of(16, 3, "a,b,c", "b,x,f", &[]).diagram().unwrap();
    assert_eq!(
        verdicts(&diagram),
        [Verdict::Present, Verdict::Absent, Verdict::FalsePositive]
    );
}

#[test]
fn an_item_of_a_blocked_filter_has_its_bits_in_one_block() {
    let mut question = of(32, 3, "ant,bee,cat,dog", "ant,cow,pig,hen", &[]);
    question.kind = Kind::Blocked(4);
    let diagram = question.diagram().unwrap();
    assert_eq!(diagram.title, "4 blocks of 8 bits, 3 hashes");
    let labels: Vec<&str> = diagram.groups.iter().map(|group| &*group.label).collect();
    assert_eq!(labels, ["block 0", "block 1", "block 2", "block 3"]);
    let items = diagram.inserts.iter();
    for item in items.chain(diagram.queries.iter().map(|(item, _)| item)) {
        let block = item.positions[0] / 8;
        assert!(item.positions.iter().all(|position| position / 8 == block));
    }
    let hand = |positions: &[u64]| {
        let mut question = of(32, 3, "a", "", &[("a", positions)]);
        question.kind = Kind::Blocked(4);
        question.diagram()
    };
    assert_eq!(
        hand(&[8, 12, 15]).unwrap().inserts[0].positions,
        [8, 12, 15]
    );
    assert_eq!(
        hand(&[7, 8]).unwrap_err().to_string(),
        "positions must be in one block, got several blocks"
    );
    question.kind = Kind::Blocked(5);
    assert_eq!(
        question.diagram().unwrap_err().to_string(),
        "blocks must be a divisor of m, got 5"
    );
}

#[test]
fn an_item_of_a_partitioned_filter_has_a_bit_in_every_slice() {
    for (bits, hashes, longer) in [(24, 3, 0), (17, 3, 2), (64, 16, 0), (5, 5, 0), (7, 1, 0)] {
        let words = "ant,bee,cat,dog,eel,fox";
        let mut question = of(bits, hashes, "ant,bee,cat", words, &[]);
        question.kind = Kind::Partitioned;
        let diagram = question.diagram().unwrap();
        let lengths = lengths(&diagram);
        let least = bits / u64::from(hashes);
        assert_eq!(lengths.len(), usize::from(hashes));
        assert!(lengths[..longer].iter().all(|length| *length == least + 1));
        assert!(lengths[longer..].iter().all(|length| *length == least));
        let mut filter = PartitionedBloomFilter::<str>::new(Shape::new(bits, hashes).unwrap());
        let filter = filter.as_mut().unwrap();
        for word in ["ant", "bee", "cat"] {
            filter.insert(word);
        }
        let set = diagram.counts.iter().filter(|count| **count > 0).count();
        assert!((filter.fill() - set as f64 / bits as f64).abs() < 1e-12);
        for (item, verdict) in &diagram.queries {
            for group in &diagram.groups {
                let inside = item.positions.iter();
                let inside = inside.filter(|position| group.positions.contains(position));
                assert_eq!(inside.count(), 1, "{item:?} in {group:?}");
            }
            let found = matches!(verdict, Verdict::Present | Verdict::FalsePositive);
            assert_eq!(found, filter.contains(&*item.name), "{}", item.name);
        }
    }
}

#[test]
fn given_positions_are_one_in_each_slice() {
    let question = |positions: &[u64]| {
        let by_hand = [("a", &[0, 4, 8][..]), ("b", &[1, 4, 9]), ("c", positions)];
        let mut question = of(10, 3, "a,b", "c", &by_hand);
        question.kind = Kind::Partitioned;
        question.diagram()
    };
    let diagram = question(&[1, 4, 8]).unwrap();
    assert_eq!(diagram.title, "3 slices of 3 or 4 bits, 3 hashes");
    assert_eq!(
        diagram.description,
        "A Bloom filter in 3 slices, 5 of its 10 bits set by a and b: c is a false positive."
    );
    assert_eq!(verdicts(&diagram), [Verdict::FalsePositive]);
    let csv = diagram.csv();
    assert!(csv.contains("query,c,8,false positive\n") && csv.ends_with("bit,slice 2,9,1\n"));
    // One clear bit in one slice is enough for a negative.
    assert_eq!(verdicts(&question(&[1, 4, 7]).unwrap()), [Verdict::Absent]);
    let error = |positions: &[u64]| question(positions).unwrap_err().to_string();
    assert_eq!(
        error(&[0, 1, 4]),
        "positions must be one in each slice, got 2 in slice 0"
    );
    assert_eq!(
        error(&[1, 8]),
        "positions must be one in each slice, got 0 in slice 1"
    );
    let mut thin = of(2, 3, "a", "", &[]);
    thin.kind = Kind::Partitioned;
    assert_eq!(
        thin.diagram().unwrap_err().to_string(),
        "m must be at least k = 3 in a partitioned filter, got 2"
    );
}

#[test]
fn a_scalable_filter_begins_a_stage_when_half_of_the_bits_are_set() {
    let mut question = of(8, 2, "ant,bee,cat,dog,eel,fox", "ant,fox,cow", &[]);
    question.kind = Kind::Scalable;
    let diagram = question.diagram().unwrap();
    let lengths = lengths(&diagram);
    assert!(lengths.len() > 1, "{lengths:?}");
    assert!(lengths.windows(2).all(|pair| pair[1] == 2 * pair[0]));
    for group in &diagram.groups[..lengths.len() - 1] {
        let set = group.positions.clone();
        let set = set.filter(|position| diagram.counts[*position as usize] > 0);
        let length = group.positions.end - group.positions.start;
        assert!(2 * set.count() as u64 >= length, "{group:?} is full");
    }
    for item in &diagram.inserts {
        let groups = diagram.groups.iter().filter(|group| {
            let mut positions = item.positions.iter();
            positions.any(|position| group.positions.contains(position))
        });
        assert!(groups.count() <= 1, "{item:?} is in one stage or was found");
    }
    // Inserted items are always found, and a query probes every stage.
    assert_eq!(verdicts(&diagram)[..2], [Verdict::Present; 2]);
    for (item, _) in &diagram.queries {
        for group in &diagram.groups {
            let mut positions = item.positions.iter();
            assert!(positions.any(|position| group.positions.contains(position)));
        }
    }
    question.positions.insert("ant".to_owned(), vec![1]);
    assert_eq!(
        question.diagram().unwrap_err().to_string(),
        "positions of ant cannot be given for a scalable filter"
    );
    question.positions.clear();
    question.bits = 33;
    question.inserts = names("a,b,c,d,e,f,g,h");
    question.hashes = 16;
    assert_eq!(
        question.diagram().unwrap_err().to_string(),
        "stages must have at most 64 bits together, got 99"
    );
}
