//! Parses what may follow a number: a prefix, a unit, or a word for a power of ten.

/// The prefixes as they are usually written, and their factors.
const PREFIXES: [(&str, u64); 13] = [
    ("", 1),
    ("k", 1000),
    ("M", 1_000_000),
    ("G", 1_000_000_000),
    ("T", 1_000_000_000_000),
    ("P", 1_000_000_000_000_000),
    ("E", 1_000_000_000_000_000_000),
    ("Ki", 1 << 10),
    ("Mi", 1 << 20),
    ("Gi", 1 << 30),
    ("Ti", 1 << 40),
    ("Pi", 1 << 50),
    ("Ei", 1 << 60),
];

/// What follows a number.
pub(super) struct Unit {
    /// As it is usually written, whatever its case in the text.
    pub(super) prefix: &'static str,
    pub(super) scale: u64,
    /// The bits of the unit: 1 for bits, 8 for bytes; `None` if there is only a prefix, or nothing.
    pub(super) bits: Option<u64>,
    /// Whether there is a prefix, followed by nothing or by `b`, so that somebody may have meant bytes.
    pub(super) may_mean_bytes: bool,
}

impl Unit {
    pub(super) fn read(text: &str) -> Option<Self> {
        let lower = text.to_ascii_lowercase();
        let letter = if text.ends_with('B') { 8 } else { 1 };
        let names = [
            ("bytes", 8),
            ("byte", 8),
            ("bits", 1),
            ("bit", 1),
            ("b", letter),
            ("", 0),
        ];
        let (name, (typed, bits)) = names.into_iter().find_map(|(name, bits)| {
            Some((
                name,
                (lower.strip_suffix(name)?, (bits > 0).then_some(bits)),
            ))
        })?;
        let mut prefixes = PREFIXES.into_iter();
        let (prefix, scale) = prefixes.find(|(prefix, _)| prefix.eq_ignore_ascii_case(typed))?;
        // In `5e` the letter begins an exponent whose digits are missing, so it is not the prefix `E`.
        (text != "e").then_some(Self {
            prefix,
            scale,
            bits,
            may_mean_bytes: scale > 1 && bits != Some(8) && name.len() <= 1,
        })
    }

    pub(super) fn is_binary(&self) -> bool {
        self.prefix.ends_with('i')
    }
}

/// Returns the usual word for a power of ten, and its letter. `b` and `B` mean a billion here. After a size they are the units
/// bit and byte, and this function is not called.
pub(super) fn letter_for(word: &str) -> Option<(&'static str, &'static str)> {
    Some(match word.to_ascii_lowercase().as_str() {
        "thousand" => ("thousand", "k"),
        "million" | "mio" | "mn" => ("million", "M"),
        "b" | "bn" | "billion" => ("billion", "G"),
        "trillion" => ("trillion", "T"),
        "quadrillion" => ("quadrillion", "P"),
        "quintillion" => ("quintillion", "E"),
        _ => return None,
    })
}
