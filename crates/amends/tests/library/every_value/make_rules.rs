//! Random rules between features.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::draw::{Draw, pick};
use super::exact::Exact;
use super::feature::{Cell, Feature, Kind};
use super::rule::{By, Claim, Form, Rule, Sign, Statement, Term};

/// What rules are about.
pub struct RuleMaker<'a> {
    pub features: &'a [Feature],
    /// How numbers are drawn; `None` for levels.
    pub draws: &'a [Option<Draw>],
    /// The training rows.
    pub rows: &'a [Vec<Cell>],
}

/// Factors of sums, in thousandths.
const FACTORS: [i128; 9] = [1000, 1000, -1000, -1000, 2000, -2000, 3000, 500, -300];

/// Factors of equations, whose solutions lie on a lattice of their own.
const EQUATIONS: [&[i128]; 8] =
    [&[3, -7], &[1, -301], &[2, -4], &[1, 1], &[10, -9], &[6, -15], &[1, 1, 1], &[2, 3, -5]];

impl RuleMaker<'_> {
    /// A rule of any kind; `None` where the features have none of it.
    pub fn any(&self, rng: &mut ChaCha8Rng) -> Option<Rule> {
        let all = self.features.len();
        let must = rng.random_bool(0.25);
        let claim = |form| Some(Rule::Claim { must, form });
        match rng.random_range(0..10) {
            0 => {
                let of = self.some(rng, 2..=all, |_| true)?;
                Some(Rule::AtMost { most: rng.random_range(1..of.len().max(2)), of })
            }
            1 => self.together(rng),
            2 | 3 => claim(Form::If(self.claim(rng, 1), self.claim(rng, 1))),
            4 => claim(Form::Never(Claim::And(vec![self.says(rng), self.says(rng)]))),
            5 => claim(Form::Holds(self.claim(rng, 2))),
            _ => claim(Form::Holds(Claim::Says(self.sum(rng)?))),
        }
    }

    pub fn together(&self, rng: &mut ChaCha8Rng) -> Option<Rule> {
        let unit = |f: usize| self.features[f].step.or(self.draws[f].map(|draw| draw.unit));
        // Numbers of different units seldom move by the same amount.
        let alike = rng.random_bool(0.8);
        let fits = |f: usize| self.draws[f].is_some() && (!alike || unit(f) == unit(0));
        Some(Rule::Together(self.some(rng, 2..=3, fits)?))
    }

    /// A rule that few values hold: an equation, a single value, or all values but one.
    pub fn narrow(&self, rng: &mut ChaCha8Rng) -> Option<Rule> {
        let numbers: Vec<usize> =
            (0..self.features.len()).filter(|&f| self.draws[f].is_some()).collect();
        let feature = *numbers.get(rng.random_range(0..numbers.len().max(1)))?;
        let number = self.number(rng, feature);
        let is =
            |not| Claim::Says(Statement::Is { feature, among: vec![Cell::Number(number)], not });
        let form = match rng.random_range(0..6) {
            0 => Form::Never(is(false)),
            1 => Form::Holds(is(false)),
            _ => {
                let factors = pick(rng, &EQUATIONS);
                let of =
                    self.some(rng, factors.len()..=factors.len(), |f| self.draws[f].is_some())?;
                let change = rng.random_bool(0.2);
                let scaled = factors.iter().map(|factor| 1000 * factor);
                let terms = of.into_iter().zip(scaled);
                let terms =
                    terms.map(|(feature, thousandths)| Term { thousandths, feature, change });
                Form::Holds(Claim::Says(self.balanced(rng, terms.collect(), Sign::Equal)?))
            }
        };
        Some(Rule::Claim { must: rng.random_bool(0.7), form })
    }

    /// Some features, in random order.
    fn some(
        &self,
        rng: &mut ChaCha8Rng,
        count: std::ops::RangeInclusive<usize>,
        fits: impl Fn(usize) -> bool,
    ) -> Option<Vec<usize>> {
        let mut left: Vec<usize> = (0..self.features.len()).filter(|&f| fits(f)).collect();
        let most = left.len().min(*count.end());
        if most < *count.start() {
            return None;
        }
        let wanted = rng.random_range(*count.start()..=most);
        Some((0..wanted).map(|_| left.swap_remove(rng.random_range(0..left.len()))).collect())
    }

    fn claim(&self, rng: &mut ChaCha8Rng, depth: usize) -> Claim {
        if depth == 0 || rng.random_bool(0.6) {
            return self.says(rng);
        }
        let mut parts = || vec![self.claim(rng, depth - 1), self.claim(rng, depth - 1)];
        let parts = parts();
        match rng.random_range(0..3) {
            0 => Claim::And(parts),
            1 => Claim::Or(parts),
            _ => Claim::Not(Box::new(Claim::Or(parts))),
        }
    }

    fn says(&self, rng: &mut ChaCha8Rng) -> Claim {
        if rng.random_bool(0.15)
            && let Some(sum) = self.sum(rng)
        {
            return Claim::Says(sum);
        }
        let feature = rng.random_range(0..self.features.len());
        let its = &self.features[feature];
        let up = rng.random_bool(0.5);
        Claim::Says(match rng.random_range(0..7) {
            0 => Statement::Changes(feature),
            1 => Statement::Stays(feature),
            2 if its.has_order() => Statement::DoesNotMove { feature, up },
            3 | 4 if its.has_order() => {
                let how = pick(rng, &[By::Exactly, By::AtLeast, By::AtMost]);
                let by = rng.random_bool(0.7).then(|| (how, self.size(rng, feature)));
                Statement::Moves { feature, up, by }
            }
            5 if its.has_order() => {
                let order = [Sign::AtMost, Sign::AtLeast, Sign::Below, Sign::Above];
                let all = [order[0], order[1], order[2], order[3], Sign::Equal, Sign::Unequal];
                let (sign, with) = match self.draws[feature] {
                    Some(_) => (pick(rng, &all), Cell::Number(self.number(rng, feature))),
                    None => (pick(rng, &order), Cell::Level(rng.random_range(0..its.levels.len()))),
                };
                Statement::Compares { feature, sign, with }
            }
            _ => {
                let mut among: Vec<Cell> = Vec::new();
                for _ in 0..rng.random_range(1..4) {
                    let cell = self.cell(rng, feature);
                    if !among.contains(&cell) {
                        among.push(cell);
                    }
                }
                Statement::Is { feature, among, not: rng.random_bool(0.3) }
            }
        })
    }

    /// A size of a move: units for numbers, ranks for levels.
    fn size(&self, rng: &mut ChaCha8Rng, feature: usize) -> Exact {
        match self.draws[feature] {
            Some(draw) => draw.unit.times(rng.random_range(1..=draw.most / 3 + 1)),
            None => Exact::whole(rng.random_range(1..3)),
        }
    }

    /// A value that the feature could have: of some row, or any.
    fn cell(&self, rng: &mut ChaCha8Rng, feature: usize) -> Cell {
        if rng.random_bool(0.5) || self.draws[feature].is_none() {
            return self.rows[rng.random_range(0..self.rows.len())][feature];
        }
        Cell::Number(self.number(rng, feature))
    }

    /// A number that is no code.
    fn number(&self, rng: &mut ChaCha8Rng, feature: usize) -> Exact {
        let draw = self.draws[feature].expect("a number");
        let codes = &self.features[feature].codes;
        loop {
            let number = draw.any(rng);
            if codes.iter().all(|code| code.number != Some(number)) {
                return number;
            }
        }
    }

    /// A weighted sum of two or three numbers, compared with what it is somewhere.
    fn sum(&self, rng: &mut ChaCha8Rng) -> Option<Statement> {
        let of = self.some(rng, 2..=3, |f| self.draws[f].is_some())?;
        let mut terms: Vec<Term> = of
            .into_iter()
            .map(|feature| {
                let (thousandths, change) = (pick(rng, &FACTORS), rng.random_bool(0.3));
                Term { thousandths, feature, change }
            })
            .collect();
        self.even_out(rng, &mut terms);
        let whole = terms.iter().all(|term| {
            term.thousandths % 1000 == 0 && self.features[term.feature].kind == Kind::Integer
        });
        let signs: &[Sign] = if whole {
            &[Sign::AtMost, Sign::AtLeast, Sign::Equal, Sign::Below, Sign::Above]
        } else {
            &[Sign::AtMost, Sign::AtLeast, Sign::AtMost, Sign::AtLeast, Sign::Equal]
        };
        let sign = pick(rng, signs);
        self.balanced(rng, terms, sign)
    }

    /// Sometimes multiplies the smaller number, so that both count.
    fn even_out(&self, rng: &mut ChaCha8Rng, terms: &mut [Term]) {
        let spread = |term: &Term| {
            self.draws[term.feature].map_or(0.0, |draw| draw.unit.to_f64() * draw.most as f64)
        };
        let largest = terms.iter().map(spread).fold(0.0, f64::max);
        for term in terms {
            let ratio = (largest / spread(term)).round();
            if (2.0..=1000.0).contains(&ratio) && rng.random_bool(0.5) {
                term.thousandths = term.thousandths.signum() * 1000 * ratio as i128;
            }
        }
    }

    /// The sum compared with its value near some row, so that the rule cuts right there.
    fn balanced(&self, rng: &mut ChaCha8Rng, terms: Vec<Term>, sign: Sign) -> Option<Statement> {
        let mut thousandths = 0;
        let row = &self.rows[rng.random_range(0..self.rows.len())];
        for term in &terms {
            let draw = self.draws[term.feature]?;
            let number = match row[term.feature] {
                _ if term.change => {
                    draw.unit.times(rng.random_range(-draw.most / 3..=draw.most / 3))
                }
                Cell::Number(number) if rng.random_bool(0.6) => number,
                _ => draw.any(rng),
            };
            thousandths += term.thousandths * number.units();
        }
        (thousandths % 1000 == 0).then(|| Statement::Sum {
            terms,
            sign,
            constant: Exact::of_units(thousandths / 1000),
        })
    }
}
