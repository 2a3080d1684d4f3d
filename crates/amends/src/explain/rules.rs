//! The schema's rules for one applicant: clauses and sums over the options of an instance.
//!
//! Ranges are not walked through: a statement about one move can only change its truth near a few numbers, and is
//! asked exactly around them.

use super::clauses::{Claim, Clause, clauses};
use super::sums::Weighed;
use crate::action::Move;
use crate::data::{Atom, Demand, Formula, Record, Rule, Value};
use crate::decimal::sum;
use crate::instance::{self, Coefficients, Literal, RuleKind, Term};
use crate::{InputError, Result};

/// An applicant's rules over their moves. Features that move together are no rule here: they are one move.
pub(super) fn instance_rules(
    rules: &[&Rule],
    moves: &[Move],
    applicant: &Record,
) -> Result<Vec<instance::OptionRule>> {
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

/// Rules that a choice of options breaks, and every plan holds, where the choice breaks sums of a rule. Sums of many digits are
/// rounded in the instance, so that such choices may pass there.
pub(super) fn sum_cuts(
    rule: &Rule,
    moves: &[Move],
    applicant: &Record,
    choice: &[usize],
) -> Result<Vec<instance::OptionRule>> {
    let scene = Scene { moves, applicant };
    let Demand::Formula(formula) = &rule.demand else { return Ok(Vec::new()) };
    let mut cuts = Vec::new();
    scene.each_clause(rule, formula, |clause| cuts.extend(clause.cuts(choice, &scene)))?;
    Ok(cuts.into_iter().map(|cut| instance::OptionRule::any_of(rule.title(), cut)).collect())
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

    /// The application with one option of one move, given by its values.
    fn after(&self, place: usize, row: &[Value]) -> Record {
        let mut after = self.applicant.clone();
        for (&member, &value) in self.moves[place].members.iter().zip(row) {
            after[member] = value;
        }
        after
    }

    /// The options of a move for which something is true of the application after it. Along a range it may begin or cease
    /// to be true near these numbers only, each given with the member's place in the move.
    fn literal(
        &self,
        place: usize,
        breaks: &[(usize, f64)],
        holds: impl Fn(&Record) -> bool,
    ) -> Literal {
        let options = &self.moves[place].options;
        let pieces = options.pieces(breaks, |row| holds(&self.after(place, row)));
        let true_ones = pieces.into_iter().filter(|piece| piece.is);
        let options = true_ones.map(|piece| (piece.first, piece.last)).collect();
        Literal { feature: place, options }
    }

    /// The own numbers of a move's members, with their places in it.
    fn own_numbers(&self, place: usize) -> Vec<(usize, f64)> {
        let members = self.moves[place].members.iter().enumerate();
        let number = |(place, &member): (usize, &usize)| match self.applicant[member] {
            Value::Number(own) => Some((place, own)),
            Value::Level(_) | Value::Code(_) => None,
        };
        members.filter_map(number).collect()
    }

    fn at_most(&self, rule: &Rule, most: usize, features: &[usize]) -> instance::OptionRule {
        let terms = self.moves.iter().enumerate().filter_map(|(place, its)| {
            let counted: Vec<usize> =
                its.members.iter().copied().filter(|member| features.contains(member)).collect();
            let changed = |row: &[Value]| {
                let after = self.after(place, row);
                counted.iter().filter(|&&f| after[f] != self.applicant[f]).count()
            };
            let mut coefficients = Coefficients::default();
            for piece in its.options.pieces(&self.own_numbers(place), changed) {
                coefficients.push(piece.is as f64, 0.0, piece.last - piece.first + 1);
            }
            (!counted.is_empty()).then_some(Term { feature: place, coefficients })
        });
        instance::OptionRule::at_most(rule.title(), terms.collect(), most as f64)
    }

    fn formula(&self, rule: &Rule, formula: &Formula) -> Result<Vec<instance::OptionRule>> {
        let mut list = Vec::new();
        self.each_clause(rule, formula, |clause| {
            list.extend(clause.rule(rule.title(), self));
        })?;
        Ok(list)
    }

    /// Calls with every clause of a formula, and with what makes up for it.
    fn each_clause(
        &self,
        rule: &Rule,
        formula: &Formula,
        mut see: impl FnMut(Laid<'_>),
    ) -> Result<()> {
        let silent = self.silent(formula);
        let mut places: Vec<usize> = rule.features().iter().map(|&f| self.move_of(f)).collect();
        places.sort_unstable();
        places.dedup();
        // Who breaks a rule about values may leave all that it names as it is: for every move, either it stays or the
        // clause holds.
        let waived = !rule.must && rule.is_about_values() && !rule.holds(self.applicant);
        let excuses: Vec<Option<Literal>> = if waived {
            let features = rule.features();
            let kept = |after: &Record| features.iter().all(|&f| after[f] == self.applicant[f]);
            let excuse = |&place: &usize| self.literal(place, &self.own_numbers(place), kept);
            places.iter().map(|place| Some(excuse(place))).collect()
        } else {
            vec![None]
        };
        for clause in clauses(formula)? {
            for excuse in &excuses {
                let ways: Vec<Literal> = silent.iter().chain(excuse).cloned().collect();
                see(self.clause(&clause, ways)?);
            }
        }
        Ok(())
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
                // Numbers are all alike to it.
                let literal = self.literal(place, &[], silent);
                if !literal.options.is_empty() && !list.contains(&literal) {
                    list.push(literal);
                }
            }
        });
        list
    }

    /// A clause: options of single moves, and at most one sum over several.
    fn clause<'c>(&self, clause: &Clause<'c>, mut ways: Vec<Literal>) -> Result<Laid<'c>> {
        let mut sum: Option<Claim> = None;
        for &claim in clause {
            let features = claim.atom.features();
            let place = features.first().map(|&feature| self.move_of(feature));
            match place.filter(|&place| features.iter().all(|&f| self.move_of(f) == place)) {
                Some(place) => ways.push(self.claim(place, claim)),
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
        Ok(Laid { ways: merged(ways), sum })
    }

    /// The options of a move under which a claim about it is true.
    fn claim(&self, place: usize, claim: Claim) -> Literal {
        let holds = |after: &Record| claim.atom.holds(self.applicant, after) == claim.holds;
        if matches!(claim.atom, Atom::Sum { .. }) {
            return self.one_sided(place, holds);
        }
        let breaks = self.breaks(claim.atom);
        let feature = claim.atom.features()[0];
        let member = self.moves[place].members.iter().position(|&member| member == feature);
        let breaks: Vec<(usize, f64)> =
            breaks.into_iter().map(|number| (member.unwrap_or(0), number)).collect();
        self.literal(place, &breaks, holds)
    }

    /// The numbers near which a statement about one feature may begin or cease to be true.
    fn breaks(&self, atom: &Atom) -> Vec<f64> {
        let own = |feature: &usize| match self.applicant[*feature] {
            Value::Number(own) => Some(own),
            Value::Level(_) | Value::Code(_) => None,
        };
        match atom {
            Atom::Changes { feature } => own(feature).into_iter().collect(),
            Atom::Moves { feature, least, most, .. } => own(feature).map_or_else(Vec::new, |own| {
                let sizes = least.iter().chain(most);
                let ends = sizes.flat_map(|&size| [sum(own, size), sum(own, -size)]);
                ends.chain([own]).collect()
            }),
            Atom::Is { values, .. } => {
                let number = |value: &Value| match *value {
                    Value::Number(number) => Some(number),
                    Value::Level(_) | Value::Code(_) => None,
                };
                values.iter().filter_map(number).collect()
            }
            Atom::Lies { low, high, .. } => {
                [*low, *high].into_iter().filter(|end| end.is_finite()).collect()
            }
            Atom::Sum { .. } => Vec::new(),
        }
    }

    /// The options of a move for which a comparison of sums holds: along a range a sum goes one way, so that its truth
    /// changes at most once.
    fn one_sided(&self, place: usize, holds: impl Fn(&Record) -> bool) -> Literal {
        let options = &self.moves[place].options;
        let at = |option: usize| holds(&self.after(place, &options.values(option)));
        let mut intervals = Vec::new();
        for (start, range) in options.ranges() {
            let end = start + range.len() - 1;
            let (first, last) = (at(start), at(end));
            let (mut low, mut high) = (start, end);
            while first != last && high - low > 1 {
                let middle = usize::midpoint(low, high);
                if at(middle) == first { low = middle } else { high = middle }
            }
            match (first, last) {
                (true, true) => intervals.push((start, end)),
                (true, false) => intervals.push((start, low)),
                (false, true) => intervals.push((high, end)),
                (false, false) => {}
            }
        }
        let listed = options.listed_values().map(|(option, _)| option).filter(|&option| at(option));
        intervals.extend(listed.map(|option| (option, option)));
        Literal { feature: place, options: intervals.into_iter().collect() }
    }
}

