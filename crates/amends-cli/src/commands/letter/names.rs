//! The names of letters' files.

use std::collections::HashMap;

use amends::provenance::sha256;
use amends::{InputError, Result};

/// The name of a letter's file, without its ending: by the applicant's key where there is one, else by the row.
pub fn file_name(row: usize, key: Option<&str>) -> String {
    key.map_or_else(|| format!("letter-{row}"), |key| format!("letter-{}", in_file_names(key)))
}

/// Bytes of a key in a file's name: names may have 255 on most systems.
const LONGEST: usize = 180;

/// A text with only such letters as file names may have everywhere.
fn in_file_names(key: &str) -> String {
    let allowed = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_' | '.');
    let name: String =
        key.trim().chars().map(|letter| if allowed(letter) { letter } else { '_' }).collect();
    if name.len() <= LONGEST {
        return name;
    }
    // Two long keys with the same beginning still have files of their own.
    let end = (0..=LONGEST).rev().find(|&end| name.is_char_boundary(end)).unwrap_or_default();
    format!("{}-{}", &name[..end], &sha256(key.trim())[..12])
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
    fn long_keys_are_shortened_and_stay_different() {
        let (one, other) = (format!("{}1", "ü".repeat(300)), format!("{}2", "ü".repeat(300)));
        let names = [&one, &other].map(|key| file_name(1, Some(key)));
        assert!(names.iter().all(|name| name.len() < 220), "{names:?}");
        assert_ne!(names[0], names[1]);
        let mut keys = Keys::default();
        assert!(keys.add(1, "id", &one).is_ok() && keys.add(2, "id", &other).is_ok());
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
