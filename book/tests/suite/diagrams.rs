//! Draws the diagrams of filters of 16 bits, and compares them with the files that two chapters include: *The idea* and
//! *Deleting*. The diagrams are inline SVG, so that their colours follow the theme of the page.

use std::fmt::Write;

use crate::common::assert_is_file;

/// A row of a diagram, which shows 16 bits as boxes: its label, the bits that are set, and the bits that have a frame.
struct Row {
    label: &'static str,
    set: u16,
    framed: u16,
}

fn bits(positions: &[u16]) -> u16 {
    positions.iter().fold(0, |bits, i| bits | 1 << i)
}

/// Draws rows of sixteen numbered boxes. The label of a row is above its boxes, so that the row fits on a phone.
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
fn the_filter_of_sixteen_bits_is_queried_as_drawn() {
    let set = bits(A) | bits(B) | bits(C);
    let queried: [(&str, &[u16], bool); 3] = [
        ("x: no", &[4, 11, 15], false),
        ("y: yes, wrongly", &[2, 10, 13], true),
        ("z: yes", B, true),
    ];
    let rows = queried.map(|(label, item, says_yes)| {
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

/// If the bits of c are cleared, a and b are lost too.
#[test]
fn deleting_an_item_by_clearing_its_bits_deletes_others() {
    let set = bits(A) | bits(B) | bits(C);
    let cleared = set & !bits(C);
    let lost = |item: &[u16]| bits(item) & cleared != bits(item);
    assert!(lost(A) && lost(B));
    let rows = [
        Row {
            label: "a, b and c",
            set,
            framed: bits(C),
        },
        Row {
            label: "after the bits of c are cleared: a",
            set: cleared,
            framed: bits(A),
        },
        Row {
            label: "and b",
            set: cleared,
            framed: bits(B),
        },
    ];
    let description = "Three rows of 16 boxes. In the first 2, 4, 6, 10, 11, 12 and 13 are filled, and those of c, \
         6, 11 and 12, framed. They are not filled in the others, where those of a, 2, 6 and 13, and of b, 4, 10 \
         and 11, are framed.";
    assert_is_file(
        &diagram(description, &rows),
        "figures/sixteen-bits-cleared.svg",
    );
}