/// A clause over the options of moves: one of these ways is taken, or the sum holds.
struct Laid<'a> {
    ways: Vec<Literal>,
    sum: Option<Claim<'a>>,
}

impl Laid<'_> {
    /// As a rule of an instance; `None` where it always holds.
    fn rule(self, name: &str, scene: &Scene) -> Option<instance::OptionRule> {
        let always = |way: &Literal| way.options.len() == scene.moves[way.feature].len();
        if self.ways.iter().any(always) {
            return None;
        }
        let kind = match self.sum {
            None => RuleKind::AnyOf(self.ways),
            Some(claim) => Weighed::of(claim, scene.moves, scene.applicant).unless(self.ways)?,
        };
        Some(instance::OptionRule { name: name.to_owned(), kind })
    }

    /// What every plan holds and a choice breaks whose sum is too large.
    fn cuts(&self, choice: &[usize], scene: &Scene) -> Vec<Vec<Literal>> {
        let taken = |way: &Literal| way.options.contains(choice[way.feature]);
        let Some(claim) = self.sum.filter(|_| !self.ways.iter().any(taken)) else {
            return Vec::new();
        };
        let cuts = Weighed::of(claim, scene.moves, scene.applicant).cuts(choice);
        let or_a_way = |cut: Vec<Literal>| merged([self.ways.clone(), cut].concat());
        cuts.into_iter().map(or_a_way).collect()
    }
}

