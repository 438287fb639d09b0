//! Searches for the smallest integer that satisfies a monotone condition, such as the fewest bits
//! that keep a rate.

/// Returns the smallest number from `low` to `high` for which the condition `is_true` holds; `None`
/// if it holds for none of them, or if `low` is above `high`. The condition must be monotone: where
/// it holds for a number, it must hold for all larger ones.
///
/// The search steps away from `guess`, doubling the step, until two numbers enclose the answer.
/// Then it bisects. If `guess` is the answer, or one less, the search evaluates the condition at
/// most twice. The methods of [`Model`](super::Model) that solve for a size use this function.
///
/// # Examples
///
/// ```
/// use bloom_core::math::first_true;
///
/// assert_eq!(first_true(1, u64::MAX, 1_000, |number| number * number > 2_000), Some(45));
/// assert_eq!(first_true(1, 10, 5, |_| false), None);
/// ```
pub fn first_true(low: u64, high: u64, guess: u64, is_true: impl Fn(u64) -> bool) -> Option<u64> {
    search(low, high, guess, &is_true)
}

/// Does the work of [`first_true`]. The code is compiled once for all conditions, and calls the
/// condition through a pointer: evaluating a condition costs far more than this call.
fn search(low: u64, high: u64, guess: u64, is_true: &dyn Fn(u64) -> bool) -> Option<u64> {
    if low > high {
        return None;
    }
    let guess = guess.clamp(low, high);
    let (mut below, mut found);
    let mut step = 1;
    if is_true(guess) {
        found = guess;
        loop {
            if found == low {
                return Some(low);
            }
            let next = found.saturating_sub(step).max(low);
            if !is_true(next) {
                below = next;
                break;
            }
            found = next;
            step = step.saturating_mul(2);
        }
    } else {
        below = guess;
        loop {
            if below == high {
                return None;
            }
            let next = below.saturating_add(step).min(high);
            if is_true(next) {
                found = next;
                break;
            }
            below = next;
            step = step.saturating_mul(2);
        }
    }
    while found - below > 1 {
        let middle = below + (found - below) / 2;
        if is_true(middle) {
            found = middle;
        } else {
            below = middle;
        }
    }
    Some(found)
}

#[cfg(test)]
mod tests {
    use super::first_true;

    #[test]
    fn the_turning_point_is_found_from_any_guess() {
        for point in [1, 2, 50, 99, 100] {
            for guess in [0, 1, 2, 49, 50, 51, 100, u64::MAX] {
                assert_eq!(first_true(1, 100, guess, |x| x >= point), Some(point));
            }
        }
    }

    #[test]
    fn the_whole_range_of_integers_can_be_searched() {
        for point in [0, 1, 1 << 40, u64::MAX - 1, u64::MAX] {
            for guess in [0, 1 << 20, u64::MAX] {
                assert_eq!(first_true(0, u64::MAX, guess, |x| x >= point), Some(point));
            }
        }
        assert_eq!(first_true(0, u64::MAX, 0, |_| false), None);
    }
}
