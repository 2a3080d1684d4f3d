//! Rules as people write them: what they mean, and how wrong ones are refused.

mod properties;
mod reading;
mod refusals;

use amends::data::{Code, Feature, Kind};

/// amount, duration (integers), income (continuous), housing (categorical), savings (ordinal), delay (coded), `odd name`,
/// `of`.
pub fn features() -> Vec<Feature> {
    let levels = |names: &[&str]| names.iter().map(ToString::to_string).collect::<Vec<_>>();
    let mut delay = Feature::new("delay", Kind::Integer);
    delay.codes =
        vec![Code::new("-7", "never late"), Code::new("", "missing"), Code::new("-8", "unusable")];
    vec![
        Feature::new("amount", Kind::Integer),
        Feature::new("duration", Kind::Integer),
        Feature::new("income", Kind::Continuous),
        Feature::new(
            "housing",
            Kind::Categorical { levels: levels(&["own", "rent", "for free", "of"]) },
        ),
        Feature::new("savings", Kind::Ordinal { levels: levels(&["none", "some", "much"]) }),
        delay,
        Feature::new("odd name", Kind::Integer),
        Feature::new("of", Kind::Binary { levels: ["0".into(), "1".into()] }),
    ]
}

pub const AMOUNT: usize = 0;
pub const DURATION: usize = 1;
pub const INCOME: usize = 2;
pub const HOUSING: usize = 3;
pub const SAVINGS: usize = 4;
pub const DELAY: usize = 5;
pub const ODD: usize = 6;
pub const OF: usize = 7;
