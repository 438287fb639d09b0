//! Tests that SVG, PNG and PDF pictures of a chart show what its data contains.

use crate::common::hash_floor;
use bloom_plot::curves::{Axis, Measured, Point, Scale, Series, Span};
use bloom_plot::measure::Effort;
use bloom_plot::{Drawing, Figure, Look, Measurable, RateByItems, Size, Theme, chart};
use bloom_testing::assert_has;

fn figure() -> Figure {
    let question = RateByItems {
        bits: 20_000,
        hashes: vec![3, 5, 7],
        best: false,
        items: None,
    };
    question
        .figure(Some(Effort::new(3, 500, 1).unwrap()))
        .unwrap()
}

fn axis(scale: Scale, from: f64, to: f64) -> Axis {
    Axis {
        name: "axis".to_owned(),
        scale,
        from,
        to,
    }
}

/// Returns a figure with one series, which has this curve and these measured points.
fn single(x: Axis, y: Axis, curve: Vec<Point>, measured: Vec<Measured>) -> Figure {
    Figure {
        title: "a < b & \"c\"".to_owned(),
        note: String::new(),
        description: "d > e".to_owned(),
        x,
        y,
        series: vec![Series {
            label: "one".to_owned(),
            curve,
            measured,
            ..Series::default()
        }],
        marks: Vec::new(),
    }
}

/// Checks that tags are closed in order, and returns the texts of all elements with this name.
fn texts(svg: &str, name: &str) -> Vec<String> {
    let (mut open, mut found) = (Vec::new(), Vec::new());
    for piece in svg.split('<').skip(1) {
        let (tag, text) = piece.split_once('>').expect("a tag ends");
        assert_eq!(tag.matches('"').count() % 2, 0, "{tag}");
        if let Some(closed) = tag.strip_prefix('/') {
            assert_eq!(open.pop(), Some(closed));
        } else if !tag.ends_with('/') {
            let element = tag.split(' ').next().unwrap();
            open.push(element);
            if element == name {
                found.push(text.trim().to_owned());
            }
        }
    }
    assert!(open.is_empty());
    found
}

#[test]
fn an_svg_has_its_texts_as_texts() {
    let figure = figure();
    let svg = chart::svg(&figure, Size::default()).unwrap();
    let texts_of = |name| texts(&svg, name);
    assert_eq!(texts_of("title"), [&*figure.title]);
    assert_eq!(texts_of("desc"), [&*figure.description]);
    let texts = texts_of("text");
    let expected = [
        &*figure.title,
        "items n",
        "false-positive rate p",
        "k = 3",
        "k = 5",
        "k = 7",
        "10⁻⁶",
        "10⁻¹",
        "1",
        "0",
        "7,000",
    ];
    for text in expected {
        let times = texts.iter().filter(|found| **found == text).count();
        assert_eq!(times, 1, "{text}");
    }
}

#[test]
fn an_svg_is_shown_at_its_size_and_known_as_an_image() {
    let svg = chart::svg(&figure(), Size::new(640, 400).unwrap()).unwrap();
    let first = svg.lines().next().unwrap();
    let parts = [
        "width=\"640\"",
        "height=\"400\"",
        "viewBox=\"0 0 2560 1600\"",
        "role=\"img\"",
    ];
    assert_has("the first line", first, &parts);
    assert!(svg.contains("sans-serif"));
    assert!(svg.ends_with("</svg>\n"));
    // None of these wrong numbers may begin a text, or be anywhere in an attribute, such as the data of a path.
    for wrong in ["NaN", "inf", "2147483648", "2147483647"] {
        assert!(!svg.contains(&format!(">{wrong}")), "{wrong}");
        let mut attributes = svg.split('"').skip(1).step_by(2);
        let found = attributes.find(|value| value.contains(wrong));
        assert_eq!(found, None, "{wrong}");
    }
}

#[test]
fn the_same_figure_gives_the_same_bytes() {
    let size = Size::default();
    assert_eq!(
        chart::svg(&figure(), size).unwrap(),
        chart::svg(&figure(), size).unwrap()
    );
    let small = Size::new(300, 200).unwrap();
    let png = || chart::png(&figure(), small, 96).unwrap();
    assert_eq!(png(), png());
}

