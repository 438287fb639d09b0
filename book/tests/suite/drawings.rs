//! Makes the drawings that stand in for the interactive widgets of the book on paper and where scripts are off. Each drawing
//! shows one state of its widget, computed as the widget computes it. The drawings are inline SVG, so that their colours follow
//! the theme of the page. `scenes.rs` makes further ones.

use std::f64::consts::TAU;
use std::fmt::Write;

use bloom_core::math::{Model, exact, expected_fill, hash_floor, textbook};
use bloom_core::{BloomFilter, Shape};
use bloom_systems::double_hashing::Scheme;

use crate::common::assert_is_file;

pub(crate) fn figure(svg: &str, caption: &str) -> String {
    format!("{svg}\n<figcaption>\n\n{caption}\n\n</figcaption>\n")
}

/// Draws 100 balls in their bins. Each ball is the only item of a filter with one hash: its bin is the bit that is set.
#[test]
fn a_hundred_balls_lie_in_their_bins() {
    let shape = Shape::new(100, 1).unwrap();
    let mut balls = [0_u32; 100];
    for ball in 0..100_u64 {
        let mut bins = BloomFilter::<u64>::new(shape).unwrap();
        bins.insert(&ball);
        let [low, high] = bins.words() else {
            panic!("100 bits are two words")
        };
        let bin = if *low == 0 {
            64 + high.trailing_zeros()
        } else {
            low.trailing_zeros()
        };
        balls[bin as usize] += 1;
    }
    let hit = balls.iter().filter(|count| **count > 0).count();
    let expected = 100.0 * expected_fill(100, 100, 1).unwrap();
    let highest = balls.iter().max().unwrap();
    let height = 7 * highest + 4;
    let mut svg = format!(
        "<svg class=\"live-drop\" viewBox=\"0 0 700 {height}\" role=\"img\" \
         aria-label=\"100 balls in 100 bins, {hit} of them hit\">\n"
    );
    for (bin, count) in (0_u32..).zip(balls) {
        let x = 7 * bin;
        let empty = if count == 0 { " empty" } else { "" };
        let floor = height - 1;
        writeln!(svg, "<path class=\"floor{empty}\" d=\"M{x}.5 {floor}h6\"/>").unwrap();
        for level in 0..count {
            let y = height - 5 - 7 * level;
            writeln!(svg, "<circle class=\"ball\" cx=\"{x}.5\" cy=\"{y}\" r=\"3.3\" transform=\"translate(3)\"/>").unwrap();
        }
    }
    svg.push_str("</svg>\n");
    let caption = format!("100 balls have hit {hit} of 100 bins; {expected:.1} are expected.");
    assert_is_file(&figure(&svg, &caption), "tables/balls.md");
}

/// Draws the memory that a set of 100 million addresses of 50 characters takes in five forms, with a line at the 0.4 GB that
/// are left for the set.
#[test]
fn only_one_of_five_forms_of_a_set_fits() {
    let urls = 100_000_000;
    let width = (1..=64)
        .find(|bits| hash_floor(urls, *bits).unwrap() <= 0.01)
        .unwrap();
    let forms = [
        ("Texts", urls * 400),
        ("8-byte hashes", urls * 64),
        ("Shortest fingerprints", urls * u64::from(width)),
        ("One bit set", Model::Exact.min_bits(urls, 1, 0.01).unwrap()),
        ("Bloom filter", Model::Exact.min_size(urls, 0.01).unwrap().0),
    ];
    let gigabytes = |bits: u64| bits as f64 / 8e9;
    let fits: Vec<_> = forms
        .iter()
        .filter(|(_, bits)| gigabytes(*bits) <= 0.4)
        .collect();
    assert_eq!(fits.len(), 1);
    let mut svg = "<svg class=\"drawing\" viewBox=\"0 0 450 190\" role=\"img\" aria-label=\"Five bars; only that of \
         the Bloom filter ends before the line at 0.4 GB\">\n"
        .to_owned();
    for ((name, bits), y) in forms.iter().zip((0..).step_by(34)) {
        let (size, text, bar) = (gigabytes(*bits), y + 20, y + 6);
        let class = if size > 0.4 { "bar wrong" } else { "bar" };
        writeln!(
            svg,
            "<text x=\"0\" y=\"{text}\">{name}</text>\n<rect class=\"{class}\" x=\"165\" y=\"{bar}\" width=\"{:.0}\" height=\"18\"/>\n\
             <text x=\"{:.0}\" y=\"{text}\">{}</text>",
            45.0 * size,
            (171.0 + 45.0 * size).max(188.0),
            format!("{size:.3}").trim_end_matches('0').trim_end_matches('.').to_owned() + " GB",
        )
        .unwrap();
    }
    let line = 165.0 + 45.0 * 0.4;
    writeln!(
        svg,
        "<path class=\"limit\" d=\"M{line:.1} 0v172\"/>\n<text x=\"{line:.1}\" y=\"188\" text-anchor=\"middle\">0.4 GB</text>\n</svg>"
    )
    .unwrap();
    let caption = "100 million addresses of 50 characters in five forms, for a rate of at most 1 in 100. Only the Bloom \
         filter fits in the memory that is left.";
    assert_is_file(&figure(&svg, caption), "tables/memory.md");
}

