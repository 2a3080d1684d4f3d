//! Ranges of values against brute force: every option of every feature is gone through.

use amends::Status;
use amends::engine::Control;
use amends::engine::SolveSettings;
use amends::instance::{
    Coefficients, Cost, Distance, FeatureOptions, Instance, Limits, Literal, OptionRule, OptionSet,
    Options, Outlier, Term, ValueRange,
};
use amends::model::{Classifier, Layer, Linear, Mlp, Sums, Tree, TreeEnsemble};
use amends::plausibility::Metric;
use amends::search::{SearchSettings, search};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Decimals of a column, a step in their units, and how many values there are.
struct Scale {
    decimals: u32,
    step: i64,
    count: i64,
}

fn scale(random: &mut impl Rng) -> Scale {
    let decimals = [0, 0, 1, 2, 4, 13][random.random_range(0..6)];
    Scale {
        decimals,
        step: [1, 1, 3, 25][random.random_range(0..4)],
        count: random.random_range(2..40),
    }
}

fn text(units: i64, decimals: u32) -> f64 {
    format!("{units}e-{decimals}").parse().unwrap()
}

/// A feature of one column: a range, or two with a hole, and the own value in it, beside it or off its step.
fn number(random: &mut impl Rng, name: &str, column: usize, x: &mut Vec<f64>) -> FeatureOptions {
    let Scale { decimals, step, count } = scale(random);
    let first = random.random_range(-50..50) * step;
    let at = |index: i64| text(first + index * step, decimals);
    let own = match random.random_range(0..4) {
        0 => at(count + 2),
        1 => text(10 * (first + random.random_range(0..count) * step) + 3, decimals + 1),
        _ => at(random.random_range(0..count)),
    };
    x.push(own);
    let range = |from, to| ValueRange::new(&[at(from)], &[at(to)], text(step, decimals)).unwrap();
    let ranges = if count > 6 && random.random_bool(0.4) {
        vec![range(0, 2), range(4, count - 1)]
    } else {
        vec![range(0, count - 1)]
    };
    let mut options = Options::new(ranges, Vec::new());
    options.include(&[own]);
    FeatureOptions { name: name.into(), columns: vec![column], options }
}

/// Two columns that move in step.
fn together(random: &mut impl Rng, column: usize, x: &mut Vec<f64>) -> FeatureOptions {
    let Scale { decimals, step, count } = scale(random);
    let firsts = [random.random_range(-20..20) * step, random.random_range(-20..20) * step];
    let row = |index: i64| firsts.map(|first| text(first + index * step, decimals));
    let own = row(random.random_range(0..count));
    x.extend(own);
    let range = ValueRange::new(&row(0), &row(count - 1), text(step, decimals)).unwrap();
    FeatureOptions {
        name: "together".into(),
        columns: vec![column, column + 1],
        options: Options::new(vec![range], Vec::new()),
    }
}

/// A number that two codes may stand in for: columns of the number and of each code.
fn coded(random: &mut impl Rng, column: usize, x: &mut Vec<f64>) -> FeatureOptions {
    let count = random.random_range(2..15);
    let first = random.random_range(-5..3);
    let range =
        ValueRange::new(&[first.into(), 0.0, 0.0], &[(first + count - 1).into(), 0.0, 0.0], 1.0);
    let states = vec![vec![0.0, 1.0, 0.0], vec![0.0, 0.0, 1.0]];
    let own = match random.random_range(0..3) {
        0 => states[0].clone(),
        1 => vec![f64::from(first) + 0.5, 0.0, 0.0],
        _ => vec![f64::from(first + random.random_range(0..count)), 0.0, 0.0],
    };
    x.extend(&own);
    let mut options = Options::new(vec![range.unwrap()], states);
    options.include(&own);
    FeatureOptions { name: "coded".into(), columns: vec![column, column + 1, column + 2], options }
}

/// Three levels.
fn levels(random: &mut impl Rng, column: usize, x: &mut Vec<f64>) -> FeatureOptions {
    let rows: Vec<Vec<f64>> =
        (0..3).map(|level| (0..3).map(|c| f64::from(u8::from(c == level))).collect()).collect();
    x.extend(&rows[random.random_range(0..3)]);
    let columns = vec![column, column + 1, column + 2];
    FeatureOptions { name: "levels".into(), columns, options: Options::listed(rows) }
}