#[test]
fn texts_of_a_figure_cannot_break_the_document() {
    let x = axis(Scale::Linear, 0.0, 1.0);
    let curve = vec![Point { x: 0.0, y: 0.0 }, Point { x: 1.0, y: 1.0 }];
    let svg = chart::svg(&single(x.clone(), x, curve, Vec::new()), Size::default()).unwrap();
    assert_eq!(texts(&svg, "title"), ["a &lt; b &amp; \"c\""]);
    assert_eq!(texts(&svg, "desc"), ["d &gt; e"]);
}

#[test]
fn an_svg_of_both_themes_is_the_picture_of_either_in_its_colours() {
    let draw = |theme| {
        let look = Look {
            theme,
            ..Size::default().into()
        };
        chart::svg(&figure(), look).unwrap()
    };
    let both = draw(Theme::Auto);
    let (head, rest) = both.split_once("<style>\n").unwrap();
    let (style, rest) = rest
        .split_once("</style>\n<g id=\"light\"><g id=\"dark\">\n")
        .unwrap();
    let marks = rest.replace("</g></g>\n", "");
    let properties: Vec<&str> = style
        .split(['{', '}'])
        .filter(|part| part.contains("--"))
        .collect();
    assert_eq!(
        properties.len(),
        2,
        "with #dark, and where dark is preferred"
    );
    assert_eq!(properties[0], properties[1]);
    let dark = |name: &str| {
        let mut all = properties[0].split(';');
        let value = all.find_map(|one| one.strip_prefix(&format!("{name}:")));
        value
            .unwrap_or_else(|| panic!("{name} has no dark colour"))
            .to_owned()
    };
    // Replaces each `var()` of the SVG by the light colour or by the dark colour of its property.
    let coloured = |colour: &dyn Fn(&str, &str) -> String| {
        let mut parts = marks.split("var(");
        let first = head.to_owned() + parts.next().unwrap();
        parts.fold(first, |before, part| {
            let (inside, after) = part.split_once(')').unwrap();
            let (name, light) = inside.split_once(',').unwrap();
            before + &colour(name, light) + after
        })
    };
    assert_eq!(coloured(&|_, light| light.to_owned()), draw(Theme::Light));
    assert_eq!(coloured(&|name, _| dark(name)), draw(Theme::Dark));
}

#[test]
fn values_that_the_axis_cannot_show_are_left_out() {
    let x = axis(Scale::Linear, 0.0, 1.0);
    let y = axis(Scale::Log, 1e-3, 1.0);
    let points = [f64::NAN, 0.0, -1.0, f64::INFINITY, 1e-300];
    let curve = points.map(|y| Point { x: 0.5, y });
    let measured = points.iter().flat_map(|y| {
        let value = Measured::value(0.5, *y, *y, *y);
        let below = Measured::below(0.5, *y);
        [value, below]
    });
    let empty = single(x.clone(), y.clone(), Vec::new(), Vec::new());
    let full = single(x, y, curve.to_vec(), measured.collect());
    let size = Size::default();
    // None of these values can be drawn, so the picture is the one of an empty figure.
    assert_eq!(
        chart::svg(&empty, size).unwrap(),
        chart::svg(&full, size).unwrap()
    );
}

#[test]
fn a_curve_outside_of_the_picture_is_named_in_its_note() {
    let mut figure = figure();
    let notes = |figure: &Figure| {
        let svg = chart::svg(figure, Size::default()).unwrap();
        let texts = texts(&svg, "text").join(" ");
        texts.contains("Outside of the picture: below, zero.")
    };
    assert!(!notes(&figure));
    for (label, y) in [("below", 1e-30), ("zero", 0.0)] {
        let curve = [0.0, 2_000.0].map(|x| Point { x, y });
        figure.series.push(Series {
            label: label.to_owned(),
            curve: curve.to_vec(),
            ..Series::default()
        });
    }
    assert!(notes(&figure));
}

