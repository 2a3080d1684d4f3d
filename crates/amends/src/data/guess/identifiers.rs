//! Columns that identify people or rows, and columns that distinguish nobody.

use super::cells::Cells;
use super::dates;
use super::names::{Words, identifier, is_measure};
use super::numbers::Conventions;
use super::signs::take_apart;

/// More different texts than this are too many levels to list or choose from.
pub(super) const MOST_LEVELS: usize = 100;

/// Why a column identifies rows or people, if it does.
pub(super) fn reason(name: &Words, cells: &Cells) -> Option<String> {
    let texts = cells.texts();
    let share = |fits: fn(&str) -> bool| {
        let fitting: Vec<&str> = texts.iter().copied().filter(|text| fits(text)).collect();
        10 * cells.rows_with(&fitting) >= 9 * cells.present
    };
    if share(is_email) {
        return Some("its cells are e-mail addresses".into());
    }
    if share(is_uuid) {
        return Some("its cells are UUIDs, which identify rows".into());
    }
    if share(is_iban) {
        return Some("its cells are account numbers (IBAN)".into());
    }
    if cells.counts_rows && cells.missing_cells() == 0 && cells.all_different() {
        return Some("it counts the rows".into());
    }
    if !cells.all_different() {
        return None;
    }
    let digits = |text: &&str| text.bytes().all(|byte| byte.is_ascii_digit());
    let length = texts.first().map_or(0, |text| text.len());
    // Amounts differ in their number of digits.
    let same_length = texts.iter().all(|text| digits(text) && text.len() == length);
    let amount = |text: &&str| take_apart(text).is_some();
    let uniform = same_length || !texts.iter().any(amount);
    if let Some(word) = identifier(name, uniform) {
        return Some(format!(
            "it looks like an identifier: every row has its own, and its name says `{word}`"
        ));
    }
    // Amounts in currencies of small units have as many digits.
    let dates = || length == 8 && dates::read(cells, Conventions::default()).is_some();
    (same_length && length >= 8 && !is_measure(name) && !dates()).then(|| {
        format!("it looks like an identifier: every row has its own number of {length} digits")
    })
}

/// Why a column does not distinguish applicants, if it does not.
pub(super) fn constant(cells: &Cells) -> Option<String> {
    /// Rows that may lie outside every sample for training.
    const FEW: usize = 3;
    let (text, rows) = cells.counts.iter().max_by_key(|(_, rows)| **rows)?;
    let all = cells.present + cells.missing_cells();
    match all - rows {
        0 => Some(format!("every row says `{text}`, which does not distinguish applicants")),
        others if others <= FEW && all >= 100 => Some(format!(
            "all but {others} of {all} rows say `{text}`, which is too few to learn from"
        )),
        _ => None,
    }
}

/// Why texts are not levels, if they are not.
pub(super) fn free_text(cells: &Cells) -> Option<String> {
    let different = cells.counts.len();
    let mostly = different > 30 && 2 * different > cells.present;
    (different > 2 && (different > MOST_LEVELS || mostly || cells.all_different())).then(|| {
        format!(
            "{different} different texts in {} rows look like names or free text, not like levels",
            cells.present
        )
    })
}

fn is_email(text: &str) -> bool {
    text.split_once('@').is_some_and(|(name, host)| {
        !name.is_empty() && host.contains('.') && !text.contains(char::is_whitespace)
    })
}

fn is_uuid(text: &str) -> bool {
    let groups: Vec<&str> = text.trim_matches(['{', '}']).split('-').collect();
    let lengths: Vec<usize> = groups.iter().map(|group| group.len()).collect();
    lengths == [8, 4, 4, 4, 12]
        && groups.iter().all(|group| group.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

fn is_iban(text: &str) -> bool {
    let plain: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    (15..=34).contains(&plain.len())
        && plain.bytes().take(2).all(|byte| byte.is_ascii_uppercase())
        && plain.bytes().skip(2).take(2).all(|byte| byte.is_ascii_digit())
        && plain.bytes().all(|byte| byte.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason_of(name: &str, cell: impl Fn(usize) -> String) -> Option<String> {
        let cells: Vec<String> = (0..30).map(cell).collect();
        reason(&Words::of(name), &Cells::of(cells.iter().map(String::as_str)))
    }

    #[test]
    fn identifiers_are_found_by_cells_and_names() {
        assert!(reason_of("loan_id", |row| (1000 + 7 * row).to_string()).is_some());
        assert!(reason_of("x", |row| (5 + row).to_string()).is_some_and(|r| r.contains("counts")));
        assert!(
            reason_of("x", |row| format!("{:08x}-1234-4abc-8def-00000000000{}", row, row % 10))
                .is_some()
        );
        assert!(reason_of("contact", |row| format!("a{}@example.org", row % 9)).is_some());
        assert!(reason_of("konto", |row| format!("DE{:020}", row % 9)).is_some());
        assert!(reason_of("x", |row| (10_000_000 + 7919 * row).to_string()).is_some());
        for name in ["loan_amount_idr", "income_yen"] {
            assert!(reason_of(name, |row| (10_000_000 + 791_900 * row).to_string()).is_none());
        }
        assert!(reason_of("amount", |row| (1000 + 7 * row).to_string()).is_none());
        assert!(reason_of("amount", |row| (900_000 + 70_000 * row * row).to_string()).is_none());
        assert!(reason_of("account", |row| (row % 5).to_string()).is_none());
        assert!(reason_of("account_balance", |row| (70 * row * row).to_string()).is_none());
        assert!(reason_of("number_of_payments", |row| (7 * row).to_string()).is_none());
        assert!(reason_of("account", |row| (1000 + 7 * row).to_string()).is_some());
        assert!(reason_of("contract_no", |row| (7 * row).to_string()).is_some());
        assert!(reason_of("Kunde", |row| (7 * row).to_string()).is_some());
        assert!(reason_of("client_income", |row| (7 * row).to_string()).is_none());
    }

    #[test]
    fn columns_that_say_nothing_are_found() {
        let constant_of = |rare: usize| {
            let cells = (0..200).map(|row| if row < rare { "b" } else { "a" });
            constant(&Cells::of(cells))
        };
        assert!(constant_of(0).is_some_and(|reason| reason.starts_with("every row says `a`")));
        assert!(constant_of(2).is_some_and(|reason| reason.starts_with("all but 2 of 200 rows")));
        assert!(constant_of(10).is_none());
    }
}
