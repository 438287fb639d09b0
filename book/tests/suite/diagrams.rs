//! The diagrams of bits that the first chapter includes, drawn anew and compared with the files.
//!
//! They are part of the page, so that the colours follow its theme.

use std::fmt::Write;

use bloom_core::{BloomFilter, Shape};

use crate::common::assert_is_file;

/// A row of boxes: its label, the bits that are set, and those that are framed.
struct Row {
    label: &'static str,
    set: u16,
    framed: u16,
}

fn bits(positions: &[u16]) -> u16 {
    positions.iter().fold(0, |bits, i| bits | 1 << i)
}

/// Sixteen boxes a row with their numbers, and the label above them, so that a phone has room.
fn diagram(description: &str, rows: &[Row]) -> String {
    let height = 58 * rows.len();
    let mut svg = format!(
        "<svg class=\"bits\" viewBox=\"0 0 484 {height}\" role=\"img\" aria-label=\"{description}\">\n"
    );
    for (row, y) in rows.iter().zip((0..).step_by(58)) {
        let (label, line, middle) = (row.label, y + 17, y + 42);
        writeln!(svg, "<text x=\"2\" y=\"{line}\">{label}</text>").unwrap();
        for i in 0..16 {
            let (x, top, centre) = (2 + 30 * i, y + 24, 15 + 30 * i);
            let is = |bits: u16| bits >> i & 1 == 1;
            let class = match (is(row.set), is(row.framed)) {
                (false, false) => "bit",
                (true, false) => "bit set",
                (false, true) => "bit framed",
                (true, true) => "bit set framed",
            };
            writeln!(
                svg,
                "<rect class=\"{class}\" x=\"{x}\" y=\"{top}\" width=\"26\" height=\"28\" rx=\"3\"/>"
            )
            .unwrap();
            writeln!(
                svg,
                "<text class=\"number\" x=\"{centre}\" y=\"{middle}\">{i}</text>"
            )
            .unwrap();
        }
    }
    svg.push_str("</svg>\n");
    svg
}

const A: &[u16] = &[2, 6, 13];
const B: &[u16] = &[4, 10, 11];
const C: &[u16] = &[6, 11, 12];

#[test]
fn the_filter_of_sixteen_bits_fills_as_drawn() {
    let mut rows = vec![Row {
        label: "empty",
        set: 0,
        framed: 0,
    }];
    for (label, item) in [("after a", A), ("after b", B), ("after c", C)] {
        let (before, framed) = (rows[rows.len() - 1].set, bits(item));
        let set = before | framed;
        rows.push(Row { label, set, framed });
    }
    let description = "Four rows of 16 boxes, numbered 0 to 15. At first none is filled. After a, \
         2, 6 and 13 are; after b also 4, 10 and 11; after c also 12, while 6 and 11, which c \
         sets too, were filled before.";
    assert_is_file(&diagram(description, &rows), "figures/sixteen-bits.svg");
}

#[test]
fn the_filter_of_sixteen_bits_is_asked_as_drawn() {
    let set = bits(A) | bits(B) | bits(C);
    let asked: [(&str, &[u16], bool); 3] = [
        ("x: no", &[4, 11, 15], false),
        ("y: yes, wrongly", &[2, 10, 13], true),
        ("z: yes", B, true),
    ];
    let rows = asked.map(|(label, item, says_yes)| {
        let framed = bits(item);
        assert_eq!(set & framed == framed, says_yes, "{label}");
        Row { label, set, framed }
    });
    let description = "Three rows of 16 boxes, in each of them 2, 4, 6, 10, 11, 12 and 13 filled. \
         Framed for x are 4, 11 and 15, of which 15 is not filled; for y 2, 10 and 13; for z 4, \
         10 and 11.";
    assert_is_file(
        &diagram(description, &rows),
        "figures/sixteen-bits-asked.svg",
    );
}

/// The field of the widget: its filter, an address that is found by mistake, and for each of its bits the first address
/// that set it.
#[test]
fn the_field_has_an_address_that_others_have_inserted() {
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
        (1_001..).find(|&number| positions(number).iter().all(|&bit| setter(bit).is_some()));
    let found = found.unwrap();
    let set: Vec<_> = (0..4_096).filter(|&bit| setter(bit).is_some()).collect();

    let label = format!(
        "{} of 4,096 bits are set by a thousand addresses, among them those of an address that was never inserted",
        set.len()
    );
    let mut svg = format!(
        "<svg class=\"live-field\" viewBox=\"0 0 1024 256\" role=\"img\" aria-label=\"{label}\">\n\
         <rect class=\"ground\" width=\"1024\" height=\"256\"/>\n<path class=\"set\" d=\""
    );
    let corner = |bit: usize| (8 * (bit % COLUMNS), 8 * (bit / COLUMNS));
    // Bits side by side are one rectangle.
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
    let asked = positions(found);
    let setters: Vec<_> = asked.iter().map(|&bit| setter(bit).unwrap()).collect();
    for &setter in &setters {
        svg += &polygon("setter", &members[setter]);
    }
    svg += &polygon("asked wrong", &asked);
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
