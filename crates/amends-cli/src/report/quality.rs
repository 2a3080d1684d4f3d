//! The figures of a classifier.

use amends::model::Quality;

/// The figures in words; why one is undefined stands behind them.
pub fn quality_line(quality: &Quality) -> String {
    let percent = |share: Option<f64>| {
        share.map_or_else(|| "undefined".to_owned(), |share| format!("{:.1} %", 100.0 * share))
    };
    let why = match (quality.precision, quality.recall) {
        (Some(_), Some(_)) => "",
        (None, Some(_)) => " (nobody is accepted)",
        (Some(_), None) => " (no outcome is favourable)",
        (None, None) => " (nobody is accepted, and no outcome is favourable)",
    };
    format!(
        "accuracy {}, precision {}, recall {}, F1 {}{why}",
        percent(Some(quality.accuracy)),
        percent(quality.precision),
        percent(quality.recall),
        percent(quality.f1)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_of_nothing_are_called_undefined() {
        assert_eq!(
            quality_line(&Quality::measure(&[true, false], &[true, true])),
            "accuracy 50.0 %, precision 100.0 %, recall 50.0 %, F1 66.7 %"
        );
        assert_eq!(
            quality_line(&Quality::measure(&[false], &[false])),
            "accuracy 100.0 %, precision undefined, recall undefined, F1 undefined (nobody is accepted, and no outcome is favourable)"
        );
        assert_eq!(
            quality_line(&Quality::measure(&[false], &[true])),
            "accuracy 0.0 %, precision undefined, recall 0.0 %, F1 0.0 % (nobody is accepted)"
        );
    }
}
