//! What the columns of a table mean, and how an applicant may change them.

mod check;
mod code;
mod entry;
mod file;
mod limits;
mod moves;
mod rules;
mod shape;
mod translation;
mod write;

use std::collections::BTreeMap;
use std::path::Path;

use super::guess::{Words, protected_of_a_person};
use super::{CellFormat, Rule};
use crate::{Error, Result};

pub(super) use check::Flaw;
pub use code::Code;
pub(crate) use file::CORRECT_FILE;
pub use limits::FeatureLimits;
pub use moves::LevelMoves;
pub use translation::Translation;
pub(super) use write::spelt;

/// What the columns of a table mean.
#[derive(Debug, Clone, PartialEq)]
pub struct Schema {
    /// The name of the data, for reports and model files.
    pub name: String,
    /// The column that the model learns to predict.
    pub target: Target,
    /// The columns that the model decides by, in the order of the encoding.
    pub features: Vec<Feature>,
    /// What must hold between features.
    pub rules: Vec<Rule>,
}

/// The column with the outcome.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// Its name in the table.
    pub column: String,
    /// What the applicant wants: approved, good, paid back.
    pub favourable: String,
    /// The other outcome.
    pub unfavourable: String,
}

/// One column that the model decides by.
#[derive(Debug, Clone, PartialEq)]
pub struct Feature {
    /// Its name in the table.
    pub name: String,
    /// Its name for people.
    pub label: Option<String>,
    /// What its numbers count: months, DM.
    pub unit: Option<String>,
    /// What values it takes.
    pub kind: Kind,
    /// How the table writes its numbers.
    pub format: CellFormat,
    /// How an applicant may change it.
    pub change: Change,
    /// New values of a numeric feature are multiples of this.
    pub step: Option<f64>,
    /// How far an applicant may change it.
    pub limits: FeatureLimits,
    /// Which level may follow which; any may follow any where the list is empty.
    pub moves: Vec<LevelMoves>,
    /// What a change of it costs, as a multiple of its plain distance; 1 unless said otherwise.
    pub effort: f64,
    /// The cells that are states beside the numbers or levels.
    pub codes: Vec<Code>,
    /// Its texts in other languages, by the code of the language: `de`.
    pub translations: BTreeMap<String, Translation>,
}

/// What values a feature takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kind {
    /// Whole numbers.
    Integer,
    /// Any numbers.
    Continuous,
    /// One of two levels, encoded as 0 and 1.
    Binary {
        /// The two levels; an increase goes from the first to the second.
        levels: [String; 2],
    },
    /// One of several levels without an order, encoded as one column per level.
    Categorical {
        /// The levels.
        levels: Vec<String>,
    },
    /// One of several levels in rising order, encoded as their rank.
    Ordinal {
        /// The levels, lowest first.
        levels: Vec<String>,
    },
}

/// How an applicant may change a feature.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Change {
    /// To any value.
    #[default]
    Free,
    /// Not at all.
    Immutable,
    /// Only upwards.
    Increase,
    /// Only downwards.
    Decrease,
}

impl Kind {
    /// The name in the schema file.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Integer => "integer",
            Self::Continuous => "continuous",
            Self::Binary { .. } => "binary",
            Self::Categorical { .. } => "categorical",
            Self::Ordinal { .. } => "ordinal",
        }
    }

    /// The levels; none of a numeric kind.
    pub fn levels(&self) -> &[String] {
        match self {
            Self::Integer | Self::Continuous => &[],
            Self::Binary { levels } => levels,
            Self::Categorical { levels } | Self::Ordinal { levels } => levels,
        }
    }
}

impl Change {
    /// The name in the schema file.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Free => "free",
            Self::Immutable => "immutable",
            Self::Increase => "increase",
            Self::Decrease => "decrease",
        }
    }

    /// Whether a feature may go from `old` to `new`, given as numbers or ranks.
    pub fn allows(self, old: f64, new: f64) -> bool {
        match self {
            Self::Free => true,
            Self::Immutable => new == old,
            Self::Increase => new >= old,
            Self::Decrease => new <= old,
        }
    }
}

impl Feature {
    /// A feature that may change freely, without label, unit, step, limits or codes.
    pub fn new(name: impl Into<String>, kind: Kind) -> Self {
        Self {
            name: name.into(),
            label: None,
            unit: None,
            kind,
            format: CellFormat::default(),
            change: Change::Free,
            step: None,
            limits: FeatureLimits::default(),
            moves: Vec::new(),
            effort: 1.0,
            codes: Vec::new(),
            translations: BTreeMap::new(),
        }
    }

    /// The levels; none for a numeric feature.
    pub fn levels(&self) -> &[String] {
        self.kind.levels()
    }

