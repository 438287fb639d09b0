//! A progress bar on the standard error, which is shown only if the standard error is a terminal.

pub use indicatif::ProgressBar;
use indicatif::ProgressStyle;

/// Returns a progress bar for `length` units of work, or for an unknown number of units if `length` is `None`.
///
/// `template` is a template of [indicatif](ProgressStyle::with_template), such as `{bar:40} {pos}/{len}, {eta} left`.
/// If it is invalid, the bar has the default style of indicatif.
pub fn bar(length: Option<u64>, template: &str) -> ProgressBar {
    let bar = length.map_or_else(ProgressBar::no_length, ProgressBar::new);
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}
