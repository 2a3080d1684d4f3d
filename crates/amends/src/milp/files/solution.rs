//! Solution files of other solvers: the format is recognised by its content.

use std::collections::HashMap;

/// What a solution file says.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::milp) struct SolutionFile {
    pub(in crate::milp) claim: Claim,
    /// One value per column; columns that the file leaves out are zero.
    pub(in crate::milp) values: Option<Vec<f64>>,
}

/// What a solver says about its solution.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::milp) enum Claim {
    Optimal,
    /// Optimal up to a gap that the file does not state.
    OptimalWithinGap,
    Infeasible,
    Unbounded,
    /// Stopped early, by time or another limit.
    Stopped,
    /// The file holds values only.
    Silent,
}

/// Reads a solution file of cbc, HiGHS, SCIP, GLPK (`-w`), or plain lines of name and value.
pub(in crate::milp) fn read_solution(
    text: &str,
    columns: &[String],
) -> Result<SolutionFile, String> {
    let first = text.lines().map(str::trim).find(|line| !line.is_empty()).unwrap_or_default();
    let reader = Reader::new(columns);
    if first.is_empty() {
        Err("the file is empty".to_owned())
    } else if first.starts_with("Model status") {
        read_highs(text, reader)
    } else if first.starts_with("solution status:") {
        read_scip(text, reader)
    } else if let Some(status) = text.lines().find_map(glpk_status) {
        read_glpk(text, &status, reader)
    } else if first.contains("objective value") {
        read_cbc(text, first, reader)
    } else {
        read_plain(text, reader)
    }
}

/// Values by name, in the order of the file.
struct Reader<'a> {
    index: HashMap<&'a str, usize>,
    values: Vec<f64>,
}

impl<'a> Reader<'a> {
    fn new(columns: &'a [String]) -> Self {
        let index = columns.iter().enumerate().map(|(index, name)| (name.as_str(), index));
        Self { index: index.collect(), values: vec![0.0; columns.len()] }
    }

    fn set(&mut self, line: &str, name: Option<&str>, value: Option<&str>) -> Result<(), String> {
        let (Some(name), Some(value)) = (name, value) else {
            return Err(unreadable(line));
        };
        let index = *self
            .index
            .get(name)
            .ok_or_else(|| format!("`{}` is about a column that was not asked for", line.trim()))?;
        self.set_at(line, Some(index), Some(value))
    }

    fn set_at(
        &mut self,
        line: &str,
        index: Option<usize>,
        value: Option<&str>,
    ) -> Result<(), String> {
        let value = value.and_then(|value| value.parse::<f64>().ok()).filter(|v| v.is_finite());
        match (index.and_then(|index| self.values.get_mut(index)), value) {
            (Some(place), Some(value)) => {
                *place = value;
                Ok(())
            }
            _ => Err(unreadable(line)),
        }
    }

    fn finish(self, claim: Claim, has_values: bool) -> SolutionFile {
        let has_values = has_values && !matches!(claim, Claim::Infeasible | Claim::Unbounded);
        SolutionFile { claim, values: has_values.then_some(self.values) }
    }
}

fn unreadable(line: &str) -> String {
    format!("can't make sense of the line `{}`", line.trim())
}

/// `Optimal - objective value 4.5`, then lines `index name value reduced-cost`, zeros left out, `**` before a value
/// that breaks a bound or row.
fn read_cbc(text: &str, first: &str, mut reader: Reader) -> Result<SolutionFile, String> {
    let status = first.to_ascii_lowercase();
    let claim = if status.starts_with("optimal (within gap") {
        Claim::OptimalWithinGap
    } else if status.starts_with("optimal") {
        Claim::Optimal
    } else if status.starts_with("infeasible") || status.starts_with("integer infeasible") {
        Claim::Infeasible
    } else if status.starts_with("unbounded") {
        Claim::Unbounded
    } else if status.starts_with("stopped") {
        Claim::Stopped
    } else {
        return Err(unreadable(first));
    };
    // Without a solution cbc writes that of the relaxation, or an objective of 1e50.
    let objective = status.rsplit(' ').next().and_then(|value| value.parse::<f64>().ok());
    let solved = !status.contains("no integer solution") && objective.is_some_and(|o| o < 1e49);
    if solved {
        for line in text.lines().skip_while(|line| line.trim() != first).skip(1) {
            let mut words = line.split_whitespace().skip_while(|word| *word == "**");
            if words.next().is_some() {
                reader.set(line, words.next(), words.next())?;
            }
        }
    }
    Ok(reader.finish(claim, solved))
}

