//! A small convex quadratic program: bounds on every unknown and a few linear inequalities.
//!
//! Minimise `t'Gt / 2 + h't` with `low <= t <= high` and `w't >= need` per row, by an active-set method. The
//! answer only steers where bounds are looked for, so it may stop early without harm.

use crate::search::layout::space::dot;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum At {
    Free,
    Low,
    High,
}

/// Rows at most: which of them hold with equality is found by trying all combinations.
pub(in crate::search) const ROWS: usize = 3;

/// A linear inequality `w't >= need`.
#[derive(Debug, Default)]
pub(in crate::search) struct Row {
    pub w: Vec<f64>,
    pub need: f64,
    /// Its multiplier in the answer.
    pub theta: f64,
    /// `G^-1 w` over the free unknowns.
    q: Vec<f64>,
}

/// The program and its answer; buffers are kept between uses.
#[derive(Debug, Default)]
pub(in crate::search) struct Quadratic {
    pub n: usize,
    /// Row by row, symmetric; only read for the unknowns in use.
    pub g: Vec<f64>,
    pub h: Vec<f64>,
    pub low: Vec<f64>,
    pub high: Vec<f64>,
    /// The inequalities; only the first `used` count.
    pub rows: [Row; ROWS],
    pub used: usize,
    /// The unknowns.
    pub t: Vec<f64>,
    at: Vec<At>,
    free: Vec<usize>,
    factor: Vec<f64>,
    p: Vec<f64>,
}

impl Quadratic {
    /// Starts over with `n` unknowns and no inequalities.
    pub(in crate::search) fn reset(&mut self, n: usize) {
        self.n = n;
        self.g.clear();
        self.g.resize(n * n, 0.0);
        for list in [&mut self.h, &mut self.low, &mut self.high, &mut self.t] {
            list.clear();
            list.resize(n, 0.0);
        }
        self.at.clear();
        self.at.resize(n, At::Free);
        self.used = 0;
    }

    /// Says where an unknown will probably be: beyond its bounds means on them.
    pub(in crate::search) fn expect(&mut self, i: usize, t: f64) {
        if t <= self.low[i] {
            self.at[i] = At::Low;
        } else if t >= self.high[i] {
            self.at[i] = At::High;
        }
    }

    /// Adds an inequality, all zeros at first, unless there are too many.
    pub(in crate::search) fn add_row(&mut self) -> Option<&mut Row> {
        let row = self.rows.get_mut(self.used)?;
        self.used += 1;
        row.w.clear();
        row.w.resize(self.n, 0.0);
        (row.need, row.theta) = (0.0, 0.0);
        Some(row)
    }

    /// Solves, starting from the bounds that held last time.
    pub(in crate::search) fn solve(&mut self) {
        let n = self.n;
        for step in 0..2 * n + 4 {
            self.free.clear();
            self.free.extend((0..n).filter(|&i| self.at[i] == At::Free));
            for i in 0..n {
                match self.at[i] {
                    At::Free => {}
                    At::Low => self.t[i] = self.low[i],
                    At::High => self.t[i] = self.high[i],
                }
            }
            self.solve_free();
            if !self.clamp(step < 2) && !self.release() {
                break;
            }
        }
        for i in 0..n {
            self.t[i] = self.t[i].clamp(self.low[i], self.high[i]);
        }
    }

