//! Long ranges, cut into pieces on which everything in a program is linear in the option.

use std::collections::BTreeSet;

use super::Formulation;
use crate::instance::{Distance, FeatureOptions, Instance, RuleKind, ValueRange};
use crate::plausibility::Metric;
use crate::{InputError, Result, Setting};

/// Up to this many options in ranges, each has a binary of its own, as if it were listed.
const MOST_LISTED: usize = 200;

/// Beyond this many values, a solver's tolerance on a binary is close to a whole step.
const MOST_VALUES: usize = 100_000_000;

/// Beyond this many pieces a range is as good as listed.
const MOST_PIECES: usize = 2_000;

/// Options that follow each other in one range, or a single option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Piece {
    pub first: usize,
    pub count: usize,
}

impl Piece {
    pub fn last(&self) -> usize {
        self.first + self.count - 1
    }
}

/// Whether a feature has more options in ranges than get binaries of their own.
pub(super) fn is_long(feature: &FeatureOptions) -> bool {
    feature.options.first_listed() > MOST_LISTED
}

/// Refuses long ranges where the formulation, or something that depends on the options, needs every single value.
pub(super) fn check(instance: &Instance, formulation: Formulation) -> Result<()> {
    for (f, feature) in instance
        .features()
        .iter()
        .enumerate()
        .filter(|(_, feature_options)| is_long(feature_options))
    {
        let values = feature.options.first_listed();
        let refused = |problem: String| {
            let place = format!("features[{f}] `{}`", feature.name);
            InputError::new(problem)
                .at(place)
                .remedy_setting(Setting::Engine)
                .remedy_setting(Setting::OptionLimit)
        };
        if formulation != Formulation::Compact {
            return Err(refused(format!(
                "has {values} values in ranges, and the formulation `{}` needs a variable for each",
                formulation.name()
            ))
            .remedy("use the search engine, fewer values per number, or the compact formulation")
            .remedy_setting(Setting::Formulation)
            .into());
        }
        let remedy = "use the search engine, or fewer values per number";
        if values > MOST_VALUES {
            let problem =
                format!("has {values} values in ranges, more than a solver can distinguish");
            return Err(refused(problem).remedy(remedy).into());
        }
        let pieces = pieces(instance, f, &[]).len();
        if pieces > MOST_PIECES {
            let problem = format!(
                "has ranges that the model, the costs and the rules cut into {pieces} pieces, more than {MOST_PIECES}"
            );
            return Err(refused(problem).remedy(remedy).into());
        }
    }
    Ok(())
}

/// The pieces of a long feature, in the order of its options. What keeps the applicant's values is a piece of its own, and so
/// is every option of `singles`: pieces of one option need no more than a binary.
pub(super) fn pieces(instance: &Instance, feature: usize, singles: &[usize]) -> Vec<Piece> {
    let options = &instance.features()[feature].options;
    let mut starts: BTreeSet<usize> = options.ranges().map(|(start, _)| start).collect();
    let kept = instance.features()[feature].keep_set(instance.x());
    let alone = singles.iter().map(|&option| (option, option));
    for (first, last) in kept.intervals().iter().copied().chain(alone) {
        starts.extend(first..=last + 1);
    }
    cut_by_rules(instance, feature, &mut starts);
    if let Distance::Table { costs } = &instance.cost().distance {
        starts.extend(costs[feature].runs().iter().map(|run| run.start));
    }
    cut_at_numbers(instance, feature, &mut starts);
    starts.retain(|&start| start < options.first_listed());
    starts.extend(options.first_listed()..=options.len());
    let starts: Vec<usize> = starts.into_iter().collect();
    let piece = |ends: &[usize]| Piece { first: ends[0], count: ends[1] - ends[0] };
    starts.windows(2).map(piece).collect()
}

fn cut_by_rules(instance: &Instance, feature: usize, starts: &mut BTreeSet<usize>) {
    for rule in instance.rules() {
        match &rule.kind {
            RuleKind::AnyOf(literals) => {
                for literal in literals.iter().filter(|literal| literal.feature == feature) {
                    let intervals = literal.options.intervals().iter();
                    starts.extend(intervals.flat_map(|&(first, last)| [first, last + 1]));
                }
            }
            RuleKind::AtMost { terms, .. } => {
                for term in terms.iter().filter(|term| term.feature == feature) {
                    starts.extend(term.coefficients.runs().iter().map(|run| run.start));
                }
            }
        }
    }
}

