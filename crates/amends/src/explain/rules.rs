//! The schema's rules for one applicant: clauses and sums over the options of an instance.

use super::clauses::{Claim, Clause, clauses};
use crate::action::Move;
use crate::data::{Atom, Demand, Formula, Quantity, Record, Rule, Value};
use crate::instance::{self, Literal, Term};
use crate::{InputError, Result};

/// "More than" begins this far beyond a limit, times one plus the sizes that are added up: farther than rounding reaches.
const BEYOND: f64 = 1e-8;

/// An applicant's rules over their moves. Features that move together are no rule here: they are one move.
pub(super) fn instance_rules(
    rules: &[&Rule],
    moves: &[Move],
    applicant: &Record,
) -> Result<Vec<instance::Rule>> {
    let scene = Scene { moves, applicant };
    let mut list = Vec::new();
    for rule in rules {
        let made = match &rule.demand {
            Demand::Together(_) => Ok(Vec::new()),
            Demand::AtMost { most, features } => Ok(vec![scene.at_most(rule, *most, features)]),
            Demand::Formula(formula) => scene.formula(rule, formula),
        };
        list.extend(made.map_err(|error| error.in_file(format!("rule `{}`", rule.text)))?);
    }
    Ok(list)
}

/// An applicant and what they may do.
struct Scene<'a> {
    moves: &'a [Move],
    applicant: &'a Record,
}