/// How far each column spreads over the options.
fn spreads(features: &[FeatureOptions], x: &[f64]) -> Vec<f64> {
    let mut spreads = vec![1.0; x.len()];
    for feature in features {
        for (place, &column) in feature.columns.iter().enumerate() {
            let values = (0..feature.options.len()).map(|o| feature.options.value(o, place));
            let (low, high) = values.fold((f64::MAX, f64::MIN), |(l, h), v| (l.min(v), h.max(v)));
            spreads[column] = if high > low { high - low } else { 1.0 };
        }
    }
    spreads
}

fn tree(random: &mut impl Rng, features: &[FeatureOptions], depth: usize) -> Tree {
    let mut tree = Tree::default();
    grow(random, features, depth, &mut tree);
    tree
}

fn grow(random: &mut impl Rng, features: &[FeatureOptions], depth: usize, tree: &mut Tree) -> i64 {
    let node = tree.feature.len();
    let leaf = depth == 0;
    let feature = &features[random.random_range(0..features.len())];
    let place = random.random_range(0..feature.columns.len());
    let option = random.random_range(0..feature.options.len());
    tree.feature.push(if leaf { -1 } else { feature.columns[place] as i64 });
    tree.threshold.push(feature.options.value(option, place));
    tree.left.push(-1);
    tree.right.push(-1);
    tree.value.push(random.random_range(-1.0..1.0));
    if !leaf {
        tree.left[node] = grow(random, features, depth - 1, tree);
        tree.right[node] = grow(random, features, depth - 1, tree);
    }
    node as i64
}

fn classifier(
    random: &mut impl Rng,
    features: &[FeatureOptions],
    spread: &[f64],
    x: &[f64],
) -> Classifier {
    let mut score_cut = |classifier: Classifier| {
        let by = classifier.score(x) + random.random_range(0.01..0.8);
        classifier.with_cut_at(by)
    };
    match score_cut_kind(x) {
        0 => {
            let mut random = ChaCha8Rng::seed_from_u64(x.len() as u64 + x[0].to_bits() % 1000);
            let weights = spread.iter().map(|s| random.random_range(-1.0..1.0) / s).collect();
            score_cut(Classifier::Linear(Linear { weights, intercept: 0.0 }))
        }
        1 => {
            let mut random = ChaCha8Rng::seed_from_u64(x[0].to_bits() % 1000);
            let trees = (0..4).map(|_| tree(&mut random, features, 3)).collect();
            score_cut(Classifier::Trees(TreeEnsemble {
                threshold: 0.0,
                sums: Sums::default(),
                trees: std::sync::Arc::new(trees),
            }))
        }
        _ => {
            let mut random = ChaCha8Rng::seed_from_u64(x[0].to_bits() % 1000);
            let mut row = |scale: &[f64]| -> Vec<f64> {
                scale.iter().map(|s| random.random_range(-2.0..2.0) / s).collect()
            };
            let hidden =
                Layer { weights: (0..4).map(|_| row(spread)).collect(), bias: row(&[1.0; 4]) };
            let last = Layer { weights: vec![row(&[1.0; 4])], bias: vec![0.0] };
            score_cut(Classifier::Mlp(Mlp { layers: vec![hidden, last] }))
        }
    }
}

fn score_cut_kind(x: &[f64]) -> u64 {
    x.iter().map(|x| x.to_bits() % 7919).sum::<u64>() % 3
}

