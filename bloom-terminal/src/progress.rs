//! A bar on the standard error; nothing is shown if that is not a terminal.

pub use indicatif::ProgressBar;
use indicatif::ProgressStyle;

/// Returns a bar for work of this length; `None` if the length is unknown.
///
/// `template` is what [indicatif](ProgressStyle::with_template) shows: `{bar:40} {pos}/{len}, {eta} left`.
pub fn bar(length: Option<u64>, template: &str) -> ProgressBar {
    let bar = length.map_or_else(ProgressBar::no_length, ProgressBar::new);
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}