/// `Model status`, the status on the next line, then sections headed by `#`.
fn read_highs(text: &str, mut reader: Reader) -> Result<SolutionFile, String> {
    let mut lines = text.lines().map(str::trim).skip_while(|line| *line != "Model status").skip(1);
    let claim = match lines.next().unwrap_or_default() {
        "Optimal" => Claim::Optimal,
        "Infeasible" => Claim::Infeasible,
        "Unbounded" => Claim::Unbounded,
        status if status.to_ascii_lowercase().contains("limit") => Claim::Stopped,
        status => return Err(format!("the model status is `{status}`")),
    };
    let mut lines = lines.skip_while(|line| !line.starts_with("# Primal")).skip(1);
    let feasible = lines.next() == Some("Feasible");
    let mut columns = lines.skip_while(|line| !line.starts_with("# Columns"));
    if let (true, Some(heading)) = (feasible, columns.next()) {
        let count = heading.rsplit(' ').next().and_then(|count| count.parse().ok());
        for line in columns.take(count.ok_or_else(|| unreadable(heading))?) {
            let mut words = line.split_whitespace();
            reader.set(line, words.next(), words.next())?;
        }
    }
    Ok(reader.finish(claim, feasible))
}

/// `solution status: optimal solution found`, `objective value: 4`, then lines `name value (obj:cost)`.
fn read_scip(text: &str, mut reader: Reader) -> Result<SolutionFile, String> {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let status = lines.next().unwrap_or_default().trim_start_matches("solution status:").trim();
    let claim = match status {
        "optimal solution found" => Claim::Optimal,
        "infeasible" => Claim::Infeasible,
        "unbounded" => Claim::Unbounded,
        "gap limit reached" => Claim::OptimalWithinGap,
        status if status.contains("limit") || status.contains("interrupt") => Claim::Stopped,
        status => return Err(format!("the solution status is `{status}`")),
    };
    let mut solved = false;
    for line in lines {
        if line.starts_with("objective value:") {
            solved = true;
        } else if line != "no solution available" {
            let mut words = line.split_whitespace();
            reader.set(line, words.next(), words.next())?;
        }
    }
    Ok(reader.finish(claim, solved))
}

/// The status line `s mip rows columns status objective` or `s bas rows columns primal dual objective`.
fn glpk_status(line: &str) -> Option<Vec<&str>> {
    let words: Vec<&str> = line.split_whitespace().collect();
    matches!(words.as_slice(), ["s", "mip" | "bas", _, _, _, ..]).then_some(words)
}

/// After the status, lines `j column value` (mip) or `j column state value dual` (bas), columns counted from 1.
fn read_glpk(text: &str, status: &[&str], mut reader: Reader) -> Result<SolutionFile, String> {
    let basic = status[1] == "bas";
    let claim = match (basic, status[4], status.get(5)) {
        (false, "o", _) | (true, "f", Some(&"f")) => Claim::Optimal,
        (_, "n", _) => Claim::Infeasible,
        (true, _, Some(&"n")) => Claim::Unbounded,
        (_, "f" | "u" | "i", _) => Claim::Stopped,
        _ => return Err(unreadable(&status.join(" "))),
    };
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        if words.first() == Some(&"j") {
            let index = words.get(1).and_then(|word| word.parse::<usize>().ok());
            let value = words.get(if basic { 3 } else { 2 }).copied();
            reader.set_at(line, index.and_then(|index| index.checked_sub(1)), value)?;
        }
    }
    Ok(reader.finish(claim, matches!(status[4], "o" | "f")))
}

/// Lines `name value`, with comments. They don't say whether the solution is optimal.
fn read_plain(text: &str, mut reader: Reader) -> Result<SolutionFile, String> {
    for line in text.lines().map(str::trim) {
        let comment = ["#", "*", "\\", "=obj="].iter().any(|mark| line.starts_with(mark));
        if !line.is_empty() && !comment {
            let mut words = line.split_whitespace();
            reader.set(line, words.next(), words.next())?;
        }
    }
    Ok(reader.finish(Claim::Silent, true))
}

#[cfg(test)]
#[path = "solution_tests.rs"]
mod tests;
