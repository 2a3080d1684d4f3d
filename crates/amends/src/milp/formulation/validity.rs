//! The classifier accepts: one row for a linear score, leaf indicators for trees, units for a network.

use super::choice::Choices;
use super::expression::Expression;
use super::network::{NetworkBlock, add_validity};
use crate::instance::Instance;
use crate::milp::Program;
use crate::model::{Classifier, Combine, Combined, Linear, Member, Tree, TreeEnsemble};

/// One tree's reachable leaves and their indicator columns.
#[derive(Debug, Clone)]
pub(super) struct Leaves {
    tree: usize,
    nodes: Vec<usize>,
    first: usize,
}

impl Leaves {
    /// Marks the leaf of a changed applicant.
    fn fill(&self, ensemble: &TreeEnsemble, changed: &[f64], values: &mut [f64]) {
        let leaf = ensemble.trees[self.tree].leaf(changed);
        if let Some(position) = self.nodes.iter().position(|&node| node == leaf) {
            values[self.first + position] = 1.0;
        }
    }
}

/// What the classifier's columns mean.
#[derive(Debug, Clone)]
pub(super) enum Validity {
    /// A linear score has no columns.
    Linear,
    Trees(Vec<Leaves>),
    Network(NetworkBlock),
    /// The members of a combination.
    Members(Vec<(Classifier, Validity)>),
}

impl Validity {
    /// The values of a changed applicant.
    pub fn fill(&self, classifier: &Classifier, changed: &[f64], values: &mut [f64]) {
        match (self, classifier) {
            (Self::Trees(trees), Classifier::Trees(ensemble)) => {
                for leaves in trees {
                    leaves.fill(ensemble, changed, values);
                }
            }
            (Self::Network(block), Classifier::Mlp(mlp)) => block.fill(mlp, changed, values),
            (Self::Members(members), _) => {
                for (classifier, member) in members {
                    member.fill(classifier, changed, values);
                }
            }
            _ => {}
        }
    }
}

/// Adds the rows of validity.
pub(super) fn add(
    program: &mut Program,
    instance: &Instance,
    choices: &Choices,
    compact: bool,
) -> Validity {
    let classifier = instance.classifier();
    let block = Block { instance, choices, compact };
    if let Classifier::Combined(combined) = classifier
        && is_conjunction(combined)
    {
        return block.add_all(program, combined);
    }
    let (validity, score) = block.add(program, classifier);
    add_validity(program, &score);
    validity
}

/// Whether a classifier's acceptance can be written as rows: members' scores as they are, added up, or all of them accepting.
pub(super) fn is_linear(classifier: &Classifier) -> bool {
    let Classifier::Combined(combined) = classifier else { return true };
    let plain = combined.members.iter().all(|member| member.transform.is_identity());
    let members = || combined.members.iter().map(|member| &member.classifier);
    plain && if is_conjunction(combined) { members().all(is_linear) } else { is_sum(classifier) }
}

fn is_conjunction(combined: &Combined) -> bool {
    match combined.combine {
        Combine::Minimum => true,
        Combine::KthLargest(k) => k == combined.members.len(),
        Combine::Sum => false,
    }
}

/// Whether a score is a sum of scores.
fn is_sum(classifier: &Classifier) -> bool {
    let Classifier::Combined(combined) = classifier else { return true };
    let plain = |member: &Member| member.transform.is_identity() && is_sum(&member.classifier);
    combined.combine == Combine::Sum && combined.members.iter().all(plain)
}

/// What scores are written for.
struct Block<'a> {
    instance: &'a Instance,
    choices: &'a Choices,
    compact: bool,
}