    /// Whether its values are numbers rather than levels.
    pub fn is_numeric(&self) -> bool {
        matches!(self.kind, Kind::Integer | Kind::Continuous)
    }

    /// Its name for people: the label where there is one.
    pub fn title(&self) -> &str {
        self.label.as_deref().unwrap_or(&self.name)
    }

    /// The word of its name or label that stands for a protected attribute: age, sex, marital status, nationality and the like, in
    /// English or German.
    ///
    /// ```
    /// let schema = amends::data::Schema::german();
    /// let words: Vec<_> = schema.features.iter().filter_map(|f| f.protected_attribute()).collect();
    /// assert_eq!(words, ["age", "sex", "foreign"]);
    /// ```
    pub fn protected_attribute(&self) -> Option<String> {
        let names = [Some(&self.name), self.label.as_ref()].into_iter().flatten();
        names
            .into_iter()
            .find_map(|name| protected_of_a_person(&Words::of(name)).map(str::to_owned))
    }
}

impl Schema {
    /// Reads a schema file.
    pub fn read(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        let text = std::fs::read_to_string(path).map_err(|source| Error::file(path, source))?;
        Self::parse(&text, &path.display().to_string())
    }

    /// Where a feature stands in the schema.
    pub fn feature_index(&self, name: &str) -> Option<usize> {
        self.features.iter().position(|feature| feature.name == name)
    }

    /// Sixteen hexadecimal digits that stand for everything a trained model depends on: the name, the target, the
    /// features with their kinds, levels and codes, what dates are counted in and from, and their order. Labels, units, number
    /// formats and rules may change without retraining.
    pub fn fingerprint(&self) -> String {
        let mut hash = Fnv1a::new();
        let Target { column, favourable, unfavourable } = &self.target;
        for text in [&self.name, column, favourable, unfavourable] {
            hash.add(text);
        }
        for feature in &self.features {
            hash.add(&feature.name);
            hash.add(feature.kind.name());
            hash.add(&feature.levels().len().to_string());
            for level in feature.levels() {
                hash.add(level);
            }
            // Nothing is added without codes, so that models of such schemas stay good.
            if !feature.codes.is_empty() {
                hash.add("codes");
                hash.add(&feature.codes.len().to_string());
            }
            for code in &feature.codes {
                hash.add(&code.text);
                for text in &code.others {
                    hash.add(text);
                }
            }
            // Numbers are the same however they are written, but dates become other numbers.
            if let CellFormat::Date(date) = &feature.format {
                hash.add(date.unit.name());
                hash.add(&date.reference);
            }
        }
        format!("{:016x}", hash.0)
    }
}

/// The FNV-1a hash: unlike the standard library's, it stays the same in every version and on every machine.
struct Fnv1a(u64);

impl Fnv1a {
    const fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, text: &str) {
        // The byte 0xff is in no UTF-8 text, so ("ab", "c") and ("a", "bc") differ.
        for byte in text.bytes().chain([0xff]) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprint_ignores_rules_and_sees_levels() {
        let schema = Schema::german();
        let print = schema.fingerprint();
        // Model files hold this text: it must never change for the same schema.
        assert_eq!(print, "e52b14a83ccced17");
        let mut relabelled = schema.clone();
        relabelled.features[0].label = Some("Term".into());
        relabelled.features[0].change = Change::Decrease;
        assert_eq!(relabelled.fingerprint(), print);

        let mut coded = schema.clone();
        coded.features[0].codes = vec![Code::new("-9", "no record")];
        let with_code = coded.fingerprint();
        assert_ne!(with_code, print);
        coded.features[0].codes[0].label = "nothing on file".into();
        coded.features[0].codes[0].leave = true;
        assert_eq!(coded.fingerprint(), with_code);
        coded.features[0].codes.push(Code::new("", "missing"));
        assert_ne!(coded.fingerprint(), with_code);

        let mut swapped = schema.clone();
        swapped.features.swap(0, 1);
        assert_ne!(swapped.fingerprint(), print);
        let mut renamed = schema;
        let Kind::Categorical { levels } = &mut renamed.features[7].kind else {
            panic!("checking_account has levels")
        };
        levels[0].push('!');
        assert_ne!(renamed.fingerprint(), print);
    }

    #[test]
    fn directions_allow_their_side_only() {
        assert!(Change::Increase.allows(1.0, 2.0) && !Change::Increase.allows(1.0, 0.0));
        assert!(Change::Decrease.allows(1.0, 0.0) && !Change::Decrease.allows(1.0, 2.0));
        assert!(Change::Immutable.allows(1.0, 1.0) && !Change::Immutable.allows(1.0, 2.0));
    }
}