#[test]
fn a_band_is_behind_its_curve_and_part_of_what_is_shown() {
    let x = axis(Scale::Linear, 0.0, 1.0);
    let curve = [0.1, 0.9].map(|x| Point { x, y: 0.5 });
    let mut figure = single(x.clone(), x, curve.to_vec(), Vec::new());
    let band = [(0.1, 0.1, 0.9), (0.9, 0.4, 0.6)];
    figure.series[0].band = band.map(|(x, low, high)| Span { x, low, high }).to_vec();
    let svg = chart::svg(&figure, Size::default()).unwrap();
    let (band, after) = svg.split_once("fill-opacity=\"0.2\" d=\"").unwrap();
    assert!(band.ends_with("<path fill=\"#0072B2\" "));
    assert!(
        after.contains("stroke=\"#0072B2\""),
        "the curve is in front"
    );
    // The band has four corners, and five where the end of the axis cuts one of them off.
    let corners = |svg: &str| {
        let data = svg.split("fill-opacity=\"0.2\" d=\"").nth(1).unwrap();
        data.split('"').next().unwrap().split(' ').count() / 2
    };
    assert_eq!(corners(&svg), 4);
    (figure.y.from, figure.y.to) = (0.0, 0.8);
    assert_eq!(corners(&chart::svg(&figure, Size::default()).unwrap()), 5);
    // Just above the curve, only the band is visible, and above the band nothing.
    (figure.y.from, figure.y.to) = (0.7, 0.8);
    assert!(figure.shows_something());
    (figure.y.from, figure.y.to) = (0.95, 1.0);
    assert!(!figure.shows_something());
    // A PNG has the colour of the band where nothing else is: a fifth of the series' colour, on paper.
    (figure.y.from, figure.y.to) = (0.0, 1.0);
    let png = chart::png(&figure, Size::new(300, 200).unwrap(), 96).unwrap();
    let tints = pixels(&png).0.into_iter();
    let tints = tints.filter(|pixel| *pixel == [0xcc, 0xe3, 0xf0]);
    assert!(tints.count() > 3_000);
}

#[test]
fn axes_of_zero_length_are_drawn_without_ticks() {
    for (from, to) in [
        (0.0, 1.0),
        (1.0, 1.0),
        (f64::NAN, 1.0),
        (1.0, f64::INFINITY),
    ] {
        let x = axis(Scale::Log, from, to);
        let curve = vec![Point { x: 0.0, y: 0.0 }, Point { x: 1.0, y: 1.0 }];
        let figure = single(x.clone(), x, curve, Vec::new());
        let svg = chart::svg(&figure, Size::default()).unwrap();
        assert_eq!(texts(&svg, "text").len(), 3, "from {from} to {to}");
        assert!(chart::png(&figure, Size::new(300, 200).unwrap(), 96).is_ok());
    }
}

#[test]
fn an_error_bar_down_to_zero_ends_at_the_floor_of_a_log_axis() {
    let draw = |low| {
        let x = axis(Scale::Linear, 0.0, 1.0);
        let measured = vec![Measured::value(0.5, 0.1, low, 0.2)];
        let y = axis(Scale::Log, 1e-3, 1.0);
        chart::svg(&single(x, y, Vec::new(), measured), Size::default()).unwrap()
    };
    let lines = |svg: &str| -> usize {
        let paths = svg.split(" d=\"").skip(1);
        paths
            .map(|path| path.split('"').next().unwrap().matches('m').count())
            .sum()
    };
    assert_eq!(draw(0.0), draw(1e-9));
    // An error bar whose lower end is 0 has no visible cap at this end.
    assert_eq!(lines(&draw(0.0)) + 1, lines(&draw(0.01)));
}

/// Returns the pixels of a PNG, and its width.
fn pixels(bytes: &[u8]) -> (Vec<[u8; 3]>, usize) {
    let decoder = png::Decoder::new(std::io::Cursor::new(bytes));
    let mut reader = decoder.read_info().unwrap();
    let mut buffer = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut buffer).unwrap();
    assert_eq!(info.color_type, png::ColorType::Rgb);
    assert_eq!(buffer.len(), 3 * info.width as usize * info.height as usize);
    let pixels = buffer
        .chunks_exact(3)
        .map(|pixel| [pixel[0], pixel[1], pixel[2]]);
    (pixels.collect(), info.width as usize)
}

#[test]
fn a_png_has_the_pixels_of_its_size_and_resolution() {
    for (dpi, across, down) in [(96, 400, 300), (192, 800, 600), (300, 1_250, 938)] {
        let bytes = chart::png(&figure(), Size::new(400, 300).unwrap(), dpi).unwrap();
        let (pixels, width) = pixels(&bytes);
        assert_eq!((width, pixels.len() / width), (across, down));
    }
}

