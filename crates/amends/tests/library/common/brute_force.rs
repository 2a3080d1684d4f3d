//! Brute force: judges every combination of options.

use amends::Plan;
use amends::instance::Instance;

/// Every choice of options, in lexicographic order.
pub fn choices(instance: &Instance) -> Vec<Vec<usize>> {
    let mut choice = vec![0; instance.features().len()];
    let mut choices = Vec::new();
    loop {
        choices.push(choice.clone());
        let Some(next) =
            (0..choice.len()).rev().find(|&f| choice[f] + 1 < instance.features()[f].options.len())
        else {
            return choices;
        };
        choice[next] += 1;
        choice[next + 1..].fill(0);
    }
}

/// Every plan of the instance, in lexicographic order of its options.
pub fn plans(instance: &Instance) -> Vec<Plan> {
    choices(instance).into_iter().filter_map(|choice| Plan::judge(instance, choice)).collect()
}

/// The cheapest plan; among equally cheap ones the first in lexicographic order.
pub fn best(instance: &Instance) -> Option<Plan> {
    plans(instance).into_iter().reduce(|best, plan| {
        if plan.evaluation.objective < best.evaluation.objective { plan } else { best }
    })
}
