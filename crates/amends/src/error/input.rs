//! A problem with an input, in parts that programs can rephrase.

use std::fmt;

use super::{Setting, remedy_with};

/// A problem with an input: where it is, what was found there, what is wrong with it, what to do.
///
/// ```
/// use amends::InputError;
/// let error = InputError::new("is not a number")
///     .file("loans.csv").row(17).column("age").value("forty")
///     .remedy("write digits, or declare the feature as categorical in the schema");
/// assert_eq!(
///     error.to_string(),
///     "loans.csv, row 17, column `age`: `forty` is not a number; \
///      write digits, or declare the feature as categorical in the schema"
/// );
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct InputError {
    file: Option<String>,
    places: Vec<Place>,
    value: Option<String>,
    problem: String,
    /// Boxed to keep results small.
    remedy: Option<Box<Remedy>>,
}

/// What to do about a problem.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Remedy {
    text: String,
    /// The settings by whose change it is done.
    settings: Vec<Setting>,
}

/// Where in the input a problem is.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Place {
    Row(usize),
    Column(String),
    Setting(Setting),
    Other(String),
}

impl InputError {
    /// A problem, worded so that it can follow the value: "is not a number".
    pub fn new(problem: impl Into<String>) -> Self {
        Self { problem: problem.into(), ..Self::default() }
    }

    /// The file or other input, as the user named it.
    #[must_use]
    pub fn file(mut self, file: impl Into<String>) -> Self {
        self.file = Some(file.into());
        self
    }

    /// The data row, counted from 1 without the header.
    #[must_use]
    pub fn row(mut self, row: usize) -> Self {
        self.places.push(Place::Row(row));
        self
    }

    /// The column or feature.
    #[must_use]
    pub fn column(mut self, column: impl fmt::Display) -> Self {
        self.places.push(Place::Column(column.to_string()));
        self
    }

    /// The setting that is wrong.
    #[must_use]
    pub fn setting(mut self, setting: Setting) -> Self {
        self.places.push(Place::Setting(setting));
        self
    }

    /// Any other place: a field of a file, an option of the command line.
    #[must_use]
    pub fn at(mut self, place: impl Into<String>) -> Self {
        self.places.push(Place::Other(place.into()));
        self
    }

    /// A place that the others lie in: the line of a file, say.
    #[must_use]
    pub fn inside(mut self, place: impl Into<String>) -> Self {
        self.places.insert(0, Place::Other(place.into()));
        self
    }

    /// What was found there.
    #[must_use]
    pub fn value(mut self, value: impl fmt::Display) -> Self {
        self.value = Some(value.to_string());
        self
    }

    /// What to do about it.
    #[must_use]
    pub fn remedy(mut self, remedy: impl Into<String>) -> Self {
        self.remedy.get_or_insert_default().text = remedy.into();
        self
    }

    /// A setting by whose change the remedy is done.
    #[must_use]
    pub fn remedy_setting(mut self, setting: Setting) -> Self {
        self.remedy.get_or_insert_default().settings.push(setting);
        self
    }

    /// The file or other input, where it is known.
    pub fn file_name(&self) -> Option<&str> {
        self.file.as_deref()
    }

    /// The column or feature, where there is one.
    pub fn column_name(&self) -> Option<&str> {
        self.places.iter().find_map(|place| match place {
            Place::Column(column) => Some(column.as_str()),
            _ => None,
        })
    }

    /// What was found, as text.
    pub fn found(&self) -> Option<&str> {
        self.value.as_deref()
    }

    /// What is wrong with it.
    pub fn problem(&self) -> &str {
        &self.problem
    }

    /// What to do about it, in the library's words.
    pub fn remedy_text(&self) -> Option<&str> {
        self.remedy.as_ref().map(|remedy| remedy.text.as_str())
    }

    /// The message in the words of a program that wraps the library: `name` says how a setting is called there, if it has it.
    ///
    /// ```
    /// use amends::{InputError, Setting};
    /// let error = InputError::new("must be less than 1").setting(Setting::TestShare).value(2)
    ///     .remedy("hold out fewer rows").remedy_setting(Setting::TestShare);
    /// assert_eq!(error.to_string(), "test share: `2` must be less than 1; hold out fewer rows");
    /// assert_eq!(
    ///     error.message(|_| Some("--test-share")),
    ///     "--test-share: `2` must be less than 1; hold out fewer rows (--test-share)"
    /// );
    /// ```
    pub fn message(&self, name: impl Fn(Setting) -> Option<&'static str>) -> String {
        let places = self.places.iter().map(|place| match place {
            Place::Row(row) => format!("row {row}"),
            Place::Column(column) => format!("column `{column}`"),
            Place::Setting(setting) => name(*setting).unwrap_or(setting.name()).to_owned(),
            Place::Other(place) => place.clone(),
        });
        let places: Vec<String> = self.file.iter().cloned().chain(places).collect();
        let place =
            if places.is_empty() { String::new() } else { format!("{}: ", places.join(", ")) };
        let value = self.value.as_ref().map_or_else(String::new, |value| format!("`{value}` "));
        let remedy = self.remedy.as_ref().map(|remedy| {
            let names: Vec<&str> = remedy.settings.iter().filter_map(|&s| name(s)).collect();
            format!("; {}", remedy_with(&remedy.text, &names))
        });
        format!("{place}{value}{}{}", self.problem, remedy.unwrap_or_default())
    }

    /// The same problem where file and row are known already.
    #[must_use]
    pub fn without_row(mut self) -> Self {
        self.file = None;
        self.places.retain(|place| !matches!(place, Place::Row(_)) && !place.is_line());
        self
    }

    /// The same problem where no file is at hand: without its lines, and with another remedy in place of that to correct it.
    #[must_use]
    pub(crate) fn without_lines(mut self, correct_file: &str, instead: &str) -> Self {
        self.places.retain(|place| !place.is_line());
        if self.remedy_text() == Some(correct_file) { self.remedy(instead) } else { self }
    }

    /// The same problem in the row of an applicant, where it is the outermost place.
    pub(super) fn inside_row(mut self, row: usize) -> Self {
        self.places.insert(0, Place::Row(row));
        self
    }

    /// The same problem without what to do about it.
    #[must_use]
    pub fn without_remedy(mut self) -> Self {
        self.remedy = None;
        self
    }

    /// What to do about it, unless that is said already.
    #[must_use]
    pub(crate) fn or_remedy(self, remedy: &str) -> Self {
        if self.remedy.is_some() { self } else { self.remedy(remedy) }
    }
}

impl Place {
    /// Whether it is the line of a file.
    fn is_line(&self) -> bool {
        matches!(self, Self::Other(place) if place.starts_with("line "))
    }
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message(|_| None))
    }
}

impl std::error::Error for InputError {}
