//! Choices with names: one table per enum serves the command line, results and messages.

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
