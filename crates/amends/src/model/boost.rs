//! Gradient boosting with the logistic loss: each tree takes a step towards what the sum so far gets wrong.

use std::sync::Arc;

use super::grow::{Candidates, Grower};
use super::ranks::RankedColumn;
use super::tally::Slope;
use super::{ModelKind, Sums, TrainSettings, Training, TreeEnsemble};

/// Fits boosted trees, as scikit-learn's GradientBoostingClassifier does but for its choice among equally good
/// splits, which is random there and the lowest column here. The score is the log-odds of approval.
pub(super) fn fit(training: &Training<'_>, settings: &TrainSettings) -> TreeEnsemble {
    let columns = RankedColumn::all(training);
    let depth = settings.depth_of(ModelKind::GradientBoosting);
    let start = log_odds(training.favourable());
    let mut scores = vec![start; training.rows().len()];
    let next_tree = |_| {
        let pairs = scores.iter().zip(training.favourable());
        let tallies: Vec<Slope> = pairs.map(|(&score, &good)| Slope::of(score, good)).collect();
        let grower = Grower::new(&columns, &tallies, Candidates::All);
        let mut tree = grower.grow((0..tallies.len()).collect(), depth);
        tree.value.iter_mut().for_each(|step| *step *= settings.learning_rate);
        for (score, row) in scores.iter_mut().zip(training.rows()) {
            *score += tree.value[tree.leaf(row)];
        }
        tree
    };
    let trees = (0..settings.trees).map(next_tree).collect();
    TreeEnsemble { threshold: -start, sums: Sums::Double, trees: Arc::new(trees) }
}

/// The log-odds of a favourable outcome; both outcomes are there.
fn log_odds(favourable: &[bool]) -> f64 {
    let good = favourable.iter().filter(|&&good| good).count();
    // libm's logarithm is the same on every machine.
    libm::log(good as f64 / (favourable.len() - good) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::waves;

    fn rows() -> (Vec<Vec<f64>>, Vec<bool>) {
        let rows = waves::rows();
        let noisy =
            (0..).zip(&rows).map(|(i, row)| row[0] + 9.0 * row[1] * waves::wave(i, 5.1) > 3.0);
        let favourable = noisy.collect();
        (rows, favourable)
    }

    fn mean_loss(model: &TreeEnsemble, rows: &[Vec<f64>], favourable: &[bool]) -> f64 {
        let pairs = rows.iter().zip(favourable);
        let losses = pairs.map(|(row, &good)| {
            let margin = if good { model.score(row) } else { -model.score(row) };
            (-margin).exp().ln_1p()
        });
        losses.sum::<f64>() / rows.len() as f64
    }

    #[test]
    fn the_loss_falls_with_every_tree() {
        let (rows, favourable) = rows();
        let training = Training::new(&rows, &favourable, &[false; 4]).unwrap();
        let model = fit(&training, &TrainSettings::default());
        assert_eq!(model.trees.len(), 100);
        let losses: Vec<f64> = (0..=100)
            .map(|count| {
                let trees = Arc::new(model.trees[..count].to_vec());
                mean_loss(&TreeEnsemble { trees, ..model.clone() }, &rows, &favourable)
            })
            .collect();
        // Before the first tree: the entropy of the outcomes.
        let share = favourable.iter().filter(|&&good| good).count() as f64 / 300.0;
        let entropy = -share * share.ln() - (1.0 - share) * (1.0 - share).ln();
        assert!((losses[0] - entropy).abs() < 1e-12);
        for (tree, pair) in losses.windows(2).enumerate() {
            assert!(pair[1] < pair[0], "tree {tree}: {} to {}", pair[0], pair[1]);
        }
        assert!(losses[100] < 0.5 * losses[0], "{} of {}", losses[100], losses[0]);
    }

    #[test]
    fn a_stump_is_the_one_computed_by_hand() {
        let rows: Vec<Vec<f64>> = [1.0, 2.0, 3.0, 4.0].map(|value| vec![7.0, value]).to_vec();
        let training = Training::new(&rows, &[false, true, true, true], &[false; 2]).unwrap();
        let settings = TrainSettings { trees: 2, depth: Some(1), ..TrainSettings::default() };
        let model = fit(&training, &settings);
        // Three of four are good: log-odds ln 3, p = 3/4, p (1 - p) = 3/16. The residuals are -3/4 for the
        // first row and 1/4 for the others; the cut after it leaves no error. Newton's steps: (-3/4) / (3/16)
        // = -4 on the left, (3/4) / (9/16) = 4/3 on the right; a tenth of them is taken.
        assert!((model.threshold + 3_f64.ln()).abs() < 1e-15);
        let stump = &model.trees[0];
        assert_eq!((&stump.feature[..], stump.threshold[0]), (&[1, -1, -1][..], 1.5));
        assert!((stump.value[stump.left[0] as usize] + 0.4).abs() < 1e-15);
        assert!((stump.value[stump.right[0] as usize] - 0.4 / 3.0).abs() < 1e-15);
        // The second stump starts from there: on the left p = 1 / (1 + e^(0.4 - ln 3)), and -p / (p (1 - p))
        // = -1 / (1 - p) = -(1 + e^(ln 3 - 0.4)).
        let second = &model.trees[1];
        let expected = -0.1 * (1.0 + 3.0 * (-0.4_f64).exp());
        assert!((second.value[second.left[0] as usize] - expected).abs() < 1e-15);
    }

    #[test]
    fn threads_and_seeds_do_not_change_the_trees() {
        let (rows, favourable) = rows();
        let training = Training::new(&rows, &favourable, &[false; 4]).unwrap();
        let with = |threads, seed| {
            let settings = TrainSettings { trees: 12, seed, ..TrainSettings::default() };
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| fit(&training, &settings))
        };
        assert_eq!(with(1, 0), with(4, 9));
    }

    #[test]
    fn of_columns_that_split_alike_the_first_is_taken() {
        let (mut rows, favourable) = rows();
        for row in &mut rows {
            // The same order, and the reverse one: every cut of the first column is one of each of these.
            row[2] = 2.0 * row[0] - 1.0;
            row[3] = -row[0];
        }
        let training = Training::new(&rows, &favourable, &[false; 4]).unwrap();
        let model = fit(&training, &TrainSettings::default());
        let used: Vec<i64> = model.trees.iter().flat_map(|tree| tree.feature.clone()).collect();
        assert!(used.contains(&0) && !used.contains(&2) && !used.contains(&3));
    }

    #[test]
    fn constant_columns_leave_the_share_of_favourable_rows() {
        let rows = vec![vec![1.0]; 200];
        let favourable: Vec<bool> = (0..200).map(|i| i < 150).collect();
        let training = Training::new(&rows, &favourable, &[false]).unwrap();
        let model = fit(&training, &TrainSettings::default());
        assert!(model.trees.iter().all(|tree| tree.feature == [-1]));
        assert!((model.score(&[1.0]) - 3_f64.ln()).abs() < 1e-12);
    }
}
