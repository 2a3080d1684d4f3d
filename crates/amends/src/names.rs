//! Choices with names: one table per enum serves the command line, results and messages. And names that were mistyped.

/// Gives an enum without data `ALL`, `name()` and `FromStr`, and an error that lists the names.
macro_rules! named {
    ($kind:ident, $what:literal, { $($variant:ident => $name:literal),+ $(,)? }) => {
        impl $kind {
            /// All of them, in the order in which they are listed for people.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The name in files, on the command line and in results.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name),+
                }
            }
        }

        impl std::str::FromStr for $kind {
            type Err = $crate::Error;

            fn from_str(name: &str) -> $crate::Result<Self> {
                Self::ALL.iter().copied().find(|choice| choice.name() == name).ok_or_else(|| {
                    let names: Vec<&str> = Self::ALL.iter().map(|choice| choice.name()).collect();
                    $crate::InputError::new(concat!("is not a known ", $what))
                        .value(name)
                        .remedy(format!("use one of: {}", names.join(", ")))
                        .into()
                })
            }
        }
    };
}

pub(crate) use named;

/// The known name that a mistyped one is closest to, if one is close enough to be meant.
pub fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let typed = name.to_lowercase();
    let allowed = (typed.chars().count() / 3).max(1);
    // A text that is longer or shorter by more is not compared: texts may be long.
    let near = |other: &&str| other.chars().count().abs_diff(typed.chars().count()) <= allowed;
    known
        .filter(near)
        .map(|other| (edits(&typed, &other.to_lowercase()), other))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, other)| other)
}

/// How many letters must be inserted, deleted, replaced or swapped with their neighbour (optimal string alignment).
fn edits(from: &str, to: &str) -> usize {
    let (from, to): (Vec<char>, Vec<char>) = (from.chars().collect(), to.chars().collect());
    let mut before: Vec<usize> = Vec::new();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for i in 1..=from.len() {
        let mut next = vec![i];
        for j in 1..=to.len() {
            let replaced = row[j - 1] + usize::from(from[i - 1] != to[j - 1]);
            let mut least = replaced.min(row[j] + 1).min(next[j - 1] + 1);
            if i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1] {
                least = least.min(before[j - 2] + 1);
            }
            next.push(least);
        }
        before = std::mem::replace(&mut row, next);
    }
    row[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mistyped_names_are_recognised() {
        let names = ["duration", "amount", "age"];
        for (typed, meant) in [
            ("Duration", Some("duration")),
            ("durration", Some("duration")),
            ("amuont", Some("amount")),
            ("aeg", Some("age")),
            ("ages", Some("age")),
            ("income", None),
            ("", None),
        ] {
            assert_eq!(nearest(typed, names.into_iter()), meant, "{typed}");
        }
        assert_eq!((edits("kitten", "sitting"), edits("", "ab"), edits("ab", "ab")), (3, 2, 0));
        assert_eq!((edits("lable", "label"), edits("ab", "ba"), edits("abc", "cab")), (1, 1, 2));
    }
}
