//! Splits by several columns together, as splits of one feature each.

use std::collections::BTreeMap;

use super::Growth;
use crate::InputError;
use crate::import::columns::{Input, Seen};
use crate::import::gate::{Gate, Known};
use crate::import::{Part, RawCombination, RawTree, Side};

/// Combinations of more values than this are divided before all of them are looked up.
const MOST_COMBINATIONS: usize = 100_000;

impl Growth<'_> {
    /// Asks one feature after the other, until all combinations that are still possible go to the same side.
    pub(super) fn combination(
        &mut self,
        raw: &RawTree,
        node: usize,
        split: &RawCombination,
    ) -> Result<i64, InputError> {
        let values = split.parts.iter().map(|part| self.values(part));
        let values = values.collect::<Result<Vec<Vec<u64>>, _>>()?;
        let (part, group) = match undecided(split, &values) {
            Undecided::No(side) => return self.grow(raw, split.child(side)),
            Undecided::Part(part, group) => (part, group),
        };
        let categories: Vec<u32> = group.iter().map(|&value| value as u32).collect();
        let (feature, gate) = self.gate(&split.parts[part].split(&categories, node))?;
        self.follow(raw, feature, gate, &|_| node)
    }

    /// What a part may add to the hash, given what is known of its feature.
    fn values(&self, part: &Part) -> Result<Vec<u64>, InputError> {
        let Part::Category(column) = part else {
            return Ok(match (self.gate(&part.split(&[], 0))?.1, part) {
                (Gate::Go(Side::Left, _), Part::Above { .. }) => vec![0],
                (Gate::Go(Side::Left, _), _) | (Gate::Go(Side::Right, _), Part::Above { .. }) => {
                    vec![1]
                }
                (Gate::Go(Side::Right, _), _) => vec![0],
                (Gate::Cut(..), _) => vec![0, 1],
            });
        };
        let Input { feature, seen } = self.input(*column)?;
        let (Seen::Levels(inputs), Known::Levels(possible)) = (seen, &self.known[*feature]) else {
            return Err(InputError::new("combines a column that has no categories")
                .value(column)
                .remedy("declare the feature as categorical in the schema"));
        };
        let still = inputs.iter().zip(possible).filter(|(_, possible)| **possible);
        let mut values: Vec<u64> =
            still.map(|(&input, _)| part.value(input, self.raw.precision)).collect();
        values.sort_unstable();
        values.dedup();
        Ok(values)
    }
}

/// Whether a side is certain, or else what to ask: the part, and which of its values to tell from the others.
enum Undecided {
    No(Side),
    Part(usize, Vec<u64>),
}

fn undecided(split: &RawCombination, values: &[Vec<u64>]) -> Undecided {
    let count = values.iter().try_fold(1, |all: usize, one| all.checked_mul(one.len()));
    let Some(count) = count.filter(|&count| count <= MOST_COMBINATIONS) else {
        let longest = (0..values.len()).max_by_key(|&part| values[part].len()).unwrap_or(0);
        let half = values[longest].len() / 2;
        return Undecided::Part(longest, values[longest][..half].to_vec());
    };
    if count == 0 {
        // Nothing is possible any more, so either side is right.
        return Undecided::No(split.unseen);
    }
    let sides: Vec<Side> = (0..count).map(|index| split.side_of(nth(values, index))).collect();
    if sides.iter().all(|side| *side == sides[0]) {
        return Undecided::No(sides[0]);
    }
    // The part whose values differ least needs the fewest questions.
    let mut best: Option<(usize, usize, Vec<u64>)> = None;
    let mut stride = 1;
    for (part, own) in values.iter().enumerate() {
        let mut alike: BTreeMap<Vec<bool>, Vec<u64>> = BTreeMap::new();
        for (which, &value) in own.iter().enumerate() {
            let here = |index: &usize| index / stride % own.len() == which;
            let lefts = (0..count).filter(here).map(|index| sides[index] == Side::Left);
            alike.entry(lefts.collect()).or_default().push(value);
        }
        stride *= own.len();
        if alike.len() > 1 && best.as_ref().is_none_or(|(kinds, ..)| alike.len() < *kinds) {
            let kinds = alike.len();
            let smallest = alike.into_values().min_by_key(Vec::len).unwrap_or_default();
            best = Some((kinds, part, smallest));
        }
    }
    match best {
        Some((_, part, group)) => Undecided::Part(part, group),
        // Sides differ, so that some part's values do.
        None => Undecided::No(split.unseen),
    }
}

/// A combination by its number: the first part's values change fastest.
fn nth(values: &[Vec<u64>], mut index: usize) -> impl Iterator<Item = u64> {
    values.iter().map(move |own| {
        let value = own[index % own.len()];
        index /= own.len();
        value
    })
}
