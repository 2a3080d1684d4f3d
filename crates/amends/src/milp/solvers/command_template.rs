//! The command line of a solver, with placeholders for what changes from run to run.

use crate::{InputError, Result};

/// A command line, split as a shell would split it, with placeholders to fill in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct CommandTemplate {
    program: String,
    arguments: Vec<String>,
}

/// The placeholders.
pub(super) const PLACEHOLDERS: [&str; 5] =
    ["{model}", "{solution}", "{time_limit}", "{threads}", "{gap}"];

impl CommandTemplate {
    pub(super) fn parse(text: &str) -> Result<Self> {
        let fault = |problem: &str, remedy: &str| -> crate::Error {
            InputError::new(problem).at("solver command").value(text).remedy(remedy).into()
        };
        let mut words = split(text)
            .ok_or_else(|| fault("has a quote that is never closed", "close it"))?
            .into_iter();
        let program = words
            .next()
            .filter(|program| !program.is_empty())
            .ok_or_else(|| fault("names no program", EXAMPLE))?;
        let arguments: Vec<String> = words.collect();
        for placeholder in &PLACEHOLDERS[..2] {
            if !has(&arguments, placeholder) {
                return Err(fault(&format!("has no {placeholder}"), EXAMPLE));
            }
        }
        Ok(Self { program, arguments })
    }

    /// Whether one of the [`PLACEHOLDERS`] is in it.
    pub(super) fn has(&self, placeholder: &str) -> bool {
        has(&self.arguments, placeholder)
    }

    /// The program, as it was written.
    pub(super) fn program(&self) -> &str {
        &self.program
    }

    /// The arguments with every placeholder filled in, in the order of [`PLACEHOLDERS`].
    pub(super) fn fill(&self, values: &[String; PLACEHOLDERS.len()]) -> Vec<String> {
        self.arguments
            .iter()
            .map(|argument| {
                PLACEHOLDERS
                    .iter()
                    .zip(values)
                    .fold(argument.clone(), |filled, (placeholder, value)| {
                        filled.replace(placeholder, value)
                    })
            })
            .collect()
    }
}

fn has(arguments: &[String], placeholder: &str) -> bool {
    arguments.iter().any(|argument| argument.contains(placeholder))
}

const EXAMPLE: &str = "write it like `cbc {model} solve solution {solution}`";

/// Words as a POSIX shell splits them; `None` where a quote stays open. On Windows a backslash is part of paths.
fn split(text: &str) -> Option<Vec<String>> {
    if cfg!(windows) { shlex::split(&text.replace('\\', "\\\\")) } else { shlex::split(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_keep_spaces_and_empty_words() {
        let words = split(r#"scip -c "read {model} opt" 'a b' c\ d '' "say \"hi\"""#).unwrap();
        assert_eq!(words, ["scip", "-c", "read {model} opt", "a b", "c d", "", "say \"hi\""]);
    }

    #[test]
    fn places_are_filled_inside_arguments_too() {
        let template = CommandTemplate::parse("s --file={model} {solution} {gap}{gap}").unwrap();
        let filled = template.fill(&["m", "s", "t", "n", "g"].map(str::to_owned));
        assert_eq!(filled, ["--file=m", "s", "gg"]);
    }

    #[test]
    fn unusable_commands_say_what_is_missing() {
        for (text, part) in [
            ("", "names no program"),
            ("cbc {model}", "has no {solution}"),
            ("cbc {solution}", "has no {model}"),
            ("cbc '{model} {solution}", "quote"),
        ] {
            let message = CommandTemplate::parse(text).unwrap_err().to_string();
            assert!(message.contains(part), "{message}");
        }
    }
}
