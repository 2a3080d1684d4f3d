//! The instance file: JSON, or JSON lines with one instance a line.

use super::Instance;
use crate::{InputError, Result};

/// Reads one instance, or several as JSON lines. `source` is named in messages.
pub fn read_instances(text: &str, source: &str) -> Result<Vec<Instance>> {
    if text.trim().is_empty() {
        return Err(InputError::new("is empty")
            .file(source)
            .remedy("give one instance as JSON, or one instance a line")
            .into());
    }
    match serde_json::from_str::<Instance>(text) {
        Ok(instance) => {
            instance.check().map_err(|error| error.in_file(source))?;
            Ok(vec![instance])
        }
        Err(error) if error.line() == 1 || !is_json_lines(text) => Err(malformed(&error, source)),
        Err(_) => text
            .lines()
            .enumerate()
            .filter(|(_, line)| !line.trim().is_empty())
            .map(|(index, line)| {
                let place = format!("{source}, line {}", index + 1);
                let instance: Instance =
                    serde_json::from_str(line).map_err(|error| malformed(&error, &place))?;
                instance.check().map_err(|error| error.in_file(&place))?;
                Ok(instance)
            })
            .collect(),
    }
}

/// JSON lines: the first line is a whole JSON object on its own.
fn is_json_lines(text: &str) -> bool {
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    serde_json::from_str::<serde_json::Value>(first).is_ok_and(|value| value.is_object())
}

fn malformed(error: &serde_json::Error, source: &str) -> crate::Error {
    InputError::new(format!("is not an instance: {error}"))
        .file(source)
        .remedy("docs/instance-format.md shows the fields")
        .into()
}

impl Instance {
    /// The instance as JSON on one line.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("an instance has nothing that JSON can't hold")
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Age and housing may change, the amount may not.
    const SMALL: &str = r#"{
        "version": 1, "x": [30, 10, 1, 0],
        "features": [
            {"name": "age", "columns": [0], "options": [[-1], [0], [2]]},
            {"name": "amount", "columns": [1], "options": [[0]]},
            {"name": "housing", "columns": [2, 3], "options": [[0, 0], [-1, 1]]}],
        "max_changes": 2,
        "classifier": {"kind": "linear", "weights": [0.1, 0, 0, 0.5], "intercept": -3.5},
        "cost": {
            "distance": {"kind": "l1-mahalanobis",
                         "factor": [[1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]]},
            "outlier": {"weight": 0.1, "metric": "squared-euclidean",
                        "points": [[30, 10, 1, 0], [33, 10, 0, 1]],
                        "k_distance": [4, 2], "density": [0.25, 0.5]}}}"#;

    pub(crate) fn small() -> Instance {
        read_instances(SMALL, "small.json").unwrap().remove(0)
    }

    #[test]
    fn what_is_written_reads_back_equal() {
        let instance = small();
        let text = instance.to_json();
        assert_eq!(read_instances(&text, "copy").unwrap(), vec![instance.clone()]);
        let lines = format!("{text}\n\n{text}\n");
        assert_eq!(read_instances(&lines, "lines").unwrap(), vec![instance.clone(), instance]);
    }

    #[test]
    fn a_broken_line_is_named() {
        let text = small().to_json();
        let broken = format!("{text}\n{{\"version\": 1}}\n");
        let message = read_instances(&broken, "many.jsonl").unwrap_err().to_string();
        assert!(message.starts_with("many.jsonl, line 2: is not an instance"), "{message}");
        let message = read_instances("[1, 2", "a.json").unwrap_err().to_string();
        assert!(message.starts_with("a.json: is not an instance"), "{message}");
        assert!(read_instances(" \n", "a.json").is_err());
    }
}
