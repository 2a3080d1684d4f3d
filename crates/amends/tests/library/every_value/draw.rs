//! Random columns: what they hold, and what the schema says about changing them.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::exact::Exact;
use super::feature::{Cell, Change, Code, Feature, Kind};

/// What the numbers of a column look like.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// Fewer than ten whole numbers.
    Few,
    /// Whole numbers, up to a thousand of them.
    Wide,
    /// One to four decimals.
    Decimals,
    /// One or two decimals, from nothing up to a thousand.
    LongDecimals,
    /// New values are multiples of a step, but the rows need not be.
    Steps,
    /// Numbers of 1e-13 to 1e-6.
    Tiny,
    /// Multiples of a million to a thousand million.
    Huge,
    /// Whole numbers that lie far from zero, close to each other.
    Far,
}

/// How the numbers of a column are drawn: `base + unit * count`.
#[derive(Debug, Clone, Copy)]
pub struct Draw {
    pub base: Exact,
    pub unit: Exact,
    /// The largest count.
    pub most: i128,
}

impl Draw {
    /// The number at a share of the way from the least to the greatest.
    pub fn at(&self, share: f64) -> Exact {
        self.base + self.unit.times((share * self.most as f64).round() as i128)
    }

    pub fn any(&self, rng: &mut ChaCha8Rng) -> Exact {
        self.base + self.unit.times(rng.random_range(0..=self.most))
    }

    /// Some units.
    fn size(&self, rng: &mut ChaCha8Rng, least: i128, most: i128) -> Exact {
        self.unit.times(rng.random_range(least..=most.max(least)))
    }
}

/// One of a list.
pub fn pick<T: Copy>(rng: &mut ChaCha8Rng, list: &[T]) -> T {
    list[rng.random_range(0..list.len())]
}

/// A column of about so many numbers.
#[expect(clippy::too_many_lines, reason = "one choice after the other")]
pub fn numbers(rng: &mut ChaCha8Rng, name: &str, style: Style, size: i128) -> (Feature, Draw) {
    let count = |least: i128, most: i128| size.clamp(least, most);
    let mut integer = Feature::new(name, Kind::Integer);
    let mut continuous = Feature::new(name, Kind::Continuous);
    let one = Exact::whole(1);
    match style {
        Style::Few => {
            let (base, most) = (rng.random_range(-2..5), rng.random_range(3..9));
            (integer, Draw { base: Exact::whole(base), unit: one, most })
        }
        Style::Wide => {
            let base = pick(rng, &[0, 0, 1, -40, 300, 1_000]);
            (integer, Draw { base: Exact::whole(base), unit: one, most: count(20, 1000) })
        }
        Style::Decimals => {
            let unit = Exact::new(1, -rng.random_range(1..5));
            let base = unit.times(pick(rng, &[0, 1, 1, -30, 250, 12_345]));
            (continuous, Draw { base, unit, most: count(4, 1000) })
        }
        Style::LongDecimals => {
            let places = rng.random_range(1..3);
            let unit = Exact::new(1, -places);
            (
                continuous,
                Draw { base: unit, unit, most: count(100, 10_i128.pow(3 + places as u32)) },
            )
        }
        Style::Steps => {
            let base = rng.random_range(0..40);
            if rng.random_bool(0.6) {
                let step = pick(rng, &[5, 3, 7, 250, 100]);
                integer.step = Some(Exact::whole(step));
                let unit = if step < 10 { 1 } else { pick(rng, &[1, 10, step]) };
                let most = count(4, 300) * step / unit;
                return (
                    integer,
                    Draw { base: Exact::whole(base), unit: Exact::whole(unit), most },
                );
            }
            let (digits, exponent) = pick(rng, &[(25, -2), (5, -1), (5, -2), (25, -1), (3, -3)]);
            continuous.step = Some(Exact::new(digits, exponent));
            let unit = Exact::new(1, exponent);
            (continuous, Draw { base: unit.times(base), unit, most: count(4, 300) * digits })
        }
        Style::Tiny => {
            let unit = Exact::new(1, -rng.random_range(6..14));
            let by = pick(rng, &[1, 1, 5]);
            continuous.step = (by > 1).then(|| unit.times(by));
            let base = unit.times(pick(rng, &[0, 1, -8, 60]));
            (continuous, Draw { base, unit, most: count(4, 300) * by })
        }
        Style::Huge => {
            let unit = Exact::new(1, rng.random_range(6..10));
            let mut feature = if rng.random_bool(0.5) { integer } else { continuous };
            feature.step = Some(unit);
            let base = unit.times(pick(rng, &[0, 1, -8, 60]));
            (feature, Draw { base, unit, most: count(4, 940) })
        }
        Style::Far => {
            let base = pick(rng, &[1_000_000_000_000, 123_456_789_012, -5_000_000_000]);
            (integer, Draw { base: Exact::whole(base), unit: one, most: count(4, 300) })
        }
    }
}