    /// The best free unknowns, the others where they are.
    fn solve_free(&mut self) {
        let (n, m) = (self.n, self.free.len());
        if m == 0 {
            return;
        }
        self.factor.clear();
        self.factor.resize(m * m, 0.0);
        self.p.clear();
        for (a, &i) in self.free.iter().enumerate() {
            let row = &self.g[i * n..(i + 1) * n];
            for (b, &j) in self.free[..=a].iter().enumerate() {
                self.factor[a * m + b] = row[j];
            }
            self.factor[a * m + a] += 1e-10 * row[i] + 1e-300;
            let mut side = -self.h[i];
            for (j, g) in row.iter().enumerate() {
                if self.at[j] != At::Free {
                    side -= g * self.t[j];
                }
            }
            self.p.push(side);
        }
        decompose(&mut self.factor, m);
        substitute(&self.factor, m, &mut self.p);
        for (a, &i) in self.free.iter().enumerate() {
            self.t[i] = self.p[a];
        }
        if self.used == 0 {
            return;
        }
        // What each row lacks at the unconstrained answer, and what the multipliers add to it.
        let mut lack = [0.0; ROWS];
        let mut effect = [[0.0; ROWS]; ROWS];
        for (r, row) in self.rows[..self.used].iter_mut().enumerate() {
            row.q.clear();
            row.q.extend(self.free.iter().map(|&i| row.w[i]));
            substitute(&self.factor, m, &mut row.q);
            lack[r] = row.need - dot(&row.w, &self.t);
        }
        for (effect, row) in effect.iter_mut().zip(&self.rows[..self.used]) {
            for (effect, other) in effect.iter_mut().zip(&self.rows[..self.used]) {
                *effect = self.free.iter().zip(&other.q).map(|(&i, q)| row.w[i] * q).sum();
            }
        }
        let theta = multipliers(&lack, &effect, self.used);
        for (row, theta) in self.rows.iter_mut().zip(theta).take(self.used) {
            row.theta = theta;
            for (&i, q) in self.free.iter().zip(&row.q) {
                self.t[i] += theta * q;
            }
        }
    }

    /// Puts free unknowns that left their bounds back onto them: all, or the worst one.
    fn clamp(&mut self, all: bool) -> bool {
        let mut worst: Option<(f64, usize, At)> = None;
        for &i in &self.free {
            let t = self.t[i];
            let (excess, at) = if t < self.low[i] || t.is_nan() {
                (self.low[i] - t, At::Low)
            } else if t > self.high[i] {
                (t - self.high[i], At::High)
            } else {
                continue;
            };
            let excess = excess / (self.high[i] - self.low[i]).max(1e-300);
            if all {
                self.at[i] = at;
            }
            if worst.is_none_or(|w| excess > w.0) {
                worst = Some((excess, i, at));
            }
        }
        if let Some((_, i, at)) = worst {
            self.at[i] = at;
        }
        worst.is_some()
    }

    /// Frees the unknown whose bound holds it back most against its gradient.
    fn release(&mut self) -> bool {
        let n = self.n;
        let mut worst: Option<(f64, usize)> = None;
        for i in 0..n {
            if self.at[i] == At::Free || self.low[i] >= self.high[i] {
                continue;
            }
            let row = &self.g[i * n..(i + 1) * n];
            let rows: f64 = self.rows[..self.used].iter().map(|row| row.theta * row.w[i]).sum();
            let gradient = self.h[i] + dot(row, &self.t) - rows;
            let pull = if self.at[i] == At::Low { -gradient } else { gradient };
            let pull = pull * (self.high[i] - self.low[i]);
            if pull > 1e-7 && worst.is_none_or(|w| pull > w.0) {
                worst = Some((pull, i));
            }
        }
        if let Some((_, i)) = worst {
            self.at[i] = At::Free;
        }
        worst.is_some()
    }
}

/// Multipliers of at least 0 that make up for what rows lack, as few as possible: of all sets of rows
/// held with equality the one that is right, or the least wrong.
fn multipliers(lack: &[f64; ROWS], effect: &[[f64; ROWS]; ROWS], used: usize) -> [f64; ROWS] {
    let mut best = [0.0; ROWS];
    let mut least_wrong = f64::INFINITY;
    for set in 0..1_usize << used {
        let held: Vec<usize> = (0..used).filter(|r| set >> r & 1 == 1).collect();
        let Some(theta) = equalities(lack, effect, &held) else { continue };
        let mut wrong = 0.0_f64;
        for r in 0..used {
            let scale = effect[r][r].max(1e-300).sqrt();
            let missing: f64 = lack[r] - (0..used).map(|s| effect[r][s] * theta[s]).sum::<f64>();
            wrong = wrong.max(-theta[r] * scale);
            if set >> r & 1 == 0 {
                wrong = wrong.max(missing / scale);
            }
        }
        if wrong < least_wrong {
            (least_wrong, best) = (wrong, theta.map(|theta| theta.max(0.0)));
        }
        if wrong <= 1e-12 {
            break;
        }
    }
    best
}