/// Draws the positions of one item in a filter of 16 bits, as a ring, by double hashing with a bad step and by enhanced double
/// hashing.
#[test]
fn a_bad_step_has_two_positions_and_enhanced_double_hashing_has_more() {
    let draw = |scheme: Scheme, left: f64, title: &str| {
        let positions: Vec<u64> = scheme.positions(5, 8, 16, 6).collect();
        let point = |at: u64, radius: f64| {
            let turn = TAU * at as f64 / 16.0;
            (left + radius * turn.sin(), 130.0 - radius * turn.cos())
        };
        let star: Vec<_> = positions
            .iter()
            .map(|at| {
                let (x, y) = point(*at, 80.0);
                format!("{x:.1},{y:.1}")
            })
            .collect();
        let mut svg = format!(
            "<text x=\"{left}\" y=\"20\" text-anchor=\"middle\">{title}</text>\n<circle class=\"ring\" cx=\"{left}\" cy=\"130\" \
             r=\"80\"/>\n<polyline class=\"star\" points=\"{}\"/>\n",
            star.join(" ")
        );
        for at in 0..16 {
            let (x, y) = point(at, 80.0);
            let set = if positions.contains(&at) { " set" } else { "" };
            writeln!(
                svg,
                "<circle class=\"place{set}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"12\"/>\n<text class=\"number{set}\" x=\"{x:.1}\" y=\"{:.1}\">{at}</text>",
                y + 5.0
            )
            .unwrap();
        }
        let mut different = positions;
        different.sort_unstable();
        different.dedup();
        (svg, different.len())
    };
    let (plain, few) = draw(Scheme::Modular { bits: 64 }, 110.0, "a + ib");
    let (enhanced, more) = draw(Scheme::Enhanced, 340.0, "a + ib + (i³ − i)/6");
    assert!(few == 2 && more > few);
    let svg = format!(
        "<svg class=\"drawing\" viewBox=\"0 0 450 235\" role=\"img\" aria-label=\"Two rings of 16 positions: six hashes set {few} of \
         the left one and {more} of the right one\">\n{plain}{enhanced}</svg>\n"
    );
    let caption = format!(
        "Six positions from *a* = 5 with the step *b* = 8 on a ring of 16: {few} different ones by double hashing, {more} by \
         enhanced double hashing."
    );
    assert_is_file(&figure(&svg, &caption), "tables/twins.md");
}

/// Draws the rates of 10,000 filters with two items in eight bits.
#[test]
fn the_mean_of_many_rates_lies_at_the_exact_rate() {
    let shape = Shape::new(8, 3).unwrap();
    let mut counts = [0_u32; 9];
    let mut sum = 0.0;
    for number in 0..10_000_u64 {
        let mut filter = BloomFilter::<u64>::new(shape).unwrap();
        filter.extend([2 * number, 2 * number + 1]);
        counts[filter.words()[0].count_ones() as usize] += 1;
        sum += filter.false_positive_rate();
    }
    let (mean, exact) = (sum / 10_000.0, exact::rate(2, 8, 3).unwrap().value());
    let textbook = textbook::rate(2, 8, 3).unwrap().value();
    assert!((mean - exact).abs() < (mean - textbook).abs());
    let x = |rate: f64| 20.0 + 950.0 * rate;
    let mut svg = "<svg class=\"drawing\" viewBox=\"0 0 450 220\" role=\"img\" aria-label=\"The rates of 10,000 filters, a bar \
         for each number of set bits, with two lines: A, the exact rate, and B, that of the \
         textbook\">\n"
        .to_owned();
    for (ones, count) in (0_u32..).zip(counts).filter(|(_, count)| *count > 0) {
        let rate = (f64::from(ones) / 8.0).powi(3);
        let height = f64::from(count) / 40.0;
        writeln!(
            svg,
            "<rect class=\"bar\" x=\"{:.1}\" y=\"{:.1}\" width=\"22\" height=\"{height:.1}\"/>\n<text x=\"{:.1}\" y=\"214\" \
             text-anchor=\"middle\">{ones}</text>",
            x(rate) - 11.0,
            195.0 - height,
            x(rate),
        )
        .unwrap();
    }
    for (rate, class, name, anchor) in [
        (textbook, "limit", "B", "end"),
        (exact, "axis", "A", "start"),
    ] {
        writeln!(
            svg,
            "<path class=\"{class}\" d=\"M{:.1} 20v175\"/>\n<text x=\"{:.1}\" y=\"14\" text-anchor=\"{anchor}\">{name}: {rate:.4}</text>",
            x(rate),
            x(rate),
        )
        .unwrap();
    }
    svg.push_str("</svg>\n");
    let caption = format!(
        "The rates of 10,000 filters of 8 bits with two items and three hashes. The number below a bar is the number of set bits. The mean rate is {mean:.4}: near A, the exact rate, and far from B, the textbook's rate."
    );
    assert_is_file(&figure(&svg, &caption), "tables/liar.md");
}