#[test]
fn a_png_shows_curves_texts_and_frame_on_white() {
    let bytes = chart::png(&figure(), Size::default(), 96).unwrap();
    let (pixels, width) = pixels(&bytes);
    let height = pixels.len() / width;
    for corner in [0, width - 1, pixels.len() - width, pixels.len() - 1] {
        assert_eq!(pixels[corner], [0xff; 3]);
    }
    let count = |colour: [u8; 3]| pixels.iter().filter(|pixel| **pixel == colour).count();
    // A curve two pixels wide crosses most of the picture.
    for curve in [[0x00, 0x72, 0xb2], [0xd5, 0x5e, 0x00], [0x00, 0x9e, 0x73]] {
        assert!(count(curve) > width / 2, "{curve:?}");
    }
    assert!(count([0x22; 3]) > 100, "texts");
    // The lines of the frame are sharp: a line that is n pixels long has n pixels of its full colour.
    assert!(count([0x66; 3]) > (width + height) * 7 / 10, "frame");
    assert!(count([0xe4; 3]) > 6 * width / 2, "grid");
    assert!(count([0xff; 3]) > pixels.len() * 3 / 4, "paper");
}

#[test]
fn a_png_carries_title_and_description() {
    let figure = figure();
    let bytes = chart::png(&figure, Size::new(300, 200).unwrap(), 96).unwrap();
    let reader = png::Decoder::new(std::io::Cursor::new(&bytes))
        .read_info()
        .unwrap();
    let texts = &reader.info().utf8_text;
    let text = |keyword| texts.iter().find(|text| text.keyword == keyword).unwrap();
    assert_eq!(text("Title").get_text().unwrap(), figure.title);
    assert_eq!(text("Description").get_text().unwrap(), figure.description);
}

#[test]
fn a_pdf_is_a_page_of_the_size_with_its_texts_as_texts() {
    let bytes = chart::pdf(&figure(), Size::new(336, 240).unwrap()).unwrap();
    let text = String::from_utf8_lossy(&bytes);
    assert!(text.starts_with("%PDF-") && text.trim_end().ends_with("%%EOF"));
    // 3.5 by 2.5 inches are 252 by 180 points.
    assert!(text.contains("/MediaBox [0 0 252 180]"), "{text}");
    assert!(text.contains("DejaVuSans") && text.contains("/ToUnicode"));
}

#[test]
fn pictures_of_absurd_size_are_refused() {
    let most = Size::new(4_000, 4_000).unwrap();
    for (size, dpi) in [
        (most, 97),
        (most, u32::MAX),
        (Size::default(), 0),
        (Size::default(), 700),
    ] {
        let error = chart::png(&figure(), size, dpi).unwrap_err().to_string();
        assert!(error.starts_with("dpi must be at least 1 and make a PNG of at most 16,000,000"));
    }
}

#[test]
fn a_curve_that_ends_in_the_plot_has_its_label_there_with_a_halo() {
    let curve = |from: f64, to: f64| vec![Point { x: from, y: 0.1 }, Point { x: to, y: 0.2 }];
    let axes = || {
        (
            axis(Scale::Linear, 0.0, 100.0),
            axis(Scale::Linear, 0.0, 1.0),
        )
    };
    let label = |to: f64| {
        let (x, y) = axes();
        let figure = single(x, y, curve(0.0, to), Vec::new());
        let svg = chart::svg(&figure, Size::default()).unwrap();
        let end = svg
            .find(&format!(">{}</text>", figure.series[0].label))
            .unwrap();
        let element = &svg[svg[..end].rfind("<text").unwrap()..end];
        let x = element.split('"').nth(1).unwrap().parse::<f64>().unwrap() / 4.0;
        (x, element.contains("stroke=\"#FFFFFF\""))
    };
    let (short, long) = (label(50.0), label(100.0));
    assert!(short.1 && !long.1);
    assert!(short.0 > 350.0 && short.0 < 500.0, "{}", short.0);
    assert!(long.0 > 650.0, "{}", long.0);
}

#[test]
fn a_joined_series_has_the_colour_of_the_one_before_and_no_label() {
    let question = hash_floor(&[16, 24, 32], 1e-6, 1_000_000_000_000);
    let figure = question.figure(None).unwrap();
    let svg = chart::svg(&figure, Size::default()).unwrap();
    for label in ["16 bits", "24 bits", "32 bits"] {
        assert!(svg.contains(&format!(">{label}</text>")), "{label}");
    }
    assert!(!svg.contains("floor, "));
    // The six curves have three colours, as each dashed curve has the colour of a solid one. No label is at the right end,
    // where all curves are 1.
    assert!(svg.contains("#009E73") && !svg.contains("#CC79A7"));
    assert!(figure.csv().contains("\n\"floor, 24 bits\",curve,"));
}
