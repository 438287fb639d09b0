//! A figure laid out for a size: simple marks at places, in pixels, with no drawing library.

use crate::curves::Figure;
use crate::look::{Look, Palette};
use crate::{font, frame, series};

/// A colour: red, green and blue.
pub(crate) type Colour = [u8; 3];

/// A place: to the right, and down.
pub(crate) type Place = (f64, f64);

/// One thing to draw.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Mark {
    /// A line through places.
    Line {
        places: Vec<Place>,
        width: f64,
        colour: Colour,
    },
    /// A filled polygon.
    Area { places: Vec<Place>, colour: Colour },
    /// A filled circle.
    Disc {
        centre: Place,
        radius: f64,
        colour: Colour,
    },
    /// A line of text.
    Text(Text),
}

/// A line of text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Text {
    pub(crate) content: String,
    /// A point of the base line: which one, the anchor says.
    pub(crate) place: Place,
    pub(crate) anchor: Anchor,
    /// The height of an em.
    pub(crate) size: f64,
    pub(crate) bold: bool,
    /// Whether it reads upwards.
    pub(crate) upwards: bool,
    pub(crate) colour: Colour,
}

/// Which point of a text is at its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

impl Text {
    /// Returns how far the text reaches.
    pub(crate) fn width(&self) -> f64 {
        font::width(&self.content, self.size, self.bold)
    }

    /// Returns where the text starts, along its direction, from its place.
    pub(crate) fn start(&self) -> f64 {
        match self.anchor {
            Anchor::Start => 0.0,
            Anchor::Middle => -self.width() / 2.0,
            Anchor::End => -self.width(),
        }
    }
}

/// A picture as marks, from the back to the front.
#[derive(Debug, Clone, PartialEq)]
pub struct Scene {
    pub(crate) palette: &'static Palette,
    pub(crate) marks: Vec<Mark>,
}

impl Scene {
    /// Lays out a figure.
    pub(crate) fn new(figure: &Figure, look: Look) -> Self {
        let mut scene = Self {
            palette: look.theme.palette(),
            marks: Vec::new(),
        };
        let plot = frame::draw(figure, look.size, &mut scene);
        series::draw(figure, &plot, &mut scene);
        scene
    }

    pub(crate) fn disc(&mut self, centre: Place, radius: f64, colour: Colour) {
        self.marks.push(Mark::Disc {
            centre,
            radius,
            colour,
        });
    }

    pub(crate) fn line(&mut self, places: Vec<Place>, width: f64, colour: Colour) {
        self.marks.push(Mark::Line {
            places,
            width,
            colour,
        });
    }

