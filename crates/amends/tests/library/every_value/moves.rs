//! Everything that one applicant may do: values of single features, and joint moves of those that change together.

use std::collections::HashSet;

use super::feature::{Cell, Feature, Seen};
use super::rule::Rule;

/// One thing that an applicant may do; it counts as one change.
#[derive(Debug, Clone)]
pub struct Move {
    /// The features that it changes.
    pub members: Vec<usize>,
    /// A cell per member; what the applicant has comes first.
    pub options: Vec<Vec<Cell>>,
}

/// Every move of an applicant; `None` where there are too many values.
pub fn moves(
    features: &[Feature],
    seen: &[Seen],
    rules: &[Rule],
    own: &[Cell],
) -> Option<Vec<Move>> {
    let mut moves = Vec::new();
    let mut grouped = vec![false; features.len()];
    for rule in rules {
        let Rule::Together(members) = rule else { continue };
        for &member in members {
            grouped[member] = true;
        }
        moves.push(joint_move(features, seen, members, own)?);
    }
    for feature in (0..features.len()).filter(|&feature| !grouped[feature]) {
        let values = features[feature].values(&seen[feature], own[feature])?;
        let options = values.into_iter().map(|cell| vec![cell]).collect();
        moves.push(Move { members: vec![feature], options });
    }
    Some(moves)
}

/// Numbers that move by the same amount. Who has a code keeps it, and the others move without it; a single one that is left moves as
/// it would alone, but into no code.
fn joint_move(features: &[Feature], seen: &[Seen], group: &[usize], own: &[Cell]) -> Option<Move> {
    let numbers = group.iter().filter_map(|&member| match own[member] {
        Cell::Number(number) => Some((member, number)),
        _ => None,
    });
    let numbers: Vec<_> = numbers.collect();
    let members: Vec<usize> = numbers.iter().map(|(member, _)| *member).collect();
    let mut options = vec![members.iter().map(|&member| own[member]).collect()];
    let values = numbers
        .iter()
        .map(|&(member, _)| match numbers.len() {
            1 => features[member].values(&seen[member], own[member]),
            _ => features[member].joint_values(&seen[member], own[member]),
        })
        .collect::<Option<Vec<_>>>()?;
    let Some((&(_, first), new)) = numbers.first().zip(values.first()) else {
        return Some(Move { members, options });
    };
    let known: Vec<HashSet<Cell>> =
        values.iter().map(|values| values.iter().copied().collect()).collect();
    for &to in &new[1..] {
        let Cell::Number(to) = to else { continue };
        let cells: Vec<Cell> =
            numbers.iter().map(|&(_, number)| Cell::Number(number + (to - first))).collect();
        if cells.iter().zip(&known).all(|(cell, known)| known.contains(cell)) {
            options.push(cells);
        }
    }
    Some(Move { members, options })
}

/// How many applications an applicant can make with at most 0, 1, 2 and 3 changes.
pub fn applications(
    features: &[Feature],
    seen: &[Seen],
    rules: &[Rule],
    own: &[Cell],
) -> Option<[usize; 4]> {
    let mut exactly = [1.0, 0.0, 0.0, 0.0];
    for its in moves(features, seen, rules, own)? {
        let others = (its.options.len() - 1) as f64;
        for changes in (1..exactly.len()).rev() {
            exactly[changes] += exactly[changes - 1] * others;
        }
    }
    let mut sum = 0.0;
    Some(exactly.map(|count| {
        sum += count;
        sum as usize
    }))
}
