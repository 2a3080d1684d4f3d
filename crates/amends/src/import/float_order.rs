//! The last floating-point number for which something still holds.

/// The largest finite number that satisfies a condition which holds up to some number and not beyond; `None` where it holds
/// for none. The order of floating-point numbers is that of whole numbers, so it is found by bisection over these.
pub(super) fn largest(holds: impl Fn(f64) -> bool) -> Option<f64> {
    let (mut low, mut high) = (rank(f64::MIN), rank(f64::MAX));
    if !holds(f64::MIN) {
        return None;
    }
    if holds(f64::MAX) {
        return Some(f64::MAX);
    }
    // Holds at `low`, not at `high`; there are fewer than 2^64 ranks between.
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if holds(from_rank(middle)) {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(from_rank(low))
}

/// A number's index in the order of all of them; -0 and 0 are neighbours.
fn rank(number: f64) -> i128 {
    let bits = number.to_bits();
    let size = i128::from(bits & (u64::MAX >> 1));
    if bits >> 63 == 1 { -size - 1 } else { size }
}

fn from_rank(rank: i128) -> f64 {
    let size = if rank < 0 { -(rank + 1) } else { rank };
    let number = f64::from_bits(size as u64);
    if rank < 0 { -number } else { number }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_rise_with_numbers_and_lead_back() {
        let numbers =
            [f64::MIN, -1.5, -1.0, -5e-324, -0.0, 0.0, 5e-324, f64::MIN_POSITIVE, 1.0, f64::MAX];
        for pair in numbers.windows(2) {
            assert!(rank(pair[0]) < rank(pair[1]), "{pair:?}");
        }
        for number in numbers {
            assert_eq!(from_rank(rank(number)).to_bits(), number.to_bits());
        }
        assert_eq!(rank(0.0) - rank(-0.0), 1);
    }

    #[test]
    fn the_last_number_is_found_to_the_bit() {
        for limit in [0.1, -0.1, 1e-300, -3e200, 7.0, f64::MAX, 5e-324] {
            assert_eq!(largest(|x| x <= limit), Some(limit));
            assert_eq!(largest(|x| x < limit), Some(limit.next_down()));
        }
        assert_eq!(largest(|x| x < 0.0), Some(-5e-324));
        assert_eq!(largest(|x| x <= 0.0), Some(0.0));
        assert_eq!(largest(|_| false), None);
        assert_eq!(largest(|_| true), Some(f64::MAX));
    }

    #[test]
    fn a_32_bit_comparison_has_its_64_bit_edge_half_way_between_neighbours() {
        for threshold in [0.1_f32, 1.0, -2.5, 16_777_216.0, 1e-40] {
            let edge = largest(|x| (x as f32) < threshold).unwrap();
            assert!((edge as f32) < threshold && edge.next_up() as f32 >= threshold);
            let below = f64::from(threshold.next_down());
            let half = below + (f64::from(threshold) - below) / 2.0;
            // The half itself rounds to the neighbour whose last bit is 0.
            let expected = if (half as f32) < threshold { half } else { half.next_down() };
            assert_eq!(edge, expected);
        }
    }
}
