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
                    $crate::InputError::new(concat!("is no ", $what))
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
pub(crate) fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let typed = name.to_lowercase();
    let allowed = (typed.chars().count() / 3).max(1);
    known
        .map(|other| (edits(&typed, &other.to_lowercase()), other))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, other)| other)
}

/// The Levenshtein distance: how many letters must be inserted, deleted or replaced.
fn edits(from: &str, to: &str) -> usize {
    let to: Vec<char> = to.chars().collect();
    let mut row: Vec<usize> = (0..=to.len()).collect();
    for (done, letter) in from.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], done + 1);
        for (place, other) in to.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != *other);
            diagonal = row[place + 1];
            row[place + 1] = replaced.min(diagonal + 1).min(row[place] + 1);
        }
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
            ("aeg", None),
            ("ages", Some("age")),
            ("income", None),
            ("", None),
        ] {
            assert_eq!(nearest(typed, names.into_iter()), meant, "{typed}");
        }
        assert_eq!((edits("kitten", "sitting"), edits("", "ab"), edits("ab", "ab")), (3, 2, 0));
    }
}
