//! The least change of a number that is worth advising.

/// Changes below this share of the standard deviation hardly matter.
const SHARE: f64 = 0.01;

/// A few very large numbers make the standard deviation large. So the least change is at most this share of the range in which
/// nine rows in ten lie.
const SHARE_OF_MOST_ROWS: f64 = 0.05;

/// Digits that round numbers begin with, in tenths.
const ROUND: [i32; 9] = [10, 15, 20, 25, 30, 40, 50, 60, 80];

/// The least change of a column, and what it was taken from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct LeastChange {
    pub size: f64,
    pub reason: &'static str,
}

/// A round number below which changes hardly matter; none where the `smallest` possible change is not below it. `numbers` are the
/// different numbers in rising order, each with its rows.
pub(super) fn find(numbers: &[(f64, usize)], whole: bool, smallest: f64) -> Option<LeastChange> {
    let rows: usize = numbers.iter().map(|(_, rows)| rows).sum();
    let most_rows = quantile(numbers, rows, 0.95)? - quantile(numbers, rows, 0.05)?;
    let (wanted, most) = (SHARE * deviation(numbers, rows), SHARE_OF_MOST_ROWS * most_rows);
    // NaN and infinities, where numbers overflow, are neither.
    if !(wanted > smallest && most > smallest && wanted.is_finite() && most.is_finite()) {
        return None;
    }
    let up = rounds(wanted).find(|&round| round >= wanted)?;
    let up = if whole { up.ceil() } else { up };
    if up <= most {
        return Some(LeastChange { size: up, reason: "about 1 % of the standard deviation" });
    }
    let down = rounds(most).filter(|&round| round <= most && (!whole || round.fract() == 0.0));
    let size = down.last().filter(|&size| size > smallest)?;
    Some(LeastChange { size, reason: "at most 5 % of the range in which nine rows in ten lie" })
}

fn deviation(numbers: &[(f64, usize)], rows: usize) -> f64 {
    let mean = |value: &dyn Fn(f64) -> f64| {
        let sum: f64 = numbers.iter().map(|&(number, rows)| value(number) * rows as f64).sum();
        sum / rows as f64
    };
    let centre = mean(&|number| number);
    mean(&|number| (number - centre).powi(2)).sqrt()
}

/// The number up to which this share of the rows lies.
fn quantile(numbers: &[(f64, usize)], rows: usize, share: f64) -> Option<f64> {
    let wanted = share * rows as f64;
    let mut before = 0;
    let found = numbers.iter().find(|(_, rows)| {
        before += rows;
        before as f64 >= wanted
    });
    found.map(|&(number, _)| number)
}

/// Round numbers from a tenth of a positive one to ten times of it, rising. Read from their digits, so that 0.3 is what people write.
fn rounds(size: f64) -> impl Iterator<Item = f64> {
    let power = size.log10().floor() as i32;
    [power - 2, power - 1, power]
        .into_iter()
        .flat_map(|tenths| ROUND.map(|digits| format!("{digits}e{tenths}").parse::<f64>()))
        .flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_rounded_up() {
        for (size, round) in [
            (160.0, 200.0),
            (200.0, 200.0),
            (200.1, 250.0),
            (0.11, 0.15),
            (0.28, 0.3),
            (0.999, 1.0),
            (81.0, 100.0),
            (1e-9, 1e-9),
            (7.2e12, 8e12),
        ] {
            assert_eq!(rounds(size).find(|&round| round >= size), Some(round), "{size}");
        }
    }

    fn size(numbers: &[(f64, usize)], whole: bool, smallest: f64) -> Option<f64> {
        find(numbers, whole, smallest).map(|least| least.size)
    }

    #[test]
    fn it_is_one_hundredth_of_the_deviation() {
        // 0, 1, ..., 9999 has a standard deviation of 2886.75.
        let even: Vec<(f64, usize)> = (0..10_000).map(|n| (f64::from(n), 1)).collect();
        assert_eq!(size(&even, true, 1.0), Some(30.0));
        assert_eq!(size(&even, true, 30.0), None, "steps are as large already");
        let small: Vec<(f64, usize)> = (0..200).map(|n| (f64::from(n) / 10.0, 5)).collect();
        // 5.77.
        assert_eq!(size(&small, false, 0.1), None);
        assert_eq!(size(&small, false, 0.01), Some(0.06));
        // Whole numbers change by whole numbers: 1.45 is 1.5, which only 2 reaches.
        let whole: Vec<(f64, usize)> = (0..502).map(|n| (f64::from(n), 1)).collect();
        assert_eq!(size(&whole, true, 1.0), Some(2.0));
    }

    #[test]
    fn a_few_very_large_numbers_do_not_forbid_what_most_people_can_do() {
        let mut tailed: Vec<(f64, usize)> = (0..1000).map(|n| (f64::from(n), 1)).collect();
        tailed.push((1e12, 1));
        // A twentieth of 900 is 45, which a round number must not exceed; a hundredth of the deviation is 3e8.
        let least = find(&tailed, true, 1.0).unwrap();
        assert_eq!((least.size, least.reason.contains("nine rows in ten")), (40.0, true));
        // A twentieth of 36 is 1.8: the next whole number would be beyond it.
        let mut narrow: Vec<(f64, usize)> = (0..40).map(|n| (f64::from(n), 25)).collect();
        narrow.push((1e9, 1));
        assert_eq!(size(&narrow, true, 1.0), None);
        assert_eq!(size(&narrow, false, 0.1), Some(1.5));
        // Nine rows in ten are the same: nothing can be said.
        assert_eq!(size(&[(0.0, 950), (1e6, 30), (2e6, 20)], true, 1.0), None);
        assert_eq!(size(&[], true, 1.0), None);
        assert_eq!(size(&[(5.0, 3)], true, 1.0), None);
        assert_eq!(size(&[(-1e308, 50), (1e308, 50)], true, 1.0), None);
    }
}