impl Scene<'_> {
    /// Where a feature's values stand.
    fn move_of(&self, feature: usize) -> usize {
        let place = self.moves.iter().position(|its| its.members.contains(&feature));
        place.expect("every feature of the schema is in a move")
    }

    /// The application with one option of one move.
    fn after(&self, place: usize, option: usize) -> Record {
        let mut after = self.applicant.clone();
        let its = &self.moves[place];
        for (&member, &value) in its.members.iter().zip(&its.options[option]) {
            after[member] = value;
        }
        after
    }

    /// The options of a move for which something is true of the application after it.
    fn literal(&self, place: usize, holds: impl Fn(&Record) -> bool) -> Literal {
        let options = 0..self.moves[place].options.len();
        let options = options.filter(|&option| holds(&self.after(place, option)));
        Literal { feature: place, options: options.collect() }
    }

    fn at_most(&self, rule: &Rule, most: usize, features: &[usize]) -> instance::Rule {
        let terms = self.moves.iter().enumerate().filter_map(|(place, its)| {
            let counted: Vec<usize> =
                its.members.iter().copied().filter(|member| features.contains(member)).collect();
            let changed = |option: usize| {
                let after = self.after(place, option);
                let changed = counted.iter().filter(|&&f| after[f] != self.applicant[f]);
                changed.count() as f64
            };
            let coefficients = (0..its.options.len()).map(changed).collect();
            (!counted.is_empty()).then_some(Term { feature: place, coefficients })
        });
        instance::Rule::at_most(rule.title(), terms.collect(), most as f64)
    }

    fn formula(&self, rule: &Rule, formula: &Formula) -> Result<Vec<instance::Rule>> {
        let silent = self.silent(formula);
        let mut places: Vec<usize> = rule.features().iter().map(|&f| self.move_of(f)).collect();
        places.dedup();
        // Who breaks a rule about values may leave all that it names as it is: for every move, either it stays or the
        // clause holds.
        let waived = !rule.must && rule.is_about_values() && !rule.holds(self.applicant);
        let excuses: Vec<Option<Literal>> = if waived {
            let features = rule.features();
            let kept = |after: &Record| features.iter().all(|&f| after[f] == self.applicant[f]);
            places.iter().map(|&place| Some(self.literal(place, kept))).collect()
        } else {
            vec![None]
        };
        let mut list = Vec::new();
        for clause in clauses(formula)? {
            for excuse in &excuses {
                let ways: Vec<Literal> = silent.iter().chain(excuse).cloned().collect();
                list.extend(self.clause(rule, &clause, ways)?);
            }
        }
        Ok(list)
    }

    /// The ways in which a code stands where the formula asks for a number: it says nothing then.
    fn silent(&self, formula: &Formula) -> Vec<Literal> {
        let mut list: Vec<Literal> = Vec::new();
        formula.visit(&mut |atom| {
            for feature in atom.features() {
                let place = self.move_of(feature);
                // Only this feature counts: the others are given as numbers.
                let plain = vec![Value::Number(0.0); self.applicant.len()];
                let silent = |after: &Record| {
                    let (mut before, mut then) = (plain.clone(), plain.clone());
                    before[feature] = self.applicant[feature];
                    then[feature] = after[feature];
                    atom.is_silent(&before, &then)
                };
                let literal = self.literal(place, silent);
                if !literal.options.is_empty() && !list.contains(&literal) {
                    list.push(literal);
                }
            }
        });
        list
    }

    /// A clause: options of single moves, and at most one sum over several.
    fn clause(
        &self,
        rule: &Rule,
        clause: &Clause,
        mut ways: Vec<Literal>,
    ) -> Result<Option<instance::Rule>> {
        let mut sum: Option<Claim> = None;
        for &claim in clause {
            let features = claim.atom.features();
            let place = features.first().map(|&feature| self.move_of(feature));
            match place.filter(|&place| features.iter().all(|&f| self.move_of(f) == place)) {
                Some(place) => ways.push(self.literal(place, |after| {
                    claim.atom.holds(self.applicant, after) == claim.holds
                })),
                None if sum.is_none() => sum = Some(claim),
                None => {
                    return Err(InputError::new(
                        "offers a choice between two comparisons of several features",
                    )
                    .remedy("write one comparison a rule, or compare single features in `or`")
                    .into());
                }
            }
        }
        let ways = merged(ways);
        let always = |way: &Literal| way.options.len() == self.moves[way.feature].options.len();
        if ways.iter().any(always) {
            return Ok(None);
        }
        Ok(Some(match sum {
            None => instance::Rule::any_of(rule.title(), ways),
            Some(claim) => self.sum(rule, claim, &ways),
        }))
    }

    /// A weighted sum that is bounded unless one of the other ways holds.
    fn sum(&self, rule: &Rule, claim: Claim, ways: &[Literal]) -> instance::Rule {
        let Atom::Sum { terms, most } = claim.atom else {
            unreachable!("only sums name features of several moves")
        };
        let sign = if claim.holds { 1.0 } else { -1.0 };
        let mut list: Vec<Term> = self
            .moves
            .iter()
            .enumerate()
            .map(|(feature, its)| Term { feature, coefficients: vec![0.0; its.options.len()] })
            .collect();
        for term in terms {
            let place = self.move_of(term.feature);
            for (option, coefficient) in list[place].coefficients.iter_mut().enumerate() {
                // A code adds nothing: the rule is silent then, which is one of the ways.
                if let Some(Value::Number(new)) = self.moves[place].value(option, term.feature) {
                    let old = match (term.quantity, self.applicant[term.feature]) {
                        (Quantity::Change, Value::Number(old)) => old,
                        _ => 0.0,
                    };
                    *coefficient += sign * term.factor * (new - old);
                }
            }
        }
        let largest: f64 = list
            .iter()
            .map(|term| term.coefficients.iter().copied().fold(f64::MIN, f64::max))
            .sum();
        let size: f64 = list
            .iter()
            .map(|term| term.coefficients.iter().fold(0.0, |most: f64, c| most.max(c.abs())))
            .sum();
        let most = if claim.holds { *most } else { -most - BEYOND * (1.0 + size) };
        // Taking one of the ways makes up for the largest sum there is.
        let relief = (largest - most).max(0.0);
        for way in ways {
            for &option in &way.options {
                list[way.feature].coefficients[option] -= relief;
            }
        }
        list.retain(|term| term.coefficients.iter().any(|&c| c != 0.0));
        instance::Rule::at_most(rule.title(), list, most)
    }
}

