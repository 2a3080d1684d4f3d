//! The least cost of a small region, distance and outlier term together.
//!
//! Bounding the two apart loses what they trade against each other: one is least at one end of the region and the other at
//! the other. Where it is known which points are the k nearest, both are convex, being weighted sums of lengths
//! `|A s + c|` over the region's numbers, and so is their sum. A convex function lies above its tangents, whose least value
//! over a box and some half-spaces is a closed form for any multipliers of the half-spaces. The point of the tangent and the multipliers
//! come from Newton's method on a smoothed problem; they need not be exact for the bound to hold.

/// Newton steps per level of smoothing.
const STEPS: usize = 12;

/// A length as a function of the numbers, each from -1 to 1: the root of `constant + 2 linear's + s'curve s`.
#[derive(Debug, Clone)]
pub(in crate::search) struct Length<const D: usize> {
    pub weight: f64,
    /// The length counts as at least this.
    pub floor: f64,
    pub constant: f64,
    pub linear: [f64; D],
    /// What `constant` may be off by.
    pub error: f64,
}

/// A half-space: `normal's <= right`.
#[derive(Debug, Clone)]
pub(in crate::search) struct HalfSpace<const D: usize> {
    pub normal: [f64; D],
    pub right: f64,
}

/// A weighted sum of lengths over a box and some half-spaces, in up to D numbers; any beyond those that vary have no part
/// in it.
#[derive(Debug, Clone)]
pub(in crate::search) struct Convex<const D: usize> {
    /// The distance of the plan.
    pub distance: Length<D>,
    pub distance_curve: [[f64; D]; D],
    /// Whether the distance counts squared.
    pub distance_squared: bool,
    /// The distances to reference points, which all have the same curve, without products of two numbers.
    pub points: Vec<Length<D>>,
    pub points_curve: [f64; D],
    /// Whether the distances to points count squared.
    pub points_squared: bool,
    pub half_spaces: Vec<HalfSpace<D>>,
    /// What comes on top.
    pub offset: f64,
}

/// Which of the lengths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Distance,
    Point,
}

/// The smoothed function at a point.
struct Local<const D: usize> {
    value: f64,
    gradient: [f64; D],
    hessian: [[f64; D]; D],
}

/// A length's value and slope at a point, smoothed.
struct Tangent<const D: usize> {
    /// The smoothed length, or its square.
    value: f64,
    /// How much of the length counts, between 0 and 1; the rest is the floor.
    share: f64,
    /// Half the gradient of the square.
    half_gradient: [f64; D],
    /// The smoothed length.
    length: f64,
    /// The second derivative of the smoothed value by the length.
    bend: f64,
}

impl<const D: usize> Convex<D> {
    /// No point of the region has a lesser sum than the value that comes back, and the point beside it is about where it is
    /// least. Stops as soon as the value is above `enough`, or can't become so.
    pub(in crate::search) fn least(&self, enough: f64, missing: f64) -> (f64, [f64; D]) {
        let mut at: [f64; D] = [0.0; D];
        let mut best = f64::NEG_INFINITY;
        let finest = 1e-9 * enough.abs().max(f64::MIN_POSITIVE);
        let strictness = self.strictness();
        let mut smoothing = missing.max(finest);
        loop {
            self.descend(&mut at, smoothing, strictness);
            best = best.max(self.tangent_bound(&at, smoothing, strictness));
            if best > enough || smoothing <= finest || self.reaches(&at, enough) {
                return (best, at);
            }
            smoothing = (0.1 * smoothing).max(finest);
        }
    }

    /// Whether a point lies in every half-space and has a sum of at most `value`.
    fn reaches(&self, at: &[f64; D], value: f64) -> bool {
        let inside = |half: &HalfSpace<D>| dot(&half.normal, at) <= half.right;
        self.half_spaces.iter().all(inside) && self.value(at) <= value
    }

    /// The sum at a point.
    fn value(&self, at: &[f64; D]) -> f64 {
        let of = |(kind, of): (Kind, &Length<D>)| of.weight * self.tangent(kind, of, at, 0.0).value;
        self.offset + self.lengths().map(of).sum::<f64>()
    }

    /// How steep the smoothed half-spaces may become: steeper than the sum itself, by far.
    fn strictness(&self) -> f64 {
        let local = self.local(&[0.0; D], 1.0, 0.0);
        let slope: f64 = local.gradient.iter().map(|g| g.abs()).sum();
        let of_half =
            |half: &HalfSpace<D>| half.normal.iter().fold(0.0_f64, |most, n| most.max(n.abs()));
        let least = self.half_spaces.iter().map(of_half).fold(f64::INFINITY, f64::min);
        if least.is_finite() && least > 0.0 { 10.0 * slope / least } else { 0.0 }
    }

