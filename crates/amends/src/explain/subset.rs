//! Subsets of a few things, by their size.

/// Every subset of `0..count` with at most `most` members: the smallest first, each in rising order.
pub(super) fn subsets(count: usize, most: usize) -> impl Iterator<Item = Vec<usize>> {
    (0..=most.min(count)).flat_map(move |size| {
        let mut next = Some((0..size).collect::<Vec<usize>>());
        std::iter::from_fn(move || {
            let current = next.take()?;
            next = successor(&current, count);
            Some(current)
        })
    })
}

/// The next subset of the same size, in lexicographic order.
fn successor(subset: &[usize], count: usize) -> Option<Vec<usize>> {
    let size = subset.len();
    let rising = (0..size).rev().find(|&index| subset[index] + (size - index) < count)?;
    let mut next = subset[..rising].to_vec();
    next.extend((1..=size - rising).map(|step| subset[rising] + step));
    Some(next)
}

#[cfg(test)]
mod tests {
    use super::subsets;

    #[test]
    fn subsets_come_by_size_and_once() {
        let list: Vec<Vec<usize>> = subsets(3, 2).collect();
        let expected: [&[usize]; 7] = [&[], &[0], &[1], &[2], &[0, 1], &[0, 2], &[1, 2]];
        assert_eq!(list, expected);
        assert_eq!(subsets(2, 9).count(), 4);
        assert_eq!(subsets(0, 3).collect::<Vec<_>>(), [Vec::<usize>::new()]);
        assert_eq!(subsets(12, 3).filter(|subset| subset.len() == 3).count(), 220);
    }
}
