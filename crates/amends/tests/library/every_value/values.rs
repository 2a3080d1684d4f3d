//! Every value that one feature of one applicant may take, from the meaning of the schema.

use super::exact::Exact;
use super::feature::{Cell, Change, Feature, Kind, Seen};

/// A column with more values than this is not gone through.
const MOST_VALUES: i128 = 40_000;

impl Feature {
    /// The numbers that people write in this column are multiples of this.
    pub fn unit(&self, seen: &Seen) -> Exact {
        let usual = match self.kind {
            Kind::Continuous => Exact::new(1, -(seen.places as i32)),
            _ => Exact::whole(1),
        };
        self.step.unwrap_or(usual)
    }

    /// Every value that the feature may have in a plan, the own among them; `None` where there are too many.
    pub fn values(&self, seen: &Seen, own: Cell) -> Option<Vec<Cell>> {
        self.values_from(seen, own, Exact::whole(0))
    }

    /// Every number that the feature may have in a move together with others. A number without a step moves by the decimals
    /// of the table, also where the own has more of them.
    pub fn joint_values(&self, seen: &Seen, own: Cell) -> Option<Vec<Cell>> {
        let origin = match (own, self.kind, self.step) {
            (Cell::Number(own), Kind::Continuous, None) => own,
            _ => Exact::whole(0),
        };
        self.values_from(seen, own, origin)
    }

    fn values_from(&self, seen: &Seen, own: Cell, origin: Exact) -> Option<Vec<Cell>> {
        let mut values = vec![own];
        let levels = (0..self.levels.len()).map(Cell::Level);
        let codes = (0..self.codes.len()).map(Cell::Code);
        values.extend(levels.chain(codes).filter(|&new| self.may_become(seen, own, new, origin)));
        if let Some([low, high]) = self.reach(seen, own) {
            let unit = self.unit(seen);
            let (first, last) = ((low - origin).counted_in(unit), (high - origin).counted_in(unit));
            if last - first > MOST_VALUES {
                return None;
            }
            let numbers = (first..=last).map(|count| Cell::Number(origin + unit.times(count)));
            values.extend(numbers.filter(|&new| self.may_become(seen, own, new, origin)));
        }
        Some(values)
    }

    /// Whether data and rules of the feature alone let it become another value.
    fn may_become(&self, seen: &Seen, own: Cell, new: Cell, origin: Exact) -> bool {
        if new == own || self.change == Change::Immutable {
            return false;
        }
        let left = |code: usize| self.codes[code].leave;
        let fits = match new {
            Cell::Code(code) => self.codes[code].enter && seen.codes[code],
            Cell::Number(number) => self.is_written(seen, number, origin),
            Cell::Level(_) => true,
        };
        let follows = match (own, new) {
            (Cell::Code(code), _) => left(code),
            (_, Cell::Code(_)) => true,
            (Cell::Number(old), Cell::Number(new)) => self.allows_move(old, new),
            (Cell::Level(old), Cell::Level(new)) => {
                self.is_on_its_way(old, new)
                    && (!self.one_step || old.abs_diff(new) == 1)
                    && (self.moves.is_empty() || self.moves.contains(&(old, new)))
            }
            _ => false,
        };
        fits && follows
    }

    /// Whether anybody could write this number: the data reach so far, it is on the step, and it is no code.
    fn is_written(&self, seen: &Seen, number: Exact, origin: Exact) -> bool {
        let inside = |range: Option<[Exact; 2]>| {
            range.is_none_or(|[low, high]| (low..=high).contains(&number))
        };
        seen.numbers.is_some()
            && inside(seen.numbers)
            && inside(self.range)
            && (number - origin).is_multiple_of(self.unit(seen))
            && self.codes.iter().all(|code| code.number != Some(number))
    }

    fn allows_move(&self, old: Exact, new: Exact) -> bool {
        let by = new - old;
        self.is_on_its_way(old, new)
            && self.relative_range.is_none_or(|[low, high]| (low..=high).contains(&by))
            && self.max_change.is_none_or(|most| by.abs() <= most)
            && self.least_change.is_none_or(|least| by.abs() >= least)
    }

    fn is_on_its_way<T: PartialOrd + Copy>(&self, old: T, new: T) -> bool {
        match self.change {
            Change::Free => true,
            Change::Immutable => false,
            Change::Increase => new > old,
            Change::Decrease => new < old,
        }
    }

    /// Where all new numbers lie; some in between may still be forbidden.
    fn reach(&self, seen: &Seen, own: Cell) -> Option<[Exact; 2]> {
        let [mut low, mut high] = seen.numbers?;
        let mut within = |bounds: [Exact; 2]| {
            low = low.max(bounds[0]);
            high = high.min(bounds[1]);
        };
        if let Some(range) = self.range {
            within(range);
        }
        if let Cell::Number(own) = own {
            if let Some([down, up]) = self.relative_range {
                within([own + down, own + up]);
            }
            if let Some(most) = self.max_change {
                within([own - most, own + most]);
            }
        }
        (low <= high).then_some([low, high])
    }
}

#[test]
fn a_rate_with_one_decimal_has_every_tenth() {
    let mut rate = Feature::new("rate", Kind::Continuous);
    let tenth = |count: i128| Cell::Number(Exact::new(count, -1));
    let seen = Seen::of(&rate, [tenth(1), tenth(6)].into_iter());
    let own = Cell::Number(Exact::new(1234, -3));
    let all: Vec<Cell> = [own].into_iter().chain((1..=6).map(tenth)).collect();
    assert_eq!(rate.values(&seen, own), Some(all));
    rate.step = Some(Exact::new(25, -2));
    let quarters = [tenth(3), Cell::Number(Exact::new(25, -2)), tenth(5)];
    assert_eq!(rate.values(&seen, tenth(3)), Some(quarters.to_vec()));
    rate.step = None;
    rate.least_change = Some(Exact::new(2, -1));
    rate.change = Change::Increase;
    assert_eq!(rate.values(&seen, tenth(3)), Some([3, 5, 6].map(tenth).to_vec()));
}
