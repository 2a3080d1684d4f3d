//! Growing one tree of a forest: Gini splits on a random choice of columns, to a given depth.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::Tree;
use super::ranks::RankedColumn;

/// What a tree grows from: a row may count several times, or not at all.
pub(super) struct Sample<'a> {
    pub(super) columns: &'a [RankedColumn],
    pub(super) favourable: &'a [bool],
    /// How often each row was drawn.
    pub(super) weight: &'a [u32],
}

/// When to stop, and how many columns a split may choose from.
pub(super) struct Limits {
    pub(super) depth: usize,
    pub(super) columns_per_split: usize,
}

/// Draws counted by outcome.
#[derive(Clone, Copy, Default)]
struct Tally {
    all: u64,
    favourable: u64,
}

impl Tally {
    fn add(&mut self, weight: u32, favourable: bool) {
        self.all += u64::from(weight);
        self.favourable += u64::from(weight) * u64::from(favourable);
    }

    fn and(self, other: Self) -> Self {
        Self { all: self.all + other.all, favourable: self.favourable + other.favourable }
    }

    fn without(self, other: Self) -> Self {
        Self { all: self.all - other.all, favourable: self.favourable - other.favourable }
    }

    fn is_pure(self) -> bool {
        self.favourable == 0 || self.favourable == self.all
    }

    fn share(self) -> f64 {
        self.favourable as f64 / self.all as f64
    }

    /// Gini impurity times the number of draws, less a constant and with its sign turned: more is purer.
    fn purity(self) -> f64 {
        let (good, bad) = (self.favourable as f64, (self.all - self.favourable) as f64);
        (good * good + bad * bad) / self.all as f64
    }
}

struct BestSplit {
    column: usize,
    /// The highest rank that goes left, and the threshold that sends it there.
    rank: u32,
    threshold: f64,
    purity: f64,
}

/// Grows a tree whose leaves hold the share of favourable draws divided by `trees`.
pub(super) fn grow(
    sample: &Sample<'_>,
    limits: &Limits,
    trees: usize,
    rng: &mut ChaCha8Rng,
) -> Tree {
    let mut tree = Tree::default();
    let mut order: Vec<usize> = (0..sample.columns.len()).collect();
    let mut counts = Counts::default();
    let drawn = (0..sample.weight.len()).filter(|&row| sample.weight[row] > 0).collect();
    let mut open: Vec<(usize, Vec<usize>, usize)> = vec![(add_node(&mut tree), drawn, 0)];
    while let Some((node, rows, depth)) = open.pop() {
        let mut tally = Tally::default();
        for &row in &rows {
            tally.add(sample.weight[row], sample.favourable[row]);
        }
        tree.value[node] = tally.share() / trees as f64;
        if depth == limits.depth || tally.is_pure() {
            continue;
        }
        let per_split = limits.columns_per_split;
        let Some(split) = best_split(sample, &rows, per_split, &mut order, &mut counts, rng) else {
            continue;
        };
        let column = &sample.columns[split.column];
        let (left, right): (Vec<usize>, Vec<usize>) =
            rows.into_iter().partition(|&row| column.rank(row) <= split.rank);
        tree.feature[node] = stored(split.column);
        tree.threshold[node] = split.threshold;
        let (left_node, right_node) = (add_node(&mut tree), add_node(&mut tree));
        (tree.left[node], tree.right[node]) = (stored(left_node), stored(right_node));
        open.push((right_node, right, depth + 1));
        open.push((left_node, left, depth + 1));
    }
    tree
}

/// A number as a tree's arrays hold it, where -1 means none.
#[expect(clippy::cast_possible_wrap, reason = "columns and nodes are counted in memory")]
fn stored(number: usize) -> i64 {
    number as i64
}

/// Adds a leaf and tells its number.
fn add_node(tree: &mut Tree) -> usize {
    tree.feature.push(-1);
    tree.threshold.push(0.0);
    tree.left.push(-1);
    tree.right.push(-1);
    tree.value.push(0.0);
    tree.feature.len() - 1
}

/// The purest split on `per_split` randomly drawn columns; where all of them are constant here, more are
/// drawn until one is not, as scikit-learn does. None where every column is constant.
fn best_split(
    sample: &Sample<'_>,
    rows: &[usize],
    per_split: usize,
    order: &mut [usize],
    counts: &mut Counts,
    rng: &mut ChaCha8Rng,
) -> Option<BestSplit> {
    let mut best: Option<BestSplit> = None;
    for drawn in 0..order.len() {
        if drawn >= per_split && best.is_some() {
            break;
        }
        order.swap(drawn, rng.random_range(drawn..order.len()));
        let column = order[drawn];
        counts.fill(sample, &sample.columns[column], rows);
        if let Some((rank, next, purity)) = counts.purest_cut()
            && best.as_ref().is_none_or(|best| purity > best.purity)
        {
            let threshold = sample.columns[column].between(rank, next);
            best = Some(BestSplit { column, rank, threshold, purity });
        }
    }
    best
}