    /// Newton's method on the smoothed sum, within the box.
    fn descend(&self, at: &mut [f64; D], smoothing: f64, strictness: f64) {
        for _ in 0..STEPS {
            let local = self.local(at, smoothing, strictness);
            let Some(step) = Self::newton(&local) else { return };
            let slope = dot(&local.gradient, &step);
            if slope.is_nan() || slope >= -0.05 * smoothing {
                return;
            }
            // Not out of the box.
            let mut length = 1.0_f64;
            for (at, step) in at.iter().zip(&step) {
                let room = if *step > 0.0 { 1.0 - at } else { 1.0 + at };
                length = length.min(0.95 * room / step.abs().max(f64::MIN_POSITIVE));
            }
            let mut moved = false;
            for _ in 0..20 {
                let mut next = *at;
                for (next, step) in next.iter_mut().zip(&step) {
                    *next += length * step;
                }
                if self.local_value(&next, smoothing, strictness)
                    <= local.value + 0.1 * length * slope
                {
                    *at = next;
                    moved = true;
                    break;
                }
                length *= 0.4;
            }
            if !moved {
                return;
            }
        }
    }

    fn lengths(&self) -> impl Iterator<Item = (Kind, &Length<D>)> {
        let points = self.points.iter().map(|point| (Kind::Point, point));
        std::iter::once((Kind::Distance, &self.distance)).chain(points)
    }

    /// Whether lengths of a kind count squared.
    fn squared(&self, kind: Kind) -> bool {
        match kind {
            Kind::Distance => self.distance_squared,
            Kind::Point => self.points_squared,
        }
    }

    /// A length at a point.
    fn tangent(&self, kind: Kind, of: &Length<D>, at: &[f64; D], smoothing: f64) -> Tangent<D> {
        let squared = self.squared(kind);
        let mut half_gradient = of.linear;
        for (f, half_gradient) in half_gradient.iter_mut().enumerate() {
            *half_gradient += match kind {
                Kind::Point => self.points_curve[f] * at[f],
                Kind::Distance => dot(&self.distance_curve[f], at),
            };
        }
        let square = of.constant + dot(&of.linear, at) + dot(&half_gradient, at);
        let width = smoothing / of.weight.max(f64::MIN_POSITIVE);
        let length = if squared {
            square.max(0.0)
        } else {
            (square.max(0.0) + width.min(1.0).powi(2) * 1e-4).sqrt().max(f64::MIN_POSITIVE)
        };
        if of.floor == f64::NEG_INFINITY {
            return Tangent { value: length, share: 1.0, half_gradient, length, bend: 0.0 };
        }
        // A smoothed maximum of the length and its floor.
        let above = length - of.floor;
        let root = (above * above + width * width).sqrt().max(f64::MIN_POSITIVE);
        Tangent {
            value: 0.5 * (length + of.floor + root),
            share: (0.5 * (1.0 + above / root)).clamp(0.0, 1.0),
            half_gradient,
            length,
            bend: 0.5 * width * width / (root * root * root),
        }
    }

    fn local_value(&self, at: &[f64; D], smoothing: f64, strictness: f64) -> f64 {
        self.evaluate(at, smoothing, strictness, None)
    }

    fn local(&self, at: &[f64; D], smoothing: f64, strictness: f64) -> Local<D> {
        let mut local = Local { value: 0.0, gradient: [0.0; D], hessian: [[0.0; D]; D] };
        local.value = self.evaluate(at, smoothing, strictness, Some(&mut local));
        local
    }

    /// The smoothed sum: lengths, a barrier at the ends of the box, and a price for leaving a half-space.
    fn evaluate(
        &self,
        at: &[f64; D],
        smoothing: f64,
        strictness: f64,
        mut local: Option<&mut Local<D>>,
    ) -> f64 {
        let mut value = 0.0;
        for (kind, of) in self.lengths() {
            let squared = self.squared(kind);
            let tangent = self.tangent(kind, of, at, smoothing);
            value += of.weight * tangent.value;
            let Some(local) = local.as_deref_mut() else { continue };
            // Derivatives of the length by the numbers.
            let scale = if squared { 2.0 } else { 1.0 / tangent.length };
            let gradient = tangent.half_gradient.map(|half| half * scale);
            let share = of.weight * tangent.share;
            for f in 0..D {
                local.gradient[f] += share * gradient[f];
                match kind {
                    Kind::Point => local.hessian[f][f] += share * scale * self.points_curve[f],
                    Kind::Distance => {
                        for g in 0..=f {
                            local.hessian[f][g] += share * scale * self.distance_curve[f][g];
                        }
                    }
                }
                let curved = if squared { 0.0 } else { share / tangent.length };
                let mixed = of.weight * tangent.bend - curved;
                for g in 0..=f {
                    local.hessian[f][g] += mixed * gradient[f] * gradient[g];
                }
            }
        }
        for (f, at) in at.iter().enumerate() {
            let (low, high) = (1.0 + at, 1.0 - at);
            value -= smoothing * (low * high).max(f64::MIN_POSITIVE).ln();
            if let Some(local) = local.as_deref_mut() {
                local.gradient[f] += smoothing * (1.0 / high - 1.0 / low);
                local.hessian[f][f] += smoothing * (1.0 / (high * high) + 1.0 / (low * low));
            }
        }
        if strictness > 0.0 {
            for half in &self.half_spaces {
                let outside = strictness * (dot(&half.normal, at) - half.right) / smoothing;
                value += smoothing * softplus(outside);
                if let Some(local) = local.as_deref_mut() {
                    let share = logistic(outside);
                    let bend = strictness * strictness * share * (1.0 - share) / smoothing;
                    for f in 0..D {
                        local.gradient[f] += strictness * share * half.normal[f];
                        for g in 0..=f {
                            local.hessian[f][g] += bend * half.normal[f] * half.normal[g];
                        }
                    }
                }
            }
        }
        value + self.offset
    }

