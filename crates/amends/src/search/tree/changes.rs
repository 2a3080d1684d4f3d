//! The number of changes, where each of them costs something.
//!
//! No relaxation says how many features change: half a change would cost half. So regions know how many changes their plans make at
//! least, and bounds are raised by what these cost. Where the features that change are looked for as sets (`sets/`), each number of
//! changes has a root of its own. Elsewhere roots would do the same work several times; there is one, and regions are split where it
//! makes a difference: no further feature changes, or at least one does.

use crate::search::layout::movable::Part;
use crate::search::layout::region::Region;
use crate::search::layout::space::Space;
use crate::search::tree::node::{Node, Task};
use crate::search::tree::sets::Sets;

impl Task<'_> {
    /// The whole space, in parts by the number of changes. A plan belongs to the part with as many changes as it makes, although
    /// regions of other parts may hold it, too.
    pub(in crate::search) fn roots(&self, sets: &Sets) -> Vec<Node> {
        let wanted = numbers(self.space, sets);
        let share = 1.0 / wanted.len() as f64;
        wanted.into_iter().map(|wanted| self.root(wanted, share)).collect()
    }
}

/// The numbers of changes, from and to, that are searched apart from each other.
fn numbers(space: &Space, sets: &Sets) -> Vec<(usize, usize)> {
    let most = space.instance.max_changes();
    if space.instance.cost().change_cost == 0.0 {
        return vec![(0, most)];
    }
    // Somebody who is rejected as they are has to change something.
    let Some(largest) = sets.largest() else { return vec![(1, most)] };
    let movable = space.parts.iter().filter(|part| !matches!(part, Part::Fixed)).count();
    let most = most.min(movable);
    let mut numbers: Vec<(usize, usize)> =
        (1..=most.min(largest)).map(|changes| (changes, changes)).collect();
    if most > largest {
        numbers.push((largest + 1, most));
    }
    numbers
}

/// Splits a region by whether more features change than surely do; `None` where that makes no difference, or none yet.
pub(in crate::search) fn by_number(space: &Space, region: &Region) -> Option<Vec<Region>> {
    let (least, most) = region.wanted;
    if space.instance.cost().change_cost == 0.0 || least >= most {
        return None;
    }
    let sure = region.sure_changes(space);
    if sure < least || sure >= most || region.undecided(space).is_empty() {
        return None;
    }
    let part = |wanted| Region { wanted, ..region.clone() };
    Some(vec![part((sure, sure)), part((sure + 1, most))])
}