/// One literal a move, with all the options that were named.
fn merged(ways: Vec<Literal>) -> Vec<Literal> {
    let mut list: Vec<Literal> = Vec::new();
    for way in ways {
        match list.iter_mut().find(|known| known.feature == way.feature) {
            Some(known) => known.options = known.options.union(&way.options),
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
    use crate::action::Domain;
    use crate::data::{Addend, Decimal, Direction, Quantity};
    use crate::instance::ValueRange;

    /// Four features: two numbers (one with a code to go to), a level, and two numbers that move together.
    fn moves() -> (Vec<Move>, Record) {
        let one = |name: &str, member, values: &[Value], keep| Move {
            name: name.into(),
            members: vec![member],
            options: Domain::listed(values.iter().map(|&value| vec![value]).collect()),
            keep,
        };
        let number = Value::Number;
        let pair = |a: f64, b: f64| vec![number(a), number(b)];
        let joint = Move {
            name: "time".into(),
            members: vec![3, 4],
            options: Domain::listed(vec![pair(1.0, 7.0), pair(2.0, 8.0), pair(4.0, 10.0)]),
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
                    factor: Decimal::of(number(rng)).unwrap(),
                    feature: [0, 1, 3, 4][rng.random_range(0..4)],
                    quantity: if rng.random() { Quantity::Value } else { Quantity::Change },
                };
                let count = rng.random_range(1..4);
                Atom::Sum {
                    terms: (0..count).map(|_| term(rng)).collect(),
                    most: Decimal::of(3.0 * number(rng)).unwrap(),
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

    /// The same features with every value between two ends, in halves and at a scale.
    fn ranged(scale: f64) -> (Vec<Move>, Record) {
        let sized = |number: f64| (number * scale * 1e15).round() / 1e15;
        let range = |first: &[f64], last: &[f64]| {
            let all = |row: &[f64]| row.iter().map(|&n| sized(n)).collect::<Vec<f64>>();
            ValueRange::new(&all(first), &all(last), sized(0.5)).unwrap()
        };
        let number = |value: f64| Value::Number(sized(value));
        let of = |name: &str, members: Vec<usize>, options: Domain, own: &[Value]| {
            let keep = options.find(own).unwrap();
            Move { name: name.into(), members, options, keep }
        };
        let (a, b) = (number(1.0), number(0.75));
        let gap = vec![range(&[-1.0], &[-0.5]), range(&[2.0], &[2.5])];
        let levels = (0..2).map(|level| vec![Value::Level(level)]).collect();
        let list = vec![
            of("a", vec![0], Domain::new(vec![range(&[0.5], &[2.5])], Vec::new()), &[a]),
            of("b", vec![1], Domain::new(gap, vec![vec![b], vec![Value::Code(0)]]), &[b]),
            of("c", vec![2], Domain::listed(levels), &[Value::Level(1)]),
            of(
                "time",
                vec![3, 4],
                Domain::new(vec![range(&[-0.5, 2.0], &[1.0, 3.5])], Vec::new()),
                &[number(0.5), number(3.0)],
            ),
        ];
        (list, vec![a, b, Value::Level(1), number(0.5), number(3.0)])
    }

    /// A statement with its numbers at another scale.
    fn at_scale(formula: &Formula, scale: f64) -> Formula {
        let sized = |number: f64| {
            if number.is_finite() { (number * scale * 1e15).round() / 1e15 } else { number }
        };
        let all = |parts: &[Formula]| parts.iter().map(|part| at_scale(part, scale)).collect();
        match formula {
            Formula::Not(inner) => Formula::Not(Box::new(at_scale(inner, scale))),
            Formula::All(parts) => Formula::All(all(parts)),
            Formula::Any(parts) => Formula::Any(all(parts)),
            Formula::Atom(atom) => Formula::Atom(match atom.clone() {
                Atom::Moves { feature, direction, least, most } if feature != 2 => Atom::Moves {
                    feature,
                    direction,
                    least: least.map(sized),
                    most: most.map(sized),
                },
                Atom::Is { feature, values } => {
                    let value = |value: &Value| match *value {
                        Value::Number(number) => Value::Number(sized(number)),
                        other => other,
                    };
                    Atom::Is { feature, values: values.iter().map(value).collect() }
                }
                Atom::Lies { feature, low, high } if feature != 2 => {
                    Atom::Lies { feature, low: sized(low), high: sized(high) }
                }
                Atom::Sum { terms, most } => {
                    Atom::Sum { terms, most: Decimal::of(sized(most.to_f64())).unwrap() }
                }
                other => other,
            }),
        }
    }

    #[test]
    fn options_are_allowed_just_where_the_rule_itself_allows_them() {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        let worlds =
            [(moves(), 1.0), (ranged(1.0), 1.0), (ranged(1e-13), 1e-13), (ranged(1e6), 1e6)];
        for ((moves, applicant), scale) in worlds {
            let scene = Scene { moves: &moves, applicant: &applicant };
            let (mut refused, mut allowed, mut forbidden) = (0, 0, 0);
            for _ in 0..1500 {
                let mut rule = rule(&mut rng);
                if let Demand::Formula(formula) = &rule.demand {
                    rule.demand = Demand::Formula(at_scale(formula, scale));
                }
                let Ok(made) = instance_rules(&[&rule], &moves, &applicant) else {
                    refused += 1;
                    continue;
                };
                let count: usize = moves.iter().map(Move::len).product();
                for number in 0..count {
                    let mut rest = number;
                    let mut after = applicant.clone();
                    let choice: Vec<usize> = moves
                        .iter()
                        .map(|its| {
                            let option = rest % its.len();
                            rest /= its.len();
                            option
                        })
                        .collect();
                    for (place, &option) in choice.iter().enumerate() {
                        let one = scene.after(place, &moves[place].values(option));
                        moves[place].members.iter().for_each(|&f| after[f] = one[f]);
                    }
                    let expected = rule.allows(&applicant, &after);
                    let holds = made.iter().all(|rule| rule.holds(&choice));
                    assert_eq!(holds, expected, "{rule:?}\n{made:?}\n{after:?}");
                    *(if expected { &mut allowed } else { &mut forbidden }) += 1;
                }
            }
            // Choices between two sums are the only ones that can't be told.
            assert!(refused < 200, "{refused}");
            assert!(allowed > 10_000 && forbidden > 10_000, "{allowed} {forbidden}");
        }
    }

    #[test]
    fn sums_of_large_and_small_numbers_are_exact() {
        let features =
            ["a", "b"].map(|name| crate::data::Feature::new(name, crate::data::Kind::Continuous));
        let of = |feature, first: f64, last: f64, step: f64| Move {
            name: format!("f{feature}"),
            members: vec![feature],
            options: Domain::new(vec![ValueRange::new(&[first], &[last], step).unwrap()], vec![]),
            keep: 7,
        };
        let mut rounded = 0;
        for (a, b, rules) in [
            (
                (100_000_000_000.0, 100_000_000_030.0, 1.0),
                (0.0, 3e-11, 1e-12),
                [
                    "1.5 * a - 2 * b <= 150000000019.499999999988",
                    "never a + b <= 100000000012.000000000005",
                    "3 * a = 300000000036 + 1e12 * b",
                    "a >= 100000000009 + 1000000000000 * b - 0.000000000001",
                ],
            ),
            (
                (899_999_999_999_970.0, 900_000_000_000_000.0, 1.0),
                (0.0, 0.3, 0.01),
                [
                    "1.00000000000001 * a - b <= 899999999999988.8899999999999",
                    "never 1.00000000000001 * a - b <= 899999999999988.8899999999999",
                    "a + 1.23456789012345 * b >= 899999999999980.12345678901234",
                    "if a >= 899999999999980 then 0.333333333333333 * a - b <= 3e14 - 3 - 0.3",
                ],
            ),
        ] {
            let moves = [of(0, a.0, a.1, a.2), of(1, b.0, b.1, b.2)];
            let own = |its: &Move| its.options.value(7, 0);
            let applicant: Record = moves.iter().map(own).collect();
            for text in rules {
                let rule = Rule::parse(text, &features).unwrap();
                let made = instance_rules(&[&rule], &moves, &applicant).unwrap();
                let whole = |rule: &instance::OptionRule| match &rule.kind {
                    RuleKind::AtMost { terms, .. } => {
                        terms.iter().all(|term| term.coefficients.at(0).fract() == 0.0)
                    }
                    RuleKind::AnyOf(_) => true,
                };
                let exact = made.iter().all(whole);
                rounded += usize::from(!exact);
                let (mut held, mut broken) = (0, 0);
                for (x, y) in (0..31).flat_map(|x| (0..31).map(move |y| (x, y))) {
                    let choice = [x, y];
                    let after: Record =
                        moves.iter().zip(choice).map(|(its, o)| its.options.value(o, 0)).collect();
                    let expected = rule.allows(&applicant, &after);
                    let mut holds = made.iter().all(|rule| rule.holds(&choice));
                    // What rounding lets pass is cut off, and nothing else with it.
                    let cuts = sum_cuts(&rule, &moves, &applicant, &choice).unwrap();
                    assert_eq!(cuts.is_empty(), expected, "{text} {after:?}");
                    if !exact {
                        assert!(holds || !expected, "{text} {after:?}");
                        holds &= cuts.is_empty();
                    }
                    assert_eq!(holds, expected, "{text} {after:?} {made:?}");
                    *(if expected { &mut held } else { &mut broken }) += 1;
                    for (cut, other) in
                        cuts.iter().flat_map(|cut| (0..961).step_by(13).map(move |o| (cut, o)))
                    {
                        let other = [other / 31, other % 31];
                        let moved = moves.iter().zip(other);
                        let after: Record = moved.map(|(its, o)| its.options.value(o, 0)).collect();
                        assert!(cut.holds(&other) || !rule.allows(&applicant, &after), "{text}");
                        assert!(!cut.holds(&choice));
                    }
                }
                assert!(held > 10 && broken > 10, "{text}: {held} {broken}");
            }
        }
        assert!(rounded > 2, "{rounded}");
    }

    #[test]
    fn rules_about_long_ranges_are_short() {
        let long = ValueRange::new(&[0.0], &[1e12], 0.01).unwrap();
        let number = Value::Number(5.25);
        let of = |feature| Move {
            name: format!("f{feature}"),
            members: vec![feature],
            options: Domain::new(vec![long.clone()], Vec::new()),
            keep: 525,
        };
        let (moves, applicant) = ([of(0), of(1)], vec![number, number]);
        let features =
            ["a", "b"].map(|name| crate::data::Feature::new(name, crate::data::Kind::Continuous));
        for (text, holds, breaks) in [
            ("a rises by at most 0.3 or a stays", [555, 0], [556, 0]),
            (
                "a + b <= 1e11",
                [5_000_000_000_000, 5_000_000_000_000],
                [5_000_000_000_000, 5_000_000_000_001],
            ),
            ("if a changes then b >= 7.77", [3, 777], [3, 776]),
        ] {
            let rule = Rule::parse(text, &features).unwrap();
            let made = instance_rules(&[&rule], &moves, &applicant).unwrap();
            assert_eq!(made.len(), 1);
            assert!(made[0].holds(&holds) && !made[0].holds(&breaks), "{text} {made:?}");
        }
    }
}
