//! The names of letters' files.

use std::collections::HashMap;

use amends::{InputError, Result};

/// The name of a letter's file, without its ending: by the applicant's key where there is one, else by the row.
pub fn file_name(row: usize, key: Option<&str>) -> String {
    key.map_or_else(|| format!("letter-{row}"), |key| format!("letter-{}", in_file_names(key)))
}

/// A text with only such letters as file names may have everywhere.
fn in_file_names(key: &str) -> String {
    let allowed = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_' | '.');
    key.trim().chars().map(|letter| if allowed(letter) { letter } else { '_' }).collect()
}

/// The keys of all applicants, each once.
#[derive(Debug, Default)]
pub struct Keys(HashMap<String, usize>);

impl Keys {
    /// Refuses a key that is empty, or whose file would be another applicant's. Some systems don't distinguish capital letters.
    pub fn add(&mut self, row: usize, column: &str, key: &str) -> Result<()> {
        let wrong = |problem: String| {
            Err(InputError::new(problem)
                .row(row)
                .column(column)
                .value(key)
                .remedy("give every applicant a key of their own, or leave out --key")
                .into())
        };
        if key.trim().is_empty() {
            return wrong("is empty".to_owned());
        }
        match self.0.insert(in_file_names(key).to_lowercase(), row) {
            Some(other) => wrong(format!("names the same file as the key of row {other}")),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_become_names_of_files() {
        assert_eq!(file_name(7, None), "letter-7");
        assert_eq!(file_name(7, Some(" 2026/11 Müller ")), "letter-2026_11_Müller");
        assert_eq!(file_name(7, Some("../../etc/passwd")), "letter-.._.._etc_passwd");
    }

    #[test]
    fn no_two_letters_have_the_same_file() {
        let mut keys = Keys::default();
        assert!(keys.add(1, "id", "A/1").is_ok() && keys.add(2, "id", "A-1").is_ok());
        let refused = keys.add(3, "id", "a_1").unwrap_err().to_string();
        assert!(
            refused.contains("row 3, column `id`: `a_1` names the same file as the key of row 1")
        );
        assert!(keys.add(4, "id", " ").unwrap_err().to_string().contains("is empty; give every"));
    }
}
