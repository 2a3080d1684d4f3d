//! Lists divided in place by a test.

/// Moves the items for which a test holds to the front, and counts them.
pub(crate) fn partition(items: &mut [u32], front: impl Fn(u32) -> bool) -> usize {
    let mut count = 0;
    for i in 0..items.len() {
        if front(items[i]) {
            items.swap(i, count);
            count += 1;
        }
    }
    count
}
