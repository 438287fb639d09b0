//! Builds the sections on how much the rates of single filters differ, and on how much a hash of
//! few bits adds to the rate.

use bloom_core::math::{hash_floor, share_above};

use super::section::Section;
use crate::answer::Answer;
use crate::error::InputError;
use crate::object;
use crate::question::QueryError;
use crate::read::typed::Typed;
use crate::say::numbers::{counted, nearest, one_in};
use crate::say::words::share;

/// Returns the section on how much the rates of single filters of this size differ by chance.
pub(super) fn spread(typed: &Typed, answer: &Answer) -> Result<Option<Section>, InputError> {
    if !typed.has("spread") {
        return Ok(None);
    }
    let solution = answer.sized("--spread")?;
    if solution.is_dependent() || solution.asked.hash_bits.is_some() {
        return Err(QueryError::SpreadOfIdealHashes.into());
    }
    let sd = solution.rate_deviation().ok_or(QueryError::NotOfFilter {
        option: "spread",
        filter: solution.asked.filter,
        owners: "classic and counting",
    })?;
    let exact = solution.exact_rate();
    let mean = exact.value();
    if solution.items > 0 && mean < f64::MIN_POSITIVE {
        let option = "--spread";
        return Err(QueryError::RateTooLow {
            option,
            rate: exact,
        }
        .into());
    }
    // The target rate or, without one, the mean rate. The section states which share of single filters has a higher rate.
    let of = solution.asked.rate.unwrap_or(mean);
    let (n, m, k) = (solution.items, solution.bits, solution.hashes);
    let above = if of < 1.0 {
        share_above(n, m, k, of).map_err(QueryError::from)?
    } else {
        0.0
    };
    let relative = if mean > 0.0 { sd / mean } else { 0.0 };
    let which = solution.asked.rate.map_or("mean", |_| "target");
    let (name, over) = (
        "standard deviation of p",
        format!("above the {which} {}", nearest(of, 6)),
    );
    Ok(Some(Section {
        name: "spread",
        title: "spread between single filters".to_string(),
        lines: vec![
            format!(
                "{name:<23}  {} ({} of p)",
                nearest(sd, 4),
                share(relative, 3)
            ),
            format!("{over:<23}  {} of filters", share(above, 3)),
        ],
        data: object![("of", of), ("sd", sd), ("above", above)],
    }))
}

/// Returns the section on what a hash of few bits adds to the rate.
pub(super) fn hash_bits(_: &Typed, answer: &Answer) -> Result<Option<Section>, InputError> {
    let Some(w) = answer.query().hash_bits else {
        return Ok(None);
    };
    let solution = answer.sized("--hash-bits")?;
    let floor = hash_floor(solution.items, w).map_err(QueryError::from)?;
    let ideal = solution.ideal.value();
    let rate = |p: f64, digits| format!("{} ({})", nearest(p, digits), one_in(p, p.ln()));
    Ok(Some(Section {
        name: "hash_bits",
        title: format!("with a hash of {}", counted(w.into(), "bit")),
        lines: vec![
            format!("floor of the hash alone  {}", rate(floor, 4)),
            format!("p with ideal hashes      {}", rate(ideal, 5)),
        ],
        data: object![
            ("w", w),
            ("floor", floor),
            ("p", answer.rate()),
            ("ideal_p", ideal)
        ],
    }))
}
