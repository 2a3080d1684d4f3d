//! One column of a made-up table: what it holds, and what the schema says about changing it.

use std::fmt::Write;

use super::exact::Exact;

/// One cell of a table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Cell {
    Number(Exact),
    Level(usize),
    Code(usize),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Integer,
    Continuous,
    Binary,
    Categorical,
    Ordinal,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    Free,
    Immutable,
    Increase,
    Decrease,
}

/// A state beside the numbers or levels.
#[derive(Debug, Clone)]
pub struct Code {
    /// The cell as the table writes it.
    pub text: String,
    /// The number that the cell looks like.
    pub number: Option<Exact>,
    pub label: String,
    pub leave: bool,
    pub enter: bool,
}

/// The keys of a feature in the schema.
#[derive(Debug, Clone)]
pub struct Feature {
    pub name: String,
    pub kind: Kind,
    pub levels: Vec<String>,
    pub change: Change,
    pub step: Option<Exact>,
    pub range: Option<[Exact; 2]>,
    pub relative_range: Option<[Exact; 2]>,
    pub max_change: Option<Exact>,
    pub least_change: Option<Exact>,
    pub one_step: bool,
    /// The levels that may follow each other; any may where there are none.
    pub moves: Vec<(usize, usize)>,
    pub effort: Option<&'static str>,
    pub codes: Vec<Code>,
}

/// What the training rows hold of one column.
#[derive(Debug, Clone, Default)]
pub struct Seen {
    /// The least and the greatest number.
    pub numbers: Option<[Exact; 2]>,
    /// The most decimals of any number.
    pub places: u32,
    /// Whether some row has the code.
    pub codes: Vec<bool>,
}

impl Seen {
    pub fn of(feature: &Feature, column: impl Iterator<Item = Cell>) -> Self {
        let mut seen = Self { codes: vec![false; feature.codes.len()], ..Self::default() };
        for cell in column {
            match cell {
                Cell::Number(number) => {
                    let [low, high] = seen.numbers.unwrap_or([number; 2]);
                    seen.numbers = Some([low.min(number), high.max(number)]);
                    seen.places = seen.places.max(number.places());
                }
                Cell::Code(code) => seen.codes[code] = true,
                Cell::Level(_) => {}
            }
        }
        seen
    }
}

impl Feature {
    pub fn new(name: &str, kind: Kind) -> Self {
        Self {
            name: name.to_owned(),
            kind,
            levels: Vec::new(),
            change: Change::Free,
            step: None,
            range: None,
            relative_range: None,
            max_change: None,
            least_change: None,
            one_step: false,
            moves: Vec::new(),
            effort: None,
            codes: Vec::new(),
        }
    }

    /// Whether its values can rise and fall.
    pub fn has_order(&self) -> bool {
        self.kind != Kind::Categorical
    }

    /// The cell as the table writes it.
    pub fn text(&self, cell: Cell) -> String {
        match cell {
            Cell::Number(number) => number.to_string(),
            Cell::Level(level) => self.levels[level].clone(),
            Cell::Code(code) => self.codes[code].text.clone(),
        }
    }

    /// The cell as a plan shows it.
    pub fn shown(&self, cell: Cell) -> String {
        match cell {
            Cell::Code(code) => self.codes[code].label.clone(),
            _ => self.text(cell),
        }
    }

    /// The moves between levels, one by one.
    fn moves_toml(&self) -> String {
        let one = |&(from, to): &(usize, usize)| {
            format!("{{ from = {:?}, to = [{:?}] }}", self.levels[from], self.levels[to])
        };
        format!("[{}]", self.moves.iter().map(one).collect::<Vec<_>>().join(", "))
    }

    /// The `[[feature]]` of the schema file.
    pub fn toml(&self) -> String {
        let kind = format!("{:?}", self.kind).to_lowercase();
        let mut text = format!("[[feature]]\nname = \"{}\"\nkind = \"{kind}\"\n", self.name);
        let mut key = |name: &str, value: Option<String>| {
            if let Some(value) = value {
                let _ = writeln!(text, "{name} = {value}");
            }
        };
        let pair = |pair: [Exact; 2]| format!("[{}, {}]", pair[0], pair[1]);
        let number = |number: Exact| number.to_string();
        key("levels", (!self.levels.is_empty()).then(|| format!("{:?}", self.levels)));
        let change = format!("\"{:?}\"", self.change).to_lowercase();
        key("change", (self.change != Change::Free).then_some(change));
        key("step", self.step.map(number));
        key("range", self.range.map(pair));
        key("relative_range", self.relative_range.map(pair));
        key("max_change", self.max_change.map(number));
        key("least_change", self.least_change.map(number));
        key("one_step", self.one_step.then(|| "true".to_owned()));
        key("moves", (!self.moves.is_empty()).then(|| self.moves_toml()));
        key("effort", self.effort.map(str::to_owned));
        let codes: Vec<String> = self.codes.iter().map(Code::toml).collect();
        key("codes", (!codes.is_empty()).then(|| format!("[{}]", codes.join(", "))));
        text
    }
}

impl Code {
    fn toml(&self) -> String {
        let value = match self.number {
            Some(_) => self.text.clone(),
            None => format!("\"{}\"", self.text),
        };
        let mut text = format!("{{ value = {value}, label = \"{}\"", self.label);
        text.push_str(if self.leave { ", leave = true" } else { "" });
        text.push_str(if self.enter { ", enter = true" } else { "" });
        text + " }"
    }
}