/// A column of levels.
pub fn levels(rng: &mut ChaCha8Rng, name: &str) -> Feature {
    let kind = pick(rng, &[Kind::Binary, Kind::Categorical, Kind::Ordinal]);
    let mut feature = Feature::new(name, kind);
    let (names, most): (&[&str], usize) = match kind {
        Kind::Binary => (&["no", "yes"], 2),
        Kind::Ordinal => (&["none", "some", "much", "most of it"], rng.random_range(2..5)),
        _ => (&["own", "rent", "kin", "for free"], rng.random_range(2..5)),
    };
    feature.levels = names[..most].iter().map(|&level| level.to_owned()).collect();
    feature
}

/// Gives a column states beside its numbers or levels.
pub fn add_codes(rng: &mut ChaCha8Rng, feature: &mut Feature, draw: Option<Draw>) {
    let number = |number: Exact, label: &str| (number.to_string(), Some(number), label.to_owned());
    let missing = (String::new(), None, "missing".to_owned());
    let mut known = vec![missing, ("NA".to_owned(), None, "not asked".to_owned())];
    if let Some(draw) = draw {
        known.push(number(Exact::whole(-7), "never late"));
        // A code among the numbers: no plan may write it as a number.
        known.push(number(draw.at(0.5), "unknown"));
    } else {
        known.push(number(Exact::whole(-9), "no record"));
    }
    for _ in 0..rng.random_range(1..3) {
        let (text, number, label) = known.swap_remove(rng.random_range(0..known.len()));
        let (leave, enter) = (rng.random_bool(0.6), rng.random_bool(0.5));
        feature.codes.push(Code { text, number, label, leave, enter });
    }
}

/// Gives a column rules of its own.
pub fn add_limits(rng: &mut ChaCha8Rng, feature: &mut Feature, draw: Option<Draw>) {
    if rng.random_bool(0.3) {
        feature.effort = Some(pick(rng, &["0.5", "2", "3.7", "10"]));
    }
    if rng.random_bool(0.3) && feature.has_order() {
        feature.change = pick(rng, &[Change::Increase, Change::Decrease]);
    } else if rng.random_bool(0.1) {
        feature.change = Change::Immutable;
        feature.codes.iter_mut().for_each(|code| (code.leave, code.enter) = (false, false));
        return;
    }
    let Some(draw) = draw else {
        feature.one_step = feature.kind == Kind::Ordinal && rng.random_bool(0.4);
        if feature.kind == Kind::Categorical && rng.random_bool(0.4) {
            let levels = 0..feature.levels.len();
            let pairs = levels.clone().flat_map(|from| levels.clone().map(move |to| (from, to)));
            let mut pairs: Vec<_> = pairs.filter(|(from, to)| from != to).collect();
            pairs.retain(|_| rng.random_bool(0.5));
            feature.moves = pairs;
        }
        return;
    };
    let most = draw.most;
    if rng.random_bool(0.25) {
        let low = draw.base + draw.size(rng, -most / 8, most / 2);
        feature.range = Some([low, low + draw.size(rng, most / 6, most)]);
    }
    if rng.random_bool(0.25) {
        feature.relative_range = Some([-draw.size(rng, 0, most / 2), draw.size(rng, 1, most / 2)]);
    }
    if rng.random_bool(0.25) {
        feature.max_change = Some(draw.size(rng, most / 6 + 1, most / 2));
    }
    if rng.random_bool(0.25) {
        feature.least_change = Some(draw.size(rng, 1, most / 6));
    }
}

/// An applicant's cell that the rows need not have: beyond them, off the step, with more decimals, or a few steps outside the
/// schema's range.
pub fn odd_cell(rng: &mut ChaCha8Rng, feature: &Feature, draw: Option<Draw>) -> Cell {
    let Some(draw) = draw else { return Cell::Level(rng.random_range(0..feature.levels.len())) };
    let beyond = draw.most / 3 + 1;
    let mut number = draw.base + draw.unit.times(rng.random_range(-beyond..=draw.most + beyond));
    if let Some([low, high]) = feature.range.filter(|_| rng.random_bool(0.6)) {
        let step = feature.step.unwrap_or(draw.unit);
        let away = step.times(rng.random_range(1..4));
        let last = |end: Exact| step.times(end.counted_in(step));
        number = if rng.random_bool(0.5) { -last(-low) - away } else { last(high) + away };
    } else if feature.kind == Kind::Continuous && rng.random_bool(0.4) {
        let finer = Exact::new(1, -(draw.unit.places() as i32) - 1);
        number = number + finer.times(rng.random_range(1..10));
    }
    match feature.codes.iter().position(|code| code.number == Some(number)) {
        Some(code) => Cell::Code(code),
        None => Cell::Number(number),
    }
}
