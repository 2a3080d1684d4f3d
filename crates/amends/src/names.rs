//! Choices with names: one table per enum serves the command line, results and messages. And names that were mistyped.

use strsim::osa_distance;

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

/// The known name that a mistyped one is closest to, if one is close enough to be meant: by how many letters must be inserted,
/// deleted, replaced or swapped with their neighbour.
pub fn nearest<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let typed = name.to_lowercase();
    let allowed = (typed.chars().count() / 3).max(1);
    // A text that is longer or shorter by more is not compared: texts may be long.
    let near = |other: &&str| other.chars().count().abs_diff(typed.chars().count()) <= allowed;
    known
        .filter(near)
        .map(|other| (osa_distance(&typed, &other.to_lowercase()), other))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, other)| other)
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
    }
}
