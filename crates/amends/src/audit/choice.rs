//! Who is audited: rows of a table, perhaps only up to some rejected applicants.

/// Keeps the rows up to and with the last of so many whom the model rejects, and says so in words where rows are left out. The
/// accepted before them stay: shares of all would mean nothing without them.
pub fn stop_after_rejected(
    records: &mut Vec<usize>,
    most: usize,
    rejected: impl Fn(usize) -> bool,
) -> Option<String> {
    let mut ends = records.iter().enumerate().filter(|&(_, &record)| rejected(record));
    let end = match most.checked_sub(1) {
        None => Some(0),
        Some(before) => ends.nth(before).map(|(index, _)| index + 1),
    };
    let end = end.filter(|&end| end < records.len())?;
    records.truncate(end);
    Some(format!(", up to the first {most} who are rejected"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_stays_up_to_the_last_rejected() {
        let rejected = |record: usize| record % 2 == 1;
        let kept = |most: usize| {
            let mut records = vec![1, 2, 4, 7, 8, 9];
            let words = stop_after_rejected(&mut records, most, rejected);
            (records, words.is_some())
        };
        assert_eq!(kept(0), (vec![], true));
        assert_eq!(kept(1), (vec![1], true));
        assert_eq!(kept(2), (vec![1, 2, 4, 7], true));
        assert_eq!(kept(3), (vec![1, 2, 4, 7, 8, 9], false));
        assert_eq!(kept(9), (vec![1, 2, 4, 7, 8, 9], false));
    }
}