/// The multipliers for which some rows hold with equality, by elimination.
fn equalities(
    lack: &[f64; ROWS],
    effect: &[[f64; ROWS]; ROWS],
    held: &[usize],
) -> Option<[f64; ROWS]> {
    let m = held.len();
    let mut system = [[0.0; ROWS + 1]; ROWS];
    for (a, &r) in held.iter().enumerate() {
        for (b, &s) in held.iter().enumerate() {
            system[a][b] = effect[r][s];
        }
        system[a][m] = lack[r];
    }
    for a in 0..m {
        if system[a][a] <= 1e-12 * effect[held[a]][held[a]] {
            return None;
        }
        for b in 0..m {
            if a != b {
                let pivot = system[a];
                let times = system[b][a] / pivot[a];
                for (entry, pivot) in system[b].iter_mut().zip(pivot) {
                    *entry -= times * pivot;
                }
            }
        }
    }
    let mut theta = [0.0; ROWS];
    for (a, &r) in held.iter().enumerate() {
        theta[r] = system[a][m] / system[a][a];
    }
    Some(theta).filter(|theta| theta.iter().all(|theta| theta.is_finite()))
}

/// Cholesky in place, of the lower triangle; a pivot that vanishes is lifted.
fn decompose(factor: &mut [f64], m: usize) {
    for a in 0..m {
        for b in 0..=a {
            let (upper, row) = factor.split_at_mut(a * m);
            let other: &[f64] = if a == b { &row[..b] } else { &upper[b * m..b * m + b] };
            let value = row[b] - dot(&row[..b], other);
            if a == b {
                let floor = 1e-12 * row[b].abs() + 1e-300;
                row[b] = value.max(floor).sqrt();
            } else {
                row[b] = value / upper[b * m + b];
            }
        }
    }
}

/// Solves with a Cholesky factor, in place.
fn substitute(factor: &[f64], m: usize, v: &mut [f64]) {
    for a in 0..m {
        v[a] = (v[a] - dot(&factor[a * m..a * m + a], &v[..a])) / factor[a * m + a];
    }
    for a in (0..m).rev() {
        let row = &factor[a * m..=a * m + a];
        v[a] /= row[a];
        let (before, rest) = v.split_at_mut(a);
        for (v, f) in before.iter_mut().zip(row) {
            *v -= f * rest[0];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_and_the_inequality_hold_at_the_answer() {
        // Nearest point to (3, 0) with t0 <= 1 and t0 + t1 >= 2.
        let mut program = Quadratic::default();
        program.reset(2);
        program.g.copy_from_slice(&[1.0, 0.0, 0.0, 1.0]);
        program.h.copy_from_slice(&[-3.0, 0.0]);
        program.low.copy_from_slice(&[0.0, 0.0]);
        program.high.copy_from_slice(&[1.0, 5.0]);
        let row = program.add_row().unwrap();
        row.w.copy_from_slice(&[1.0, 1.0]);
        row.need = 2.0;
        // A second row that holds anyway must not matter.
        program.add_row().unwrap().w[0] = 1.0;
        program.solve();
        assert!((program.t[0] - 1.0).abs() < 1e-9 && (program.t[1] - 1.0).abs() < 1e-6);
        assert!((program.rows[0].theta - 1.0).abs() < 1e-6);
        assert_eq!(program.rows[1].theta, 0.0);
    }

    #[test]
    fn a_bound_taken_too_early_is_released() {
        let mut program = Quadratic::default();
        program.reset(2);
        program.g.copy_from_slice(&[1.0, 0.9, 0.9, 1.0]);
        program.h.copy_from_slice(&[-1.0, 1.0]);
        program.low.copy_from_slice(&[-1.0, -1.0]);
        program.high.copy_from_slice(&[1.0, 1.0]);
        program.solve();
        assert_eq!((program.t[0], program.t[1]), (1.0, -1.0));
    }
}