fn cost(random: &mut impl Rng, features: &[FeatureOptions], spread: &[f64], x: &[f64]) -> Cost {
    let width = x.len();
    let factor: Vec<Vec<f64>> = (0..width)
        .map(|_| spread.iter().map(|s| random.random_range(-1.0..1.0) / s).collect())
        .collect();
    let distance = match random.random_range(0..5) {
        0 => Distance::L1Mahalanobis { factor },
        1 => Distance::SquaredMahalanobis { factor },
        2 => {
            let costs = features.iter().map(|feature| {
                let mut costs = Coefficients::default();
                for (_, range) in feature.options.ranges() {
                    let end: f64 = random.random_range(0.1..1.0);
                    costs.push(0.1, end / range.len() as f64, range.len());
                }
                for _ in feature.options.listed_values() {
                    costs.push(random.random_range(0.0..1.0), 0.0, 1);
                }
                costs
            });
            Distance::Table { costs: costs.collect() }
        }
        _ => Distance::Mahalanobis { factor },
    };
    let outlier = random.random_bool(0.7).then(|| {
        let count = random.random_range(4..12);
        let point = |random: &mut dyn FnMut() -> f64| -> Vec<f64> {
            x.iter().zip(spread).map(|(x, s)| x + s * random()).collect()
        };
        let mut draw = || random.random_range(-1.0..1.0);
        let points: Vec<Vec<f64>> = (0..count).map(|_| point(&mut draw)).collect();
        let metrics = [Metric::Euclidean, Metric::SquaredEuclidean, Metric::Manhattan];
        Outlier {
            weight: random.random_range(0.1..2.0),
            metric: metrics[random.random_range(0..3)],
            points: points.into(),
            k_distance: (0..count).map(|_| random.random_range(0.1..1.0)).collect(),
            density: (0..count).map(|_| random.random_range(0.3..2.0)).collect(),
            k: random.random_bool(0.6).then_some(3),
            scale: Some(spread.to_vec()),
        }
    });
    let change_cost = if random.random_bool(0.4) { random.random_range(0.01..1.0) } else { 0.0 };
    Cost { distance, outlier, change_cost, most: Limits::default() }
}

/// Rules over intervals of options, and sums that rise along ranges.
fn rules(random: &mut impl Rng, features: &[FeatureOptions]) -> Vec<OptionRule> {
    let mut list = Vec::new();
    for _ in 0..random.random_range(0..3) {
        if random.random_bool(0.5) {
            let literals = (0..2).map(|_| {
                let feature = random.random_range(0..features.len());
                let count = features[feature].options.len();
                let ends = [0, 1].map(|_| random.random_range(0..count));
                let part = (ends[0].min(ends[1]), ends[0].max(ends[1]));
                Literal { feature, options: OptionSet::from_iter([part]) }
            });
            list.push(OptionRule::any_of("any", literals.collect()));
        } else {
            let terms = (0..2).map(|_| {
                let feature = random.random_range(0..features.len());
                let mut coefficients = Coefficients::default();
                for (_, range) in features[feature].options.ranges() {
                    let slope = random.random_range(-2.0..2.0) / range.len() as f64;
                    coefficients.push(random.random_range(-1.0..1.0), slope, range.len());
                }
                for _ in features[feature].options.listed_values() {
                    coefficients.push(random.random_range(-1.0..1.0), 0.0, 1);
                }
                Term { feature, coefficients }
            });
            list.push(OptionRule::at_most("sum", terms.collect(), random.random_range(-0.5..1.5)));
        }
    }
    list
}

fn instance(random: &mut impl Rng) -> Instance {
    let mut x = Vec::new();
    let mut features = vec![number(random, "a", 0, &mut x)];
    for name in ["b", "c"] {
        let column = x.len();
        features.push(match random.random_range(0..5) {
            0 => together(random, column, &mut x),
            1 => coded(random, column, &mut x),
            2 => levels(random, column, &mut x),
            _ => number(random, name, column, &mut x),
        });
        let last = features.len() - 1;
        name.clone_into(&mut features[last].name);
    }
    let spread = spreads(&features, &x);
    let classifier = classifier(random, &features, &spread, &x);
    let cost = cost(random, &features, &spread, &x);
    let rules = rules(random, &features);
    let changes = random.random_range(1..4);
    Instance::new(x, features, changes, classifier, cost).unwrap().with_rules(rules).unwrap()
}

