//! Protected attributes among principal reasons: for the lender on standard error, never in a letter.

use std::collections::BTreeMap;

use amends::data::Schema;
use amends::reasons::Reasons;

/// More rows than this are only counted.
const SHOWN: usize = 20;

/// The features that stand for protected attributes among the reasons of one rejection, by name.
pub fn among(reasons: &Reasons, schema: &Schema) -> Vec<String> {
    let features = reasons.reasons.iter().map(|reason| &schema.features[reason.feature]);
    let protected = features.filter(|feature| feature.protected_attribute().is_some());
    protected.map(|feature| feature.name.clone()).collect()
}

/// The rows in which each such feature is a reason.
#[derive(Default)]
pub struct ProtectedReasons(BTreeMap<String, Vec<usize>>);

impl ProtectedReasons {
    pub fn add(&mut self, row: usize, features: &[String]) {
        for feature in features {
            self.0.entry(feature.clone()).or_default().push(row);
        }
    }

    /// A note per feature, and what to do about them.
    pub fn notes(&self) -> Vec<String> {
        let mut notes: Vec<String> = self
            .0
            .iter()
            .map(|(feature, rows)| {
                format!(
                    "note: `{feature}`, a protected attribute, is a principal reason in {}",
                    listed(rows)
                )
            })
            .collect();
        if !notes.is_empty() {
            notes.push(
                "note: the letters state these reasons, because they are why the model rejected; have counsel look at them before you \
                 send one, and consider a model without such columns"
                    .to_owned(),
            );
        }
        notes
    }
}

/// Rows in words, of which only the first are named.
pub fn listed(rows: &[usize]) -> String {
    let mut rows = rows.to_vec();
    rows.sort_unstable();
    if let &[row] = rows.as_slice() {
        return format!("row {row}");
    }
    let shown: Vec<String> = rows.iter().take(SHOWN).map(usize::to_string).collect();
    let more = rows.len().saturating_sub(SHOWN);
    match shown.split_last() {
        Some((last, first)) if more == 0 => format!("rows {} and {last}", first.join(", ")),
        _ => format!("rows {} and {more} more", shown.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_named_in_order_and_long_lists_are_cut() {
        assert_eq!(listed(&[7]), "row 7");
        assert_eq!(listed(&[9, 3]), "rows 3 and 9");
        assert_eq!(listed(&[9, 3, 5]), "rows 3, 5 and 9");
        let many: Vec<usize> = (1..=25).collect();
        assert!(listed(&many).ends_with("19, 20 and 5 more"), "{}", listed(&many));
    }

    #[test]
    fn without_protected_reasons_nothing_is_said() {
        let mut reasons = ProtectedReasons::default();
        reasons.add(1, &[]);
        assert!(reasons.notes().is_empty());
        reasons.add(2, &["age".to_owned()]);
        assert_eq!(reasons.notes().len(), 2);
        assert_eq!(
            reasons.notes()[0],
            "note: `age`, a protected attribute, is a principal reason in row 2"
        );
    }
}
