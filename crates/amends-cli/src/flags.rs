//! How the settings of the library's errors are called on the command line.

use amends::{Error, InputError, Setting};

/// The flag of a setting; the schema has the kinds of features.
const fn flag(setting: Setting) -> Option<&'static str> {
    Some(match setting {
        Setting::ClassOne => "--class-one",
        Setting::CodesAs => "--codes-as missing",
        Setting::Cutoff => "--cutoff",
        Setting::Engine => "--engine search",
        Setting::FavourableOutcome => "--favourable",
        Setting::Formulation => "--formulation compact",
        Setting::GroupBy => "--by",
        Setting::MarginStep => "--margin-step",
        Setting::MaxChanges => "--max-changes",
        Setting::MaxReasons => "--max-reasons",
        Setting::Neighbours => "--k",
        Setting::OptionLimit => "--options N",
        Setting::ReasonGroup => "--reason-group",
        Setting::Seed => "--seed",
        Setting::SolverCommand => "--solver-command",
        Setting::SpecialCodes => "--heloc-codes",
        Setting::TestShare => "--test-share",
        Setting::Threads => "--threads",
        _ => return None,
    })
}

/// The message of an error, with the flags of the settings it is about.
pub fn message(error: &Error) -> String {
    error.message(flag)
}

/// The message of a problem with an input, with the flags of the settings it is about.
pub fn input_message(error: &InputError) -> String {
    error.message(flag)
}

/// The message of whatever ended a command.
pub fn any_message(error: &anyhow::Error) -> String {
    match (error.downcast_ref::<Error>(), error.downcast_ref::<InputError>()) {
        (Some(error), _) => message(error),
        (None, Some(error)) => input_message(error),
        (None, None) => error.to_string(),
    }
}