/// The rows of a node counted by the rank of their value in one column; buffers are kept between uses.
#[derive(Default)]
struct Counts {
    by_rank: Vec<Tally>,
    present: Vec<(u32, Tally)>,
}

impl Counts {
    fn fill(&mut self, sample: &Sample<'_>, column: &RankedColumn, rows: &[usize]) {
        self.present.clear();
        let tally = |row: usize| {
            let mut tally = Tally::default();
            tally.add(sample.weight[row], sample.favourable[row]);
            tally
        };
        // A table of all ranks is quick unless the node is tiny beside it.
        if column.distinct() > 16 * rows.len() {
            self.present.extend(rows.iter().map(|&row| (column.rank(row), tally(row))));
            self.present.sort_unstable_by_key(|&(rank, _)| rank);
            self.present.dedup_by(|later, kept| {
                let same = later.0 == kept.0;
                if same {
                    kept.1 = kept.1.and(later.1);
                }
                same
            });
        } else {
            self.by_rank.clear();
            self.by_rank.resize(column.distinct(), Tally::default());
            for &row in rows {
                self.by_rank[column.rank(row) as usize]
                    .add(sample.weight[row], sample.favourable[row]);
            }
            let counted = (0..).zip(&self.by_rank).filter(|(_, tally)| tally.all > 0);
            self.present.extend(counted.map(|(rank, &tally)| (rank, tally)));
        }
    }

    /// The last rank on the left, the first on the right, and the purity of the purest cut; the lowest of
    /// equal ones. None where the column is constant.
    fn purest_cut(&self) -> Option<(u32, u32, f64)> {
        let total = self.present.iter().fold(Tally::default(), |sum, &(_, tally)| sum.and(tally));
        let mut left = Tally::default();
        let mut best: Option<(u32, u32, f64)> = None;
        for pair in self.present.windows(2) {
            left = left.and(pair[0].1);
            let purity = left.purity() + total.without(left).purity();
            if best.is_none_or(|(.., most)| purity > most) {
                best = Some((pair[0].0, pair[1].0, purity));
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Training;

    /// The least impurity that any threshold leaves, from Gini's definition.
    fn least_impurity(values: &[f64], sample: &Sample<'_>, rows: &[usize]) -> f64 {
        let impurity = |side: &[usize]| {
            let drawn: u32 = side.iter().map(|&row| sample.weight[row]).sum();
            let good = side.iter().filter(|&&row| sample.favourable[row]);
            let share =
                f64::from(good.map(|&row| sample.weight[row]).sum::<u32>()) / f64::from(drawn);
            f64::from(drawn) * (1.0 - share.powi(2) - (1.0 - share).powi(2))
        };
        let cuts = rows.iter().filter_map(|&cut| {
            let (left, right): (Vec<usize>, Vec<usize>) =
                rows.iter().partition(|&&row| values[row] <= values[cut]);
            (!right.is_empty()).then(|| impurity(&left) + impurity(&right))
        });
        cuts.fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn cuts_are_the_purest_in_small_and_large_nodes() {
        let wave = |i: usize| (i as f64 * 1.37).sin();
        let rows: Vec<Vec<f64>> =
            (0..400).map(|i| vec![wave(i), (9.0 * wave(i)).round()]).collect();
        let favourable: Vec<bool> = (0..400).map(|i| wave(i) + 0.7 * wave(i * i) > 0.0).collect();
        let training = Training::new(&rows, &favourable, &[false, false]).unwrap();
        let columns = RankedColumn::all(&training);
        let weight: Vec<u32> = (0..400).map(|i| 1 + i % 3).collect();
        let sample = Sample { columns: &columns, favourable: &favourable, weight: &weight };
        let mut counts = Counts::default();
        // 400 distinct values beside 9 rows are sorted, beside 80 rows they are counted.
        for size in [9, 80] {
            for start in 0..40 {
                let node: Vec<usize> = (0..size).map(|i| (start + 7 * i) % 400).collect();
                for column in 0..2 {
                    counts.fill(&sample, &columns[column], &node);
                    let (low, high, purity) = counts.purest_cut().unwrap();
                    assert!(low < high);
                    let drawn: u32 = node.iter().map(|&row| weight[row]).sum();
                    let values: Vec<f64> = rows.iter().map(|row| row[column]).collect();
                    let expected = least_impurity(&values, &sample, &node);
                    assert!((f64::from(drawn) - purity - expected).abs() < 1e-9);
                }
            }
        }
    }
}
