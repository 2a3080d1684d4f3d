//! The figures of a classifier.

use amends::model::Quality;

pub fn quality_line(quality: &Quality) -> String {
    format!(
        "accuracy {:.1} %, precision {:.1} %, recall {:.1} %, F1 {:.1} %",
        100.0 * quality.accuracy,
        100.0 * quality.precision,
        100.0 * quality.recall,
        100.0 * quality.f1
    )
}
