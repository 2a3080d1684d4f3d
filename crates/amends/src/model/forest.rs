//! Random forests: trees grown on bootstrap samples, voting with their leaves' shares.

use std::sync::Arc;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::grow::{Candidates, Grower};
use super::ranks::RankedColumn;
use super::tally::Votes;
use super::{ModelKind, Sums, TrainSettings, Training, TreeEnsemble};

/// Fits a forest. Every tree has its own stream of random numbers, so threads can't change the result.
pub(super) fn fit(training: &Training<'_>, settings: &TrainSettings) -> TreeEnsemble {
    let columns = RankedColumn::all(training);
    let per_split = training.width().isqrt().max(1);
    let depth = settings.depth_of(ModelKind::RandomForest);
    let rows = training.rows().len();
    let tree = |index: usize| {
        let mut rng = ChaCha8Rng::seed_from_u64(settings.seed);
        rng.set_stream(index as u64);
        let mut draws = vec![0; rows];
        for _ in 0..rows {
            draws[rng.random_range(0..rows)] += 1;
        }
        let pairs = draws.iter().zip(training.favourable());
        let tallies: Vec<Votes> = pairs.map(|(&draws, &good)| Votes::of(draws, good)).collect();
        let drawn = (0..rows).filter(|&row| draws[row] > 0).collect();
        let candidates = Candidates::Drawn { per_split, rng: &mut rng };
        let mut tree = Grower::new(&columns, &tallies, candidates).grow(drawn, depth);
        // Shares divided by the number of trees: the sum over trees is the mean share.
        tree.value.iter_mut().for_each(|share| *share /= settings.trees as f64);
        tree
    };
    let trees = (0..settings.trees).into_par_iter().map(tree).collect();
    TreeEnsemble { threshold: 0.5, sums: Sums::Double, trees: Arc::new(trees) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Tree, waves};

    fn rows() -> (Vec<Vec<f64>>, Vec<bool>) {
        let rows = waves::rows();
        let favourable = rows.iter().map(|row| row[0] > 3.0 && row[1] > -0.4).collect();
        (rows, favourable)
    }

    fn depth(tree: &Tree, node: usize) -> usize {
        if tree.is_leaf(node) {
            return 0;
        }
        let below = [tree.left[node], tree.right[node]].map(|child| depth(tree, child as usize));
        1 + below[0].max(below[1])
    }

    #[test]
    fn threads_do_not_change_the_forest_and_seeds_do() {
        let (rows, favourable) = rows();
        let training = Training::new(&rows, &favourable, &[false; 4]).unwrap();
        let settings = TrainSettings { trees: 12, ..TrainSettings::default() };
        let with_threads = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| fit(&training, &settings))
        };
        let alone = with_threads(1);
        assert_eq!(alone, with_threads(4));
        assert_ne!(alone, fit(&training, &TrainSettings { seed: 1, ..settings.clone() }));
        assert_ne!(alone.trees[0], alone.trees[1]);
    }

    #[test]
    fn trees_are_sound_and_learn() {
        let (rows, favourable) = rows();
        let training = Training::new(&rows, &favourable, &[false; 4]).unwrap();
        let settings = TrainSettings { trees: 50, depth: Some(4), ..TrainSettings::default() };
        let forest = fit(&training, &settings);
        forest.check(4).unwrap();
        for tree in forest.trees.iter() {
            assert!((1..=4).contains(&depth(tree, 0)));
            assert!(tree.feature.iter().all(|&column| column != 2), "column 2 is constant");
            assert!(tree.value.iter().all(|value| (0.0..=1.0 / 50.0).contains(value)));
        }
        let right = rows.iter().zip(&favourable).filter(|(x, y)| (forest.score(x) >= 0.0) == **y);
        assert!(right.count() >= 290);
    }

    #[test]
    fn constant_columns_leave_a_single_leaf_with_the_share() {
        let rows = vec![vec![1.0]; 200];
        let favourable: Vec<bool> = (0..200).map(|i| i < 150).collect();
        let training = Training::new(&rows, &favourable, &[false]).unwrap();
        let settings = TrainSettings { trees: 40, ..TrainSettings::default() };
        let forest = fit(&training, &settings);
        assert!(forest.trees.iter().all(|tree| tree.feature == [-1]));
        assert!((forest.score(&[1.0]) - 0.25).abs() < 0.03);
    }

    #[test]
    fn one_informative_column_is_found_among_many_constant_ones() {
        let rows: Vec<Vec<f64>> = (0..60)
            .map(|i| (0..30).map(|d| if d == 17 { f64::from(i) } else { 1.0 }).collect())
            .collect();
        let favourable: Vec<bool> = (0..60).map(|i| i >= 30).collect();
        let training = Training::new(&rows, &favourable, &[false; 30]).unwrap();
        let forest = fit(&training, &TrainSettings { trees: 10, ..TrainSettings::default() });
        for tree in forest.trees.iter() {
            assert_eq!(tree.feature[0], 17);
            assert_eq!(depth(tree, 0), 1, "one cut separates the classes");
            assert!((20.0..40.0).contains(&tree.threshold[0]));
        }
    }
}
