//! The German credit data, embedded so that everything can be tried without a file.

use super::{Dataset, Schema, Table};

/// The schema for advice, as its file has it.
pub(super) const GERMAN: &str = include_str!("german.toml");
/// The schema of the papers' experiments, as its file has it.
pub(super) const GERMAN_FREE: &str = include_str!("german-free.toml");

impl Schema {
    /// The schema of the embedded German credit data for advice: what an applicant can do about an application may change, and
    /// the rest stays.
    pub fn german() -> Self {
        Self::parse(GERMAN, "german.toml").expect("the embedded schema is sound")
    }

    /// The schema of the embedded German credit data as in the papers' experiments: everything may change but for age,
    /// marital status and sex, and foreign workers. Models of the one schema fit the other.
    pub fn german_free() -> Self {
        Self::parse(GERMAN_FREE, "german-free.toml").expect("the embedded schema is sound")
    }
}

impl Dataset {
    /// The embedded German credit data, with the schema for advice: 1,000 applications in UCI's order, 700 of them good.
    pub fn german() -> Self {
        german(&Schema::german())
    }

    /// The same with the schema of the papers' experiments.
    pub fn german_free() -> Self {
        german(&Schema::german_free())
    }
}

fn german(schema: &Schema) -> Dataset {
    Table::parse(include_str!("german.csv"), "german.csv")
        .and_then(|table| Dataset::from_table(&table, schema))
        .expect("the embedded table is sound")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Change, Value};

    #[test]
    fn has_a_thousand_rows_and_seven_hundred_good() {
        let data = Dataset::german();
        assert_eq!(data.len(), 1000);
        assert_eq!(data.favourable.iter().filter(|&&good| good).count(), 700);
        assert_eq!(data.schema.features.len(), 20);
        assert_eq!(data.schema.features.iter().filter(|feature| feature.is_numeric()).count(), 7);
    }

    #[test]
    fn protected_attributes_are_fixed() {
        let protected = ["age", "personal_status_sex", "foreign_worker"];
        assert_eq!(fixed(&Schema::german_free()), protected);
        let fixed = fixed(&Schema::german());
        assert!(protected.iter().all(|name| fixed.contains(&(*name).to_owned())));
    }

    fn fixed(schema: &Schema) -> Vec<String> {
        let fixed = schema.features.iter().filter(|feature| feature.change == Change::Immutable);
        fixed.map(|feature| feature.name.clone()).collect()
    }

    /// Both have the same columns, so a model that was trained with one can be used with the other.
    #[test]
    fn schemas_differ_in_what_may_change_alone() {
        let (advice, free) = (Schema::german(), Schema::german_free());
        assert_eq!(advice.fingerprint(), free.fingerprint());
        for (ours, theirs) in advice.features.iter().zip(free.features) {
            let mut ours = ours.clone();
            (ours.change, ours.moves) = (theirs.change, Vec::new());
            assert_eq!(ours, theirs);
        }
    }

    #[test]
    fn advice_goes_the_way_that_a_lender_would_call_better() {
        let schema = Schema::german();
        let fixed = fixed(&schema);
        for past in ["credit_history", "purpose", "employment_since", "installment_rate", "housing"]
        {
            assert!(fixed.contains(&past.to_owned()), "{past}");
        }
        assert_eq!(schema.features[1].change, Change::Decrease);
        let moves = |name: &str| -> Vec<String> {
            let feature = &schema.features[schema.feature_index(name).unwrap()];
            let levels = || (0..feature.levels().len()).map(Value::Level);
            let pairs = levels().flat_map(|from| levels().map(move |to| (from, to)));
            let allowed =
                pairs.filter(|(from, to)| from != to && feature.broken(*from, *to).is_empty());
            let text =
                |(from, to)| format!("{} -> {}", feature.describe(from), feature.describe(to));
            allowed.map(text).collect()
        };
        assert_eq!(
            moves("checking_account"),
            [
                "0 to 200 DM -> >= 200 DM or salary paid in",
                "< 0 DM -> 0 to 200 DM",
                "< 0 DM -> >= 200 DM or salary paid in",
            ]
        );
        assert_eq!(moves("other_debtors"), ["none -> co-applicant", "none -> guarantor"]);
        assert_eq!(moves("other_installment_plans"), ["bank -> none", "stores -> none"]);
        assert_eq!(moves("telephone"), ["none -> registered"]);
        let savings = moves("savings");
        assert_eq!(savings.len(), 6);
        assert!(savings.iter().all(|step| !step.contains("unknown")), "{savings:?}");
        assert!(savings.contains(&"< 100 DM -> >= 1000 DM".to_owned()), "{savings:?}");
    }

    #[test]
    fn every_cell_is_shown_as_the_table_wrote_it() {
        let table = Table::parse(include_str!("german.csv"), "german.csv").unwrap();
        let again = Dataset::german().to_table();
        for (column, name) in again.header.iter().enumerate() {
            let original = table.column(name).unwrap();
            for (row, cells) in again.rows.iter().enumerate() {
                assert_eq!(cells[column], table.rows[row][original], "row {}, {name}", row + 1);
            }
        }
    }
}