impl Block<'_> {
    /// Adds a score's columns and rows; the score, at least, comes back with them.
    fn add(&self, program: &mut Program, classifier: &Classifier) -> (Validity, Expression) {
        match classifier {
            Classifier::Linear(linear) => {
                (Validity::Linear, linear_score(self.instance, linear, self.choices))
            }
            Classifier::Trees(ensemble) => {
                let (trees, score) =
                    add_trees(program, self.instance, ensemble, self.choices, self.compact);
                (Validity::Trees(trees), score)
            }
            Classifier::Mlp(mlp) => {
                let (block, score) = NetworkBlock::add(program, self.instance, mlp, self.choices);
                (Validity::Network(block), score)
            }
            Classifier::Combined(combined) => {
                let mut sum = Expression { terms: Vec::new(), constant: combined.intercept };
                let members = combined.members.iter().enumerate().map(|(index, member)| {
                    // Of what is taken away, the score at least would be too little.
                    let negative = member.weight < 0.0;
                    let classifier = if negative {
                        member.classifier.negated()
                    } else {
                        member.classifier.clone()
                    };
                    let first = Counts::of(program);
                    let (validity, score) = self.add(program, &classifier);
                    first.rename_since(program, index);
                    sum.add(member.weight.abs(), &score);
                    (classifier, validity)
                });
                (Validity::Members(members.collect()), sum)
            }
        }
    }

    /// Adds the rows by which all members accept.
    fn add_all(&self, program: &mut Program, combined: &Combined) -> Validity {
        let members = combined.members.iter().enumerate().map(|(index, member)| {
            let classifier = member.classifier.with_cut_at(-combined.intercept);
            let first = Counts::of(program);
            let validity = match &classifier {
                Classifier::Combined(inner) if is_conjunction(inner) => {
                    self.add_all(program, inner)
                }
                _ => {
                    let (validity, score) = self.add(program, &classifier);
                    add_validity(program, &score);
                    validity
                }
            };
            first.rename_since(program, index);
            (classifier, validity)
        });
        Validity::Members(members.collect())
    }
}

/// How large a program was: what is added later is named by its member.
struct Counts {
    columns: usize,
    rows: usize,
}

impl Counts {
    fn of(program: &Program) -> Self {
        Self { columns: program.columns.len(), rows: program.rows.len() }
    }

    fn rename_since(&self, program: &mut Program, member: usize) {
        let columns = program.columns[self.columns..].iter_mut().map(|column| &mut column.name);
        let rows = program.rows[self.rows..].iter_mut().map(|row| &mut row.name);
        for name in columns.chain(rows) {
            *name = format!("m{member}_{name}");
        }
    }
}

/// w.a + w.x + b.
fn linear_score(instance: &Instance, linear: &Linear, choices: &Choices) -> Expression {
    let mut score = Expression { terms: Vec::new(), constant: linear.score(instance.x()) };
    for (&weight, change) in linear.weights.iter().zip(choices.changes(instance)) {
        score.add(weight, &change);
    }
    score
}

/// Adds the trees' columns and rows. The score comes back with what rounding may add to it.
fn add_trees(
    program: &mut Program,
    instance: &Instance,
    ensemble: &TreeEnsemble,
    choices: &Choices,
    compact: bool,
) -> (Vec<Leaves>, Expression) {
    let owner = owners(instance);
    // What every leaf of a tree adds is a constant, which is taken out: large numbers would hide the differences from a solver.
    let (mut base, mut size) = (0.0, ensemble.threshold.abs());
    let mut score = Vec::new();
    let mut blocks = Vec::new();
    for (t, tree) in ensemble.trees.iter().enumerate() {
        let splits = Splits { instance, choices, owner: &owner, tree };
        let mut reachable = Vec::new();
        splits.collect(0, &mut vec![None; instance.features().len()], &mut reachable);
        let first = program.columns.len();
        let least =
            reachable.iter().fold(f64::INFINITY, |least, (leaf, _)| least.min(tree.value[*leaf]));
        for (leaf, _) in &reachable {
            let phi = program.add_binary(format!("phi_{t}_{leaf}"));
            score.push((phi, tree.value[*leaf] - least));
            size += tree.value[*leaf].abs();
        }
        base += least;
        let all = (first..program.columns.len()).map(|phi| (phi, 1.0));
        program.add_row(format!("one_leaf_{t}"), 1.0, 1.0, all);
        let nodes: Vec<usize> = reachable.iter().map(|(leaf, _)| *leaf).collect();
        if compact {
            splits.add_node_rows(program, t, &nodes, first);
        } else {
            for (position, (leaf, allowed)) in reachable.iter().enumerate() {
                add_leaf_row(program, choices, (t, *leaf), allowed, first + position);
            }
        }
        blocks.push(Leaves { tree: t, nodes, first });
    }
    // Sums are exact in a program: plans that are rejected only because of rounding are left to the checker, which forbids them.
    let rounded = 4.0 * (ensemble.trees.len() + 2) as f64 * f64::EPSILON * size;
    let constant = base + rounded - ensemble.least_exact_sum();
    (blocks, Expression { terms: score, constant })
}

