//! Holds a derivation as data, and lays it out as text: numbered steps, wrapped prose, indented formulas.

use crate::say::words::{WIDTH, wrapped};

/// The derivation of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Explanation {
    /// The steps, in order.
    pub steps: Vec<Step>,
}

/// A step of a derivation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// Its heading.
    pub title: String,
    /// Its paragraphs and formulas, in order.
    pub parts: Vec<Part>,
}

/// A part of a step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// A paragraph.
    Text(String),
    /// A formula with its numbers.
    Formula(String),
}

impl Explanation {
    /// Adds lines. A line that starts with `# ` begins a step and is its heading. A line that starts with `> ` is a formula, and
    /// any other line is a paragraph of the last step. Indentation is ignored.
    pub(super) fn add(&mut self, lines: &str) {
        for line in lines.lines().map(str::trim_start) {
            if let Some(title) = line.strip_prefix("# ") {
                self.steps.push(Step {
                    title: title.to_string(),
                    parts: Vec::new(),
                });
                continue;
            }
            let part = match line.strip_prefix("> ") {
                Some(formula) => Part::Formula(formula.to_string()),
                None => Part::Text(line.to_string()),
            };
            let step = self.steps.last_mut();
            let step = step.expect("a derivation starts with a step");
            step.parts.push(part);
        }
    }

    /// Returns the derivation as lines of at most 80 columns.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = vec!["How this answer is derived".to_string()];
        for (number, step) in (1..).zip(&self.steps) {
            lines.push(String::new());
            lines.push(format!("{number}. {}", step.title));
            for part in &step.parts {
                match part {
                    Part::Text(text) => lines.extend(wrapped(text, "   ", "   ")),
                    Part::Formula(text) if text.chars().count() + 5 <= WIDTH => {
                        lines.push(format!("     {text}").trim_end().to_string());
                    }
                    Part::Formula(text) => lines.extend(wrapped(text, "     ", "       ")),
                }
            }
        }
        lines
    }
}
