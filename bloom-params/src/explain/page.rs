//! Lays out a derivation: numbered steps, wrapped prose, formulas set in.

/// The most columns of a line.
const WIDTH: usize = 80;

/// A derivation as it grows.
pub(super) struct Page {
    lines: Vec<String>,
    steps: usize,
}

impl Page {
    pub(super) fn new() -> Self {
        Self {
            lines: vec!["How this answer comes about".to_string()],
            steps: 0,
        }
    }

    /// Starts a numbered step.
    pub(super) fn step(&mut self, title: &str) {
        self.steps += 1;
        self.lines.push(String::new());
        self.lines.push(format!("{}. {title}", self.steps));
    }

    /// Adds a paragraph, wrapped.
    pub(super) fn text(&mut self, text: &str) {
        self.wrapped(text, "   ", "   ");
    }

    /// Adds a formula, wrapped only where it would be too long.
    pub(super) fn formula(&mut self, text: &str) {
        let line = format!("     {text}");
        if line.chars().count() <= WIDTH {
            self.lines.push(line.trim_end().to_string());
        } else {
            self.wrapped(text, "     ", "       ");
        }
    }

    fn wrapped(&mut self, text: &str, first: &str, rest: &str) {
        let mut line = first.to_string();
        let mut is_start = true;
        for word in unbroken(text) {
            let needed = line.chars().count() + word.chars().count() + usize::from(!is_start);
            if needed > WIDTH && !is_start {
                self.lines.push(line);
                line = rest.to_string();
                is_start = true;
            }
            if !is_start {
                line.push(' ');
            }
            line += &word;
            is_start = false;
        }
        self.lines.push(line);
    }

    pub(super) fn lines(self) -> Vec<String> {
        self.lines
    }
}

/// The words of a text; what belongs together, like `99 %` and `p = 0.5`, is one.
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
