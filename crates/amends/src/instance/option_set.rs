//! Sets of options as intervals, so that a set takes no room for its length.

use serde::{Deserialize, Serialize};

/// Options of one feature, as intervals in rising order that do not touch.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(try_from = "Vec<Entry>", into = "Vec<Entry>")]
pub struct OptionSet {
    intervals: Vec<(usize, usize)>,
}

/// An option, or the first and the last of an interval.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Entry {
    One(usize),
    Interval([usize; 2]),
}

impl TryFrom<Vec<Entry>> for OptionSet {
    type Error = String;

    fn try_from(entries: Vec<Entry>) -> Result<Self, String> {
        let mut intervals: Vec<(usize, usize)> = Vec::with_capacity(entries.len());
        for entry in entries {
            let (first, last) = match entry {
                Entry::One(option) => (option, option),
                Entry::Interval([first, last]) => (first, last),
            };
            if last < first || intervals.last().is_some_and(|before| first <= before.1) {
                return Err("lists options out of order or twice; list each option once, in \
                            ascending order"
                    .to_owned());
            }
            intervals.push((first, last));
        }
        Ok(intervals.into_iter().collect())
    }
}

impl From<OptionSet> for Vec<Entry> {
    fn from(set: OptionSet) -> Self {
        let entry = |(first, last)| {
            if first == last { Entry::One(first) } else { Entry::Interval([first, last]) }
        };
        set.intervals.into_iter().map(entry).collect()
    }
}

impl FromIterator<(usize, usize)> for OptionSet {
    /// The union of intervals, given as their first and last options, in any order.
    fn from_iter<I: IntoIterator<Item = (usize, usize)>>(intervals: I) -> Self {
        let mut sorted: Vec<(usize, usize)> = intervals.into_iter().collect();
        sorted.sort_unstable();
        let mut intervals: Vec<(usize, usize)> = Vec::with_capacity(sorted.len());
        for (first, last) in sorted {
            match intervals.last_mut() {
                Some(before) if first <= before.1 + 1 => before.1 = before.1.max(last),
                _ => intervals.push((first, last)),
            }
        }
        Self { intervals }
    }
}

impl FromIterator<usize> for OptionSet {
    fn from_iter<I: IntoIterator<Item = usize>>(options: I) -> Self {
        options.into_iter().map(|option| (option, option)).collect()
    }
}

impl OptionSet {
    /// The intervals: first and last option of each.
    pub fn intervals(&self) -> &[(usize, usize)] {
        &self.intervals
    }

    /// Whether nothing is in it.
    pub fn is_empty(&self) -> bool {
        self.intervals.is_empty()
    }

    /// How many options are in it.
    pub fn len(&self) -> usize {
        self.intervals.iter().map(|(first, last)| last - first + 1).sum()
    }

    /// Whether an option is in it.
    pub fn contains(&self, option: usize) -> bool {
        let after = self.intervals.partition_point(|&(first, _)| first <= option);
        after > 0 && option <= self.intervals[after - 1].1
    }

    /// What is in either.
    #[must_use]
    pub(crate) fn union(&self, other: &Self) -> Self {
        self.intervals.iter().chain(&other.intervals).copied().collect()
    }

    /// The options of a feature, of which there are `count`, that are not in it.
    #[must_use]
    pub(crate) fn complement(&self, count: usize) -> Self {
        let mut intervals = Vec::with_capacity(self.intervals.len() + 1);
        let mut next = 0;
        for &(first, last) in &self.intervals {
            if next < first {
                intervals.push((next, first - 1));
            }
            next = last + 1;
        }
        if next < count {
            intervals.push((next, count - 1));
        }
        Self { intervals }
    }

    /// What is in both.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        let mut intervals = Vec::new();
        let (mut a, mut b) = (0, 0);
        while let (Some(own), Some(theirs)) = (self.intervals.get(a), other.intervals.get(b)) {
            let (first, last) = (own.0.max(theirs.0), own.1.min(theirs.1));
            if first <= last {
                intervals.push((first, last));
            }
            if own.1 < theirs.1 { a += 1 } else { b += 1 }
        }
        Self { intervals }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_behave_like_sets() {
        let numbers = |bits: u32| (0..10).filter(|n| bits >> n & 1 == 1).collect::<Vec<usize>>();
        for a in (0..1024).step_by(7) {
            let set: OptionSet = numbers(a).into_iter().collect();
            assert_eq!((0..10).filter(|&n| set.contains(n)).collect::<Vec<_>>(), numbers(a));
            assert_eq!(set.len(), numbers(a).len());
            let other: OptionSet = numbers(!a & 1023).into_iter().collect();
            assert_eq!(set.complement(10), other);
            for b in (0..1024).step_by(11) {
                let other: OptionSet = numbers(b).into_iter().collect();
                assert_eq!(set.union(&other), numbers(a | b).into_iter().collect());
                assert_eq!(set.intersection(&other), numbers(a & b).into_iter().collect());
            }
        }
    }

    #[test]
    fn files_hold_options_and_intervals() {
        let set: OptionSet = serde_json::from_str("[0, [3, 7], 9]").unwrap();
        assert_eq!(set.intervals(), [(0, 0), (3, 7), (9, 9)]);
        assert_eq!(serde_json::to_string(&set).unwrap(), "[0,[3,7],9]");
        assert!(serde_json::from_str::<OptionSet>("[3, 3]").is_err());
        assert!(serde_json::from_str::<OptionSet>("[[3, 2]]").is_err());
    }
}
