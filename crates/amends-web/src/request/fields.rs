//! The fields of a JSON object, read one by one: what is wrong is collected, and unknown keys are found at the end.

use amends::nearest_name;
use serde_json::{Map, Value};

use crate::refusal::{Problem, Refusal};

/// More of a wrong value than this is not repeated in a message.
const SHOWN: usize = 40;

/// So many problems are reported at once: more nobody reads.
pub const MOST_PROBLEMS: usize = 100;

/// The fields of an object, and what is wrong with them so far.
pub struct Fields<'a> {
    object: &'a Map<String, Value>,
    /// Where the object is, with a point behind it; empty for the whole body.
    place: String,
    /// The feature that the object is about, where it is about one.
    feature: Option<&'a str>,
    known: Vec<&'static str>,
    problems: Vec<Problem>,
}

impl<'a> Fields<'a> {
    /// The fields of the whole body.
    pub fn of_body(object: &'a Map<String, Value>) -> Self {
        Self::new(object, String::new(), None)
    }

    /// The fields of an object inside another.
    pub fn new(object: &'a Map<String, Value>, place: String, feature: Option<&'a str>) -> Self {
        Self { object, place, feature, known: Vec::new(), problems: Vec::new() }
    }

    /// Where the object is, with a point behind it.
    pub fn place(&self) -> &str {
        &self.place
    }

    /// A field, where it is there; null counts as absent.
    pub fn get(&mut self, key: &'static str) -> Option<&'a Value> {
        if !self.known.contains(&key) {
            self.known.push(key);
        }
        self.object.get(key).filter(|value| !value.is_null())
    }

    /// Adds something that is wrong.
    pub fn add(&mut self, mut problem: Problem) {
        if self.problems.len() < MOST_PROBLEMS {
            problem.feature = problem.feature.or_else(|| self.feature.map(str::to_owned));
            self.problems.push(problem);
        }
    }

    /// Adds several things that are wrong.
    pub fn add_all(&mut self, problems: Vec<Problem>) {
        for problem in problems {
            self.add(problem);
        }
    }

    /// Adds that a field is not what it should be.
    pub fn add_wrong(&mut self, key: &str, value: &Value, wanted: &str) {
        // That a list is no list would only confuse.
        let is = match value {
            Value::Array(_) if wanted.starts_with("a list") => {
                format!("`{}`", cut(&value.to_string()))
            }
            _ => shown(value),
        };
        let problem = Problem::new(
            format!("`{}{key}` is {is}, not {wanted}", self.place),
            format!("give {wanted}, or leave it out"),
        );
        self.add(problem);
    }

    /// True or false.
    pub fn flag(&mut self, key: &'static str, otherwise: bool) -> bool {
        match self.get(key) {
            None => otherwise,
            Some(Value::Bool(flag)) => *flag,
            Some(other) => {
                self.add_wrong(key, other, "true or false");
                otherwise
            }
        }
    }

    /// A whole number between two others.
    pub fn whole(&mut self, key: &'static str, [least, most]: [usize; 2]) -> Option<usize> {
        let value = self.get(key)?;
        let number = whole(value).filter(|number| (least..=most).contains(number));
        if number.is_none() {
            self.add_wrong(key, value, &whole_number(least, most));
        }
        number
    }

    /// A number above 0 and up to another.
    pub fn positive(&mut self, key: &'static str, most: f64) -> Option<f64> {
        let value = self.get(key)?;
        let number = value.as_f64().filter(|&number| number > 0.0 && number <= most);
        if number.is_none() {
            self.add_wrong(key, value, &format!("a number above 0 and up to {most}"));
        }
        number
    }

    /// An object.
    pub fn object(&mut self, key: &'static str) -> Option<&'a Map<String, Value>> {
        let value = self.get(key)?;
        if value.as_object().is_none() {
            self.add_wrong(key, value, "an object");
        }
        value.as_object()
    }

    /// Everything that is wrong, unknown keys among it.
    pub fn problems(mut self) -> Vec<Problem> {
        let unknown = self.object.keys().filter(|key| !self.known.contains(&key.as_str()));
        for key in unknown.take(MOST_PROBLEMS).cloned().collect::<Vec<String>>() {
            let free = self.known.iter().copied().filter(|known| !self.object.contains_key(*known));
            let remedy = match nearest_name(&key, free) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("the keys here are `{}`", self.known.join("`, `")),
            };
            let problem =
                Problem::new(format!("`{}{}` is not a known key", self.place, cut(&key)), remedy);
            self.add(problem);
        }
        self.problems
    }

    /// Refuses the request where anything is wrong with it.
    pub fn finish(self) -> Result<(), Refusal> {
        let problems = self.problems();
        if problems.is_empty() { Ok(()) } else { Err(Refusal::of_problems(problems)) }
    }
}

/// A whole number, which some programs write with decimals: 2.0.
pub fn whole(value: &Value) -> Option<usize> {
    let number = value.as_u64().or_else(|| {
        // Beyond this, not every whole number is one.
        let exact = |number: &f64| number.fract() == 0.0 && (0.0..=9.0e15).contains(number);
        value.as_f64().filter(exact).map(|number| number as u64)
    });
    number.and_then(|number| usize::try_from(number).ok())
}

/// A value for a message.
pub fn shown(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Array(_) => "a list".to_owned(),
        Value::Object(_) => "an object".to_owned(),
        Value::String(text) => format!("the text `{}`", cut(text)),
        Value::Bool(_) | Value::Number(_) => format!("`{value}`"),
    }
}

/// The start of a text, and a sign that it goes on.
pub fn cut(text: &str) -> String {
    match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}...", &text[..end]),
        None => text.to_owned(),
    }
}

/// What a whole number has to be, for people.
pub(super) fn whole_number(least: usize, most: usize) -> String {
    if most == usize::MAX {
        format!("a whole number of at least {least}")
    } else {
        format!("a whole number from {least} to {most}")
    }
}