/// DACE's row: a leaf is taken only where every feature on its path has a fitting option.
fn add_leaf_row(
    program: &mut Program,
    choices: &Choices,
    (tree, leaf): (usize, usize),
    allowed: &[Option<Vec<bool>>],
    phi: usize,
) {
    let mut fitting = Expression::default();
    let mut features = 0.0;
    for (feature, options) in allowed.iter().enumerate() {
        let Some(options) = options else { continue };
        fitting.add(1.0, &choices.any(feature, options.iter().copied()));
        features += 1.0;
    }
    if features > 0.0 {
        let terms: Vec<_> = fitting.times(1.0).chain([(phi, -features)]).collect();
        program.add_row(format!("leaf_{tree}_{leaf}"), 0.0, f64::INFINITY, terms);
    }
}

/// Which feature owns a column, and at which position among its columns.
fn owners(instance: &Instance) -> Vec<Option<(usize, usize)>> {
    let mut owner = vec![None; instance.x().len()];
    for (f, feature) in instance.features().iter().enumerate() {
        for (position, &column) in feature.columns.iter().enumerate() {
            owner[column] = Some((f, position));
        }
    }
    owner
}

/// A tree's splits as seen by an instance's options.
struct Splits<'a> {
    instance: &'a Instance,
    choices: &'a Choices,
    owner: &'a [Option<(usize, usize)>],
    tree: &'a Tree,
}

impl Splits<'_> {
    /// For the split of a node, the feature it is about and which of its options, or pieces of them, go left; `Err`
    /// says where a column that never changes goes.
    fn left_options(&self, node: usize) -> Result<(usize, Vec<bool>), bool> {
        let column = self.tree.feature[node] as usize;
        let threshold = self.tree.threshold[node];
        match self.owner[column] {
            None => Err(self.instance.x()[column] <= threshold),
            Some((feature, position)) => {
                let options = &self.instance.features()[feature].options;
                let left = |option| options.value(option, position) <= threshold;
                let all = self.choices.representatives(feature).into_iter();
                Ok((feature, all.map(left).collect()))
            }
        }
    }

    /// The leaves that some choice reaches, each with the options that lead to it per feature on its path.
    fn collect(
        &self,
        node: usize,
        allowed: &mut Vec<Option<Vec<bool>>>,
        reachable: &mut Vec<(usize, Vec<Option<Vec<bool>>>)>,
    ) {
        if self.tree.is_leaf(node) {
            reachable.push((node, allowed.clone()));
            return;
        }
        let children = [(self.tree.left[node], true), (self.tree.right[node], false)];
        match self.left_options(node) {
            Err(goes_left) => {
                let child = children[usize::from(!goes_left)].0;
                self.collect(child as usize, allowed, reachable);
            }
            Ok((feature, left)) => {
                for (child, side) in children {
                    let before = allowed[feature].clone();
                    let narrowed: Vec<bool> = left
                        .iter()
                        .enumerate()
                        .map(|(i, &goes)| goes == side && before.as_ref().is_none_or(|b| b[i]))
                        .collect();
                    if narrowed.contains(&true) {
                        allowed[feature] = Some(narrowed);
                        self.collect(child as usize, allowed, reachable);
                    }
                    allowed[feature] = before;
                }
            }
        }
    }

    /// Tighter rows: all leaves below one side of a split together are taken only where an option
    /// goes to that side.
    fn add_node_rows(&self, program: &mut Program, t: usize, leaves: &[usize], first: usize) {
        let mut open = vec![0];
        while let Some(node) = open.pop() {
            if self.tree.is_leaf(node) {
                continue;
            }
            let children = [self.tree.left[node] as usize, self.tree.right[node] as usize];
            open.extend(children);
            let Ok((feature, left)) = self.left_options(node) else { continue };
            for (child, side) in children.into_iter().zip([true, false]) {
                let below: Vec<_> = leaves
                    .iter()
                    .enumerate()
                    .filter(|&(_, &leaf)| self.is_below(leaf, child))
                    .map(|(position, _)| (first + position, -1.0))
                    .collect();
                if below.is_empty() {
                    continue;
                }
                let fitting = self.choices.any(feature, left.iter().map(|&goes| goes == side));
                let terms: Vec<_> = fitting.times(1.0).chain(below).collect();
                program.add_row(format!("side_{t}_{child}"), 0.0, f64::INFINITY, terms);
            }
        }
    }

    fn is_below(&self, leaf: usize, top: usize) -> bool {
        let mut open = vec![top];
        while let Some(node) = open.pop() {
            if node == leaf {
                return true;
            }
            if !self.tree.is_leaf(node) {
                open.extend([self.tree.left[node] as usize, self.tree.right[node] as usize]);
            }
        }
        false
    }
}
