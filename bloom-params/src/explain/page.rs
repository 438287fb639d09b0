//! A derivation as data, and its layout: numbered steps, wrapped prose, indented formulas.

/// The maximum width of a line, in columns.
const WIDTH: usize = 80;

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
    /// Starts a step.
    pub(super) fn step(&mut self, title: impl Into<String>) {
        self.steps.push(Step {
            title: title.into(),
            parts: Vec::new(),
        });
    }

    /// Adds a paragraph to the last step.
    pub(super) fn text(&mut self, text: impl Into<String>) {
        self.part(Part::Text(text.into()));
    }

    /// Adds a formula to the last step.
    pub(super) fn formula(&mut self, text: impl Into<String>) {
        self.part(Part::Formula(text.into()));
    }

    fn part(&mut self, part: Part) {
        let step = self.steps.last_mut();
        let step = step.expect("a derivation starts with a step");
        step.parts.push(part);
    }

    /// Returns the derivation as lines of at most 80 columns.
    pub fn lines(&self) -> Vec<String> {
        let mut lines = vec!["How this answer is derived".to_string()];
        for (number, step) in (1..).zip(&self.steps) {
            lines.push(String::new());
            lines.push(format!("{number}. {}", step.title));
            for part in &step.parts {
                match part {
                    Part::Text(text) => wrap(&mut lines, text, "   ", "   "),
                    Part::Formula(text) if text.chars().count() + 5 <= WIDTH => {
                        lines.push(format!("     {text}").trim_end().to_string());
                    }
                    Part::Formula(text) => wrap(&mut lines, text, "     ", "       "),
                }
            }
        }
        lines
    }
}

/// Breaks a text into lines; a word that is too long has a line of its own.
fn wrap(lines: &mut Vec<String>, text: &str, first: &str, rest: &str) {
    let mut line = String::new();
    for word in unbroken(text) {
        if line.is_empty() {
            line = format!("{first}{word}");
        } else if line.chars().count() + 1 + word.chars().count() > WIDTH {
            lines.push(std::mem::replace(&mut line, format!("{rest}{word}")));
        } else {
            line += &format!(" {word}");
        }
    }
    lines.push(line);
}

/// Splits a text into words; what belongs together, like `99 %` and `p = 0.5`, stays one word.
fn unbroken(text: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut goes_on = false;
    for word in text.split_whitespace() {
        let belongs = word == "=" || word.starts_with('%');
        match words.last_mut() {
            Some(last) if goes_on || belongs => *last += &format!(" {word}"),
            _ => words.push(word.to_string()),
        }
        goes_on = word == "=";
    }
    words
}
