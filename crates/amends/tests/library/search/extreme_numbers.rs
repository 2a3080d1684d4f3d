//! Costs of any size, from the least number above 0 to 1e290: refused, or solved and judged like all others.

use std::sync::Arc;
use std::time::Duration;

use crate::common::brute_force::best;
use crate::common::random_instance::{Kind, instances};
use crate::common::repeatable::repeatable;
use amends::engine::Control;
use amends::instance::{Coefficients, Distance, Instance, InstanceParts, Options};
use amends::milp::{Formulation, default_solver};
use amends::model::Classifier;
use amends::{Engine, Error, Plan, SolveSettings, Status, solve};
use proptest::prelude::*;

/// A number of any size, and where to put it.
fn extremes() -> impl Strategy<Value = Vec<(usize, f64)>> {
    let size = (-323..291i32, 1.0..9.9f64).prop_map(|(power, digits)| {
        // In two steps: ten to the power of -323 alone is nearly nothing but rounding.
        let half = power / 2;
        digits * 10f64.powi(half) * 10f64.powi(power - half)
    });
    let number = (size, any::<bool>()).prop_map(|(n, negative)| if negative { -n } else { n });
    prop::collection::vec((0..10_000usize, number), 1..5)
}

/// Replaces numbers of the cost, weights of a linear model, and values of options. Where numbers must not be negative, signs are dropped.
fn replace(instance: &mut InstanceParts, extremes: &[(usize, f64)]) {
    for &(place, number) in extremes {
        if place % 5 == 0 {
            replace_option(instance, place / 5, number);
            continue;
        }
        let mut signed: Vec<&mut f64> = Vec::new();
        let mut sizes: Vec<&mut f64> = Vec::new();
        let outlier = instance.cost.outlier.as_ref();
        let mut points: Vec<Vec<f64>> = outlier.map_or(Vec::new(), |o| o.points.clone().into());
        match &mut instance.cost.distance {
            Distance::L1Mahalanobis { factor }
            | Distance::Mahalanobis { factor }
            | Distance::SquaredMahalanobis { factor } => signed.extend(factor.iter_mut().flatten()),
            Distance::Table { costs } => {
                let costs = &mut costs[place % instance.features.len()];
                let mut list: Vec<f64> = (0..costs.len()).map(|option| costs.at(option)).collect();
                let count = list.len();
                list[place / 7 % count] = number.abs();
                *costs = Coefficients::from(list);
            }
        }
        if let Classifier::Linear(linear) = Arc::make_mut(&mut instance.classifier) {
            signed.extend(&mut linear.weights);
        }
        sizes.extend(&mut instance.cost.most.distance);
        sizes.extend(&mut instance.cost.most.outlier);
        if let Some(outlier) = &mut instance.cost.outlier {
            signed.extend(points.iter_mut().flatten());
            sizes.push(&mut outlier.weight);
            sizes.extend(Arc::make_mut(&mut outlier.k_distance));
            sizes.extend(Arc::make_mut(&mut outlier.density));
            sizes.extend(outlier.scale.iter_mut().flatten());
        }
        let (first, count) = (signed.len(), signed.len() + sizes.len());
        if count == 0 {
            continue;
        }
        match place % count {
            at if at < first => *signed[at] = number,
            at => *sizes[at - first] = number.abs(),
        }
        if let Some(outlier) = &mut instance.cost.outlier {
            outlier.points = points.into();
        }
    }
}

/// Replaces a listed value that is not the applicant's own.
fn replace_option(instance: &mut InstanceParts, place: usize, number: f64) {
    let index = place % instance.features.len();
    let listed: Vec<usize> =
        instance.features[index].options.listed_values().map(|(option, _)| option).collect();
    let changed =
        listed.iter().filter(|&&option| !instance.features[index].keeps(&instance.x, option));
    let Some(&option) = changed.clone().nth(place % changed.count().max(1)) else { return };
    let options = &mut instance.features[index].options;
    let ranges = options.ranges().map(|(_, range)| range.clone()).collect();
    let mut rows: Vec<Vec<f64>> = options.listed_values().map(|(_, row)| row.clone()).collect();
    rows[option - options.first_listed()][0] = number;
    *options = Options::new(ranges, rows);
}

/// An answer by the rules, or a refusal that names what is wrong.
fn check(drawn: Instance, extremes: &[(usize, f64)], engine: &Engine) -> Result<(), TestCaseError> {
    let settings =
        SolveSettings { time_limit: Some(Duration::from_secs(20)), ..SolveSettings::default() };
    let solved = drawn.edited(|parts| replace(parts, extremes)).and_then(|instance| {
        let report = solve(&instance, engine, &settings, &Control::default())?;
        Ok((instance, report.solution))
    });
    let (instance, solution) = match solved {
        Ok(solved) => solved,
        Err(Error::Input(refusal)) => {
            let said = refusal.to_string();
            prop_assert!(said.contains("; "), "no remedy: {}", said);
            return Ok(());
        }
        Err(other) => return Err(TestCaseError::fail(other.to_string())),
    };
    if let Some(plan) = &solution.plan {
        prop_assert!(plan.evaluation.objective.is_finite());
        let judged = Plan::judge(&instance, plan.choice.clone());
        prop_assert_eq!(judged.as_ref(), Some(plan));
    }
    if solution.status == Status::Optimal {
        prop_assert!(solution.gap().is_some_and(|gap| gap <= 1.1e-6), "gap {:?}", solution.gap());
    }
    if matches!(engine, Engine::Search) && solution.status != Status::AlreadyAccepted {
        let best = best(&instance);
        prop_assert_eq!(solution.plan.is_some(), best.is_some(), "{:?}", solution.status);
        if let (Some(plan), Some(best)) = (&solution.plan, best) {
            let (found, least) = (plan.evaluation.objective, best.evaluation.objective);
            prop_assert_eq!(solution.status, Status::Optimal);
            // Below the least normal number there are no relative errors.
            prop_assert!(found <= least * (1.0 + 2e-6) + 1e-300, "{} above {}", found, least);
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(repeatable(3000))]

    #[test]
    fn are_refused_or_searched(drawn in instances(Kind::default()), extremes in extremes()) {
        check(drawn, &extremes, &Engine::Search)?;
    }
}

proptest! {
    #![proptest_config(repeatable(300))]

    #[test]
    fn are_refused_or_written_as_a_program(
        drawn in instances(Kind { distance: Some(0), outlier: Some(1), ..Kind::default() }),
        extremes in extremes(),
    ) {
        let solver = default_solver();
        check(drawn, &extremes, &Engine::Milp { formulation: Formulation::Reduced, solver })?;
    }
}