/// Cuts where a value passes a cut point of the classifier, or a reference point that is |v - p| away.
fn cut_at_numbers(instance: &Instance, feature: usize, starts: &mut BTreeSet<usize>) {
    let feature_options = &instance.features()[feature];
    let mut cut = |column: usize, number: f64| {
        if let Some(position) = feature_options.columns.iter().position(|&own| own == column) {
            starts.extend(passing(feature_options, position, number));
        }
    };
    let cut_points = instance.classifier().thresholds(instance.x().len());
    for (column, numbers) in cut_points.iter().flatten().enumerate() {
        for &number in numbers {
            cut(column, number);
        }
    }
    if let Some(term) = &instance.cost().outlier
        && term.metric == Metric::Manhattan
    {
        for point in term.points.iter() {
            feature_options.columns.iter().for_each(|&column| cut(column, point[column]));
        }
    }
}

/// Per range, the first option whose value in a column is above a number.
pub(super) fn passing(
    feature: &FeatureOptions,
    position: usize,
    number: f64,
) -> impl Iterator<Item = usize> {
    let moving = move |(_, range): &(usize, &ValueRange)| range.moves(position);
    let ranges = feature.options.ranges().filter(moving);
    ranges.map(move |(start, range)| start + range.count_at_most(position, number))
}

/// Options among which every linear function of the values is largest: all of them, or, where the feature is long, the ends of
/// its ranges and all listed ones.
pub(super) fn extreme_options(feature: &FeatureOptions) -> Vec<usize> {
    if !is_long(feature) {
        return (0..feature.options.len()).collect();
    }
    let ends = feature.options.ranges().flat_map(|(start, range)| [start, start + range.len() - 1]);
    ends.chain(feature.options.first_listed()..feature.options.len()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::instance::read_instances;

    /// An income in steps of 10, own value 2000, and a code; a rule and a tree look at it.
    const LONG: &str = r#"{
        "version": 2, "x": [2000, 0],
        "features": [{"name": "income", "columns": [0, 1],
            "ranges": [{"first": [0, 0], "last": [1990, 0], "step": 10}, {"first": [2100, 0], "last": [9000, 0], "step": 10}],
            "options": [[2000, 0], [0, 1]]}],
        "max_changes": 1,
        "rules": [{"name": "r", "any_of": [{"feature": 0, "options": [[100, 300]]}]}],
        "classifier": {"kind": "trees", "threshold": 0.5, "trees": [{"feature": [0, -1, -1], "threshold": [5000.5, 0, 0],
            "left": [1, -1, -1], "right": [2, -1, -1], "value": [0, 0, 1]}]},
        "cost": {"distance": {"kind": "l1-mahalanobis", "factor": [[1, 0], [0, 1]]}}}"#;

    fn long() -> Instance {
        read_instances(LONG, "long.json").unwrap().remove(0)
    }

    #[test]
    fn pieces_are_cut_where_something_changes() {
        let firsts = |singles: &[usize]| -> Vec<usize> {
            pieces(&long(), 0, singles).iter().map(|piece| piece.first).collect()
        };
        // 200 values below 2000, then 291 up to 5000; both listed ones are alone.
        assert_eq!(firsts(&[]), [0, 100, 200, 301, 491, 891, 892]);
        assert_eq!(firsts(&[0, 99, 400]), [0, 1, 99, 100, 200, 301, 400, 401, 491, 891, 892]);
        let pieces = pieces(&long(), 0, &[]);
        assert_eq!(pieces.iter().map(|piece| piece.count).sum::<usize>(), 893);
        assert_eq!(extreme_options(&long().features()[0]), [0, 199, 200, 890, 891, 892]);
    }

    #[test]
    fn what_can_not_be_written_is_refused_with_the_way_out() {
        let instance = long();
        assert!(check(&instance, Formulation::Compact).is_ok());
        for formulation in [Formulation::Pairwise, Formulation::Reduced] {
            let message = check(&instance, formulation).unwrap_err().to_string();
            assert!(message.contains("features[0] `income`: has 891 values"), "{message}");
            for way in ["search engine", "fewer values", "compact formulation"] {
                assert!(message.contains(way), "{message}");
            }
        }
        let uneven = (0..893).map(|option| f64::from(option % 7)).collect();
        let distance = Distance::Table { costs: vec![uneven] };
        let instance = instance.edited(|parts| parts.cost.distance = distance).unwrap();
        assert!(check(&instance, Formulation::Compact).is_ok());
        let text = LONG.replace("9000", "90000");
        let instance = read_instances(&text, "long.json").unwrap().remove(0);
        let uneven = (0..8993).map(|option| f64::from(option % 7)).collect();
        let distance = Distance::Table { costs: vec![uneven] };
        let instance = instance.edited(|parts| parts.cost.distance = distance).unwrap();
        let message = check(&instance, Formulation::Compact).unwrap_err().to_string();
        assert!(message.contains("into 8993 pieces"), "{message}");
    }
}