/// Draws the widget “field”: the bits of its filter, an address that is a false positive, and for each bit of this address the
/// first inserted address that set the bit.
#[test]
fn the_field_has_an_address_whose_bits_others_have_set() {
    const COLUMNS: usize = 128;
    let shape = Shape::new(4_096, 3).unwrap();
    let positions = |number: u32| -> Vec<usize> {
        let mut alone = BloomFilter::<str>::new(shape).unwrap();
        alone.insert(&format!("page/{number}"));
        (0..4_096)
            .filter(|&bit| alone.words()[bit / 64] >> (bit % 64) & 1 == 1)
            .collect()
    };
    let members: Vec<_> = (1..=1_000).map(positions).collect();
    let setter = |bit: usize| members.iter().position(|member| member.contains(&bit));
    let found =
        (1_001..2_000).find(|&number| positions(number).iter().all(|&bit| setter(bit).is_some()));
    let found = found.unwrap();
    let set: Vec<_> = (0..4_096).filter(|&bit| setter(bit).is_some()).collect();

    let label = format!(
        "{} of 4,096 bits are set by a thousand addresses, among them those of an address that was never inserted",
        set.len()
    );
    let mut svg = format!(
        "<svg class=\"live-ground\" viewBox=\"0 0 1024 256\" role=\"img\" aria-label=\"{label}\">\n\
         <rect class=\"ground\" width=\"1024\" height=\"256\"/>\n<path class=\"set\" d=\""
    );
    let corner = |bit: usize| (8 * (bit % COLUMNS), 8 * (bit / COLUMNS));
    // Set bits side by side are drawn as one rectangle.
    for run in set.chunk_by(|one, next| one + 1 == *next && next % COLUMNS != 0) {
        let (x, y) = corner(run[0]);
        let width = 8 * run.len() - 1;
        write!(svg, "M{x} {y}h{width}v7h-{width}z").unwrap();
    }
    svg.push_str("\"/>\n");
    let polygon = |class: &str, bits: &[usize]| {
        let centre = |&bit: &usize| {
            let (x, y) = corner(bit);
            format!("{},{}", x + 4, y + 4)
        };
        let points: Vec<_> = bits.iter().map(centre).collect();
        format!(
            "<polygon class=\"{class}\" points=\"{}\"/>\n",
            points.join(" ")
        )
    };
    let queried = positions(found);
    let setters: Vec<_> = queried.iter().map(|&bit| setter(bit).unwrap()).collect();
    for &setter in &setters {
        svg += &polygon("setter", &members[setter]);
    }
    svg += &polygon("asked wrong", &queried);
    svg.push_str("</svg>\n");
    let names: Vec<_> = setters
        .iter()
        .map(|number| format!("*page/{}*", number + 1))
        .collect();
    let caption = format!(
        "\n<figcaption>\n\n*page/1* to *page/1000* have set {},{:03} of 4,096 bits. *page/{found}* was never inserted, but its three bits \
         (the red triangle) are 1: {} have set them, each with two more of its own (the thin lines).\n\n</figcaption>\n",
        set.len() / 1_000,
        set.len() % 1_000,
        names.join(", "),
    );
    assert_is_file(&(svg + &caption), "tables/field.md");
}