    pub(crate) fn text(&mut self, text: Text) {
        self.marks.push(Mark::Text(text));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RateByItems;
    use crate::geometry::Rect;
    use crate::measure::Effort;
    use crate::size::Size;

    impl Text {
        /// The rectangle that its letters are in.
        fn covers(&self) -> Rect {
            let ((x, y), em) = (self.place, self.size);
            let (from, to) = (self.start(), self.start() + self.width());
            let (up, down) = (0.76 * em, 0.2 * em);
            if self.upwards {
                return Rect {
                    left: x - up,
                    top: y - to,
                    right: x + down,
                    bottom: y - from,
                };
            }
            Rect {
                left: x + from,
                top: y - up,
                right: x + to,
                bottom: y + down,
            }
        }
    }

    fn apart(one: &Rect, other: &Rect) -> bool {
        one.right < other.left
            || other.right < one.left
            || one.bottom < other.top
            || other.bottom < one.top
    }

    /// Figures whose labels are easily in the way of each other, in small and large pictures.
    fn scenes() -> Vec<(String, Size, Scene)> {
        let effort = Effort::new(2, 100, 1).unwrap();
        let questions = [
            (20_000, vec![3, 5, 7], None, None),
            (20_000, vec![3, 5, 7], None, Some(effort)),
            (20_000, (1..=8).collect(), None, Some(effort)),
            (20_000, vec![7], None, None),
            (20_000, vec![3, 5, 7], Some(60_000), None),
            (1 << 63, (248..=255).collect(), None, None),
            (1_000_000_000, vec![3, 200], Some(100_000_000), None),
            (64, vec![1], None, Some(effort)),
        ];
        let mut figures = Vec::new();
        for (bits, hashes, items, effort) in questions {
            let name = format!("{bits} bits, {hashes:?} hashes");
            let question = RateByItems {
                bits,
                hashes,
                items,
                effort,
            };
            figures.push((name, question.figure().unwrap()));
        }
        figures.extend(others(effort));
        let mut scenes = Vec::new();
        for (name, figure) in figures {
            for (width, height) in [
                (800, 500),
                (300, 200),
                (400, 300),
                (4_000, 200),
                (300, 4_000),
            ] {
                let size = Size::new(width, height).unwrap();
                let name = format!("{name} at {width}x{height}");
                scenes.push((name, size, Scene::new(&figure, size.into())));
            }
        }
        scenes
    }

    /// A figure of every other question.
    fn others(effort: Effort) -> Vec<(String, Figure)> {
        use crate::{
            BitsByRate, BlockedCost, CounterOverflow, EstimateError, HashFloor, ModelError,
            RateByBits, RateByHashes, RateSpread, ScalableGrowth, Shown, SizingError, Trust,
        };
        use bloom_core::math::scalable::Growth;

        let growing = |shown| {
            let growth = Growth {
                items: 1_000,
                rate: 0.01,
                growth: 2,
                tightening: 0.85,
            };
            ScalableGrowth {
                growth,
                items: 1_000_000,
                shown,
            }
            .figure()
        };

        let effort = Some(effort);
        let all = [
            RateByBits {
                items: 10_000,
                bits_per_item: 24.0,
                hashes: vec![1, 2, 4, 7, 10, 14],
                effort,
            }
            .figure(),
            RateByHashes {
                items: 2_000,
                bits: 20_000,
                hashes: None,
                effort,
            }
            .figure(),
            BitsByRate {
                items: 1_000_000,
                rate: 1e-6,
            }
            .figure(),
            SizingError {
                items: 1_000_000,
                rate: 1e-6,
            }
            .figure(),
            ModelError {
                bits_per_item: vec![10, 20],
                bits: 10_000_000,
            }
            .figure(),
            HashFloor {
                widths: vec![32, 64],
                rate: 1e-6,
                items: 1_000_000_000_000,
            }
            .figure(),
            BlockedCost {
                items: 1_000_000,
                bits_per_item: 24.0,
            }
            .figure(),
            growing(Shown::Rate),
            growing(Shown::Memory),
            CounterOverflow {
                counters: 1_000_000,
                hashes: 7,
                widths: vec![2, 3, 4, 5],
            }
            .figure(),
            Trust {
                rates: vec![0.1, 0.01, 0.001, 0.0001],
                prevalence: 1e-6,
            }
            .figure(),
            RateSpread {
                bits_per_item: 10,
                hashes: 7,
                items: 1_000,
                effort,
            }
            .figure(),
            EstimateError {
                bits: 20_000,
                hashes: 7,
                effort,
            }
            .figure(),
        ];
        let all = all.into_iter().map(|figure| {
            let figure = figure.unwrap();
            (figure.title.clone(), figure)
        });
        all.collect()
    }

    #[test]
    fn no_text_covers_a_text_a_curve_or_an_edge() {
        for (name, size, scene) in scenes() {
            let texts = scene.marks.iter().filter_map(|mark| match mark {
                Mark::Text(text) => Some(text),
                _ => None,
            });
            let texts: Vec<&Text> = texts.collect();
            assert!(texts.len() > 8, "{name}");
            for (index, text) in texts.iter().enumerate() {
                let covers = text.covers();
                let (right, bottom) = (size.width().into(), size.height().into());
                let inside = covers.left >= 0.0 && covers.top >= 0.0;
                let inside = inside && covers.right <= right && covers.bottom <= bottom;
                assert!(inside, "{:?} in {name}", text.content);
                for other in &texts[..index] {
                    let (one, two) = (&text.content, &other.content);
                    assert!(
                        apart(&covers, &other.covers()),
                        "{one:?}, {two:?} in {name}"
                    );
                }
                for mark in &scene.marks {
                    let clear = match mark {
                        Mark::Line { places, .. } => covers.clip(places).is_empty(),
                        Mark::Disc { centre, .. } => !covers.contains(*centre),
                        Mark::Area { places, .. } => {
                            !places.iter().any(|place| covers.contains(*place))
                        }
                        Mark::Text(_) => true,
                    };
                    assert!(clear, "{:?} and {mark:?} in {name}", text.content);
                }
            }
        }
    }

    #[test]
    fn every_curve_has_its_label() {
        for (name, _, scene) in scenes() {
            if !name.contains(" hashes at ") {
                continue;
            }
            let labels = scene.marks.iter().filter(
                |mark| matches!(mark, Mark::Text(text) if text.content.starts_with("k = ")),
            );
            let listed = name.split(['[', ']']).nth(1).unwrap();
            assert_eq!(labels.count(), listed.split(',').count(), "{name}");
        }
    }
}