/// One literal a move, with all the options that were named.
fn merged(ways: Vec<Literal>) -> Vec<Literal> {
    let mut list: Vec<Literal> = Vec::new();
    for way in ways {
        match list.iter_mut().find(|known| known.feature == way.feature) {
            Some(known) => {
                known.options.extend(way.options);
                known.options.sort_unstable();
                known.options.dedup();
            }
            None => list.push(way),
        }
    }
    list.retain(|way| !way.options.is_empty());
    list
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;
    use crate::data::{Addend, Direction};

    /// Four features: two numbers (one with a code to go to), a level, and two numbers that move together.
    fn moves() -> (Vec<Move>, Record) {
        let one = |name: &str, member, values: &[Value], keep| Move {
            name: name.into(),
            members: vec![member],
            options: values.iter().map(|&value| vec![value]).collect(),
            keep,
        };
        let number = Value::Number;
        let pair = |a: f64, b: f64| vec![number(a), number(b)];
        let joint = Move {
            name: "time".into(),
            members: vec![3, 4],
            options: vec![pair(1.0, 7.0), pair(2.0, 8.0), pair(4.0, 10.0)],
            keep: 0,
        };
        let list = vec![
            one("a", 0, &[number(0.5), number(1.0), number(2.5)], 1),
            one("b", 1, &[number(-1.0), number(3.0), Value::Code(0)], 1),
            one("c", 2, &[Value::Level(0), Value::Level(1), Value::Level(2)], 2),
            joint,
        ];
        (list, vec![number(1.0), number(3.0), Value::Level(2), number(1.0), number(7.0)])
    }

    fn atom(rng: &mut ChaCha8Rng) -> Atom {
        let feature = rng.random_range(0..5);
        let number = |rng: &mut ChaCha8Rng| f64::from(rng.random_range(-2..9)) / 2.0;
        match rng.random_range(0..5) {
            0 => Atom::Changes { feature },
            1 => Atom::Moves {
                feature,
                direction: if rng.random() { Direction::Up } else { Direction::Down },
                least: rng.random_bool(0.4).then_some(1.0),
                most: rng.random_bool(0.4).then_some(1.5),
            },
            2 => Atom::Is {
                feature,
                values: match feature {
                    2 => vec![Value::Level(rng.random_range(0..3))],
                    1 => vec![Value::Code(0)],
                    _ => vec![Value::Number(number(rng)), Value::Number(1.0)],
                },
            },
            3 => Atom::Lies { feature, low: f64::NEG_INFINITY, high: number(rng) },
            _ => {
                let term = |rng: &mut ChaCha8Rng| Addend {
                    factor: number(rng),
                    feature: [0, 1, 3, 4][rng.random_range(0..4)],
                    quantity: if rng.random() { Quantity::Value } else { Quantity::Change },
                };
                let count = rng.random_range(1..4);
                Atom::Sum {
                    terms: (0..count).map(|_| term(rng)).collect(),
                    most: 3.0 * number(rng),
                }
            }
        }
    }

    fn formula(rng: &mut ChaCha8Rng, depth: usize) -> Formula {
        let parts = |rng: &mut ChaCha8Rng| (0..2).map(|_| formula(rng, depth - 1)).collect();
        match rng.random_range(0..if depth == 0 { 1 } else { 4 }) {
            0 => Formula::Atom(atom(rng)),
            1 => Formula::Not(Box::new(formula(rng, depth - 1))),
            2 => Formula::All(parts(rng)),
            _ => Formula::Any(parts(rng)),
        }
    }

    fn rule(rng: &mut ChaCha8Rng) -> Rule {
        let demand = if rng.random_bool(0.1) {
            let features = (0..5).filter(|_| rng.random()).collect();
            Demand::AtMost { most: rng.random_range(0..3), features }
        } else {
            let depth = rng.random_range(0..3);
            Demand::Formula(formula(rng, depth))
        };
        Rule { text: "r".into(), name: None, must: rng.random_bool(0.3), demand }
    }

    #[test]
    fn options_are_allowed_just_where_the_rule_itself_allows_them() {
        let (moves, applicant) = moves();
        let scene = Scene { moves: &moves, applicant: &applicant };
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let (mut refused, mut allowed, mut forbidden) = (0, 0, 0);
        for _ in 0..4000 {
            let rule = rule(&mut rng);
            let Ok(made) = instance_rules(&[&rule], &moves, &applicant) else {
                refused += 1;
                continue;
            };
            for choice in 0..81_usize {
                let choice = [choice % 3, choice / 3 % 3, choice / 9 % 3, choice / 27];
                let mut after = applicant.clone();
                for (place, &option) in choice.iter().enumerate() {
                    let one = scene.after(place, option);
                    moves[place].members.iter().for_each(|&f| after[f] = one[f]);
                }
                let expected = rule.allows(&applicant, &after);
                let holds = made.iter().all(|rule| rule.holds(&choice));
                assert_eq!(holds, expected, "{rule:?}\n{made:?}\n{after:?}");
                *(if expected { &mut allowed } else { &mut forbidden }) += 1;
            }
        }
        // Choices between two sums are the only ones that can't be told.
        assert!(refused < 400, "{refused}");
        assert!(allowed > 50_000 && forbidden > 50_000, "{allowed} {forbidden}");
    }
}