    /// Newton's direction, by a Cholesky factor of the Hessian; `None` where rounding leaves none.
    fn newton(local: &Local<D>) -> Option<[f64; D]> {
        let mut root = local.hessian;
        for f in 0..D {
            for g in 0..=f {
                let known: f64 = (0..g).map(|h| root[f][h] * root[g][h]).sum();
                let left = local.hessian[f][g] - known;
                root[f][g] = if f == g {
                    let tiny = 1e-14 * local.hessian[f][f].abs() + f64::MIN_POSITIVE;
                    left.max(tiny).sqrt()
                } else {
                    left / root[g][g]
                };
            }
        }
        let mut step: [f64; D] = [0.0; D];
        for f in 0..D {
            let known: f64 = (0..f).map(|g| root[f][g] * step[g]).sum();
            step[f] = (-local.gradient[f] - known) / root[f][f];
        }
        for f in (0..D).rev() {
            let known: f64 = (f + 1..D).map(|g| root[g][f] * step[g]).sum();
            step[f] = (step[f] - known) / root[f][f];
        }
        step.iter().all(|step| step.is_finite()).then_some(step)
    }

    /// The least value over the region of the sum's tangent at a point, with what rounding may have added taken off.
    fn tangent_bound(&self, at: &[f64; D], smoothing: f64, strictness: f64) -> f64 {
        let mut slopes: [f64; D] = [0.0; D];
        let mut value = self.offset;
        let mut rounding = 0.0;
        for (kind, of) in self.lengths() {
            let squared = self.squared(kind);
            let tangent = self.tangent(kind, of, at, smoothing);
            let share = of.weight * tangent.share;
            if tangent.share < 1.0 {
                value += of.weight * (1.0 - tangent.share) * of.floor;
            }
            let scale = if squared { 2.0 } else { 1.0 / tangent.length };
            let across: f64 = dot(&tangent.half_gradient, at);
            // Of a length: (constant + linear's + half_gradient't) / length; of a square: constant - at'curve at + 2
            // half_gradient't.
            let constant = of.constant + dot(&of.linear, at);
            value += share * if squared { constant - across } else { constant / tangent.length };
            let mut size = constant.abs() + across.abs();
            for (slope, half) in slopes.iter_mut().zip(&tangent.half_gradient) {
                *slope += share * scale * half;
                size += half.abs();
            }
            rounding += if squared {
                share * (2.0 * of.error + 1e-13 * size)
            } else {
                let relative = of.error / (tangent.length * tangent.length) + 1e-13;
                share * (2.0 * of.error + relative * size) / tangent.length
            };
        }
        for half in &self.half_spaces {
            if strictness == 0.0 {
                break;
            }
            let outside = strictness * (dot(&half.normal, at) - half.right) / smoothing;
            let multiplier = strictness * logistic(outside);
            value -= multiplier * half.right;
            rounding += 1e-13 * multiplier * half.right.abs();
            for (slope, normal) in slopes.iter_mut().zip(&half.normal) {
                *slope += multiplier * normal;
                rounding += 1e-13 * (multiplier * normal).abs();
            }
        }
        let least = value - slopes.iter().map(|slope| slope.abs()).sum::<f64>();
        let bound = least - rounding - 1e-12 * value.abs();
        if bound.is_finite() { bound } else { f64::NEG_INFINITY }
    }
}

fn dot<const D: usize>(a: &[f64; D], b: &[f64; D]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn softplus(x: f64) -> f64 {
    if x > 30.0 { x } else { x.exp().ln_1p() }
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}