/// The least cost of all plans.
fn best(instance: &Instance) -> Option<f64> {
    let counts: Vec<usize> = instance.features().iter().map(|f| f.options.len()).collect();
    let mut choice = vec![0; counts.len()];
    let mut best: Option<f64> = None;
    loop {
        let judged = instance.evaluate(&choice);
        if instance.is_valid(&judged) && best.is_none_or(|best| judged.objective < best) {
            best = Some(judged.objective);
        }
        let Some(place) = (0..counts.len()).find(|&f| choice[f] + 1 < counts[f]) else {
            return best;
        };
        choice[place] += 1;
        choice[..place].fill(0);
    }
}

/// The same instance amid thousands of reference points, most of them far away from the applicant.
fn amid_many_points(random: &mut impl Rng, instance: Instance) -> Option<Instance> {
    let mut outlier = instance.cost().outlier.clone()?;
    let scale = outlier.scale.clone()?;
    let count = random.random_range(2_000..12_000);
    let extent = [1.0, 3.0, 10.0][random.random_range(0..3)];
    let point = |random: &mut dyn FnMut() -> f64| -> Vec<f64> {
        instance.x().iter().zip(&scale).map(|(x, scale)| x + scale * extent * random()).collect()
    };
    let mut draw = || random.random_range(-1.0..1.0);
    let points: Vec<Vec<f64>> = (0..count).map(|_| point(&mut draw)).collect();
    outlier.points = points.into();
    let size = extent / 10.0;
    outlier.k_distance = (0..count).map(|_| random.random_range(0.1 * size..size)).collect();
    outlier.density = (0..count).map(|_| random.random_range(0.3..3.0) / size).collect();
    outlier.k = random.random_bool(0.85).then(|| random.random_range(1..12));
    Some(instance.edited(|parts| parts.cost.outlier = Some(outlier)).unwrap())
}

#[test]
fn the_best_is_found_and_proven_amid_thousands_of_points() {
    let (mut plans, mut none) = (0, 0);
    for seed in 1000..1400 {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let instance = instance(&mut random);
        let combinations: usize = instance.features().iter().map(|f| f.options.len()).product();
        if combinations > 600 {
            continue;
        }
        let Some(instance) = amid_many_points(&mut random, instance) else { continue };
        let settings = SearchSettings {
            guesses: random.random_bool(0.7),
            ..SolveSettings { relative_gap: 1e-9, ..SolveSettings::default() }.into()
        };
        let found = search(&instance, &settings, &Control::default()).unwrap().solution;
        let best = best(&instance);
        assert_eq!(found.status == Status::Infeasible, best.is_none(), "seed {seed}");
        let Some(best) = best else {
            none += 1;
            continue;
        };
        assert_eq!(found.status, Status::Optimal, "seed {seed}");
        let objective = found.plan.unwrap().evaluation.objective;
        let close = (objective - best).abs() <= 1e-8 * best.abs().max(1e-9);
        assert!(close, "seed {seed}: {objective} is not {best}");
        plans += 1;
    }
    assert!(plans > 15 && none > 3, "{plans} plans, {none} without");
}

#[test]
fn the_best_of_every_value_is_found_and_proven() {
    let only: Option<u64> = std::env::var("AMENDS_SEED").ok().and_then(|seed| seed.parse().ok());
    let (mut plans, mut none) = (0, 0);
    for seed in only.map_or(0..400, |seed| seed..seed + 1) {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let instance = instance(&mut random);
        let settings = SearchSettings {
            guesses: random.random_bool(0.7),
            ..SolveSettings { relative_gap: 1e-9, ..SolveSettings::default() }.into()
        };
        let found = search(&instance, &settings, &Control::default()).unwrap().solution;
        match best(&instance) {
            None => {
                assert_eq!(found.status, Status::Infeasible, "seed {seed}: {}", instance.to_json());
                none += 1;
            }
            Some(best) => {
                assert_eq!(found.status, Status::Optimal, "seed {seed}: {}", instance.to_json());
                let objective = found.plan.unwrap().evaluation.objective;
                let close = (objective - best).abs() <= 1e-8 * best.abs().max(1e-9);
                assert!(close, "seed {seed}: {objective} is not {best}: {}", instance.to_json());
                plans += 1;
            }
        }
    }
    assert!(only.is_some() || plans > 150 && none > 20, "{plans} plans, {none} without");
}
