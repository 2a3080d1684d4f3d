//! The part of an address behind the question mark, read as strictly as a body.

use amends::nearest_name;
use axum::extract::FromRequestParts;
use axum::http::request::Parts;

use super::fields::{cut, whole_number};
use crate::refusal::{Problem, Refusal};

/// Names and values, in their order.
pub struct Query {
    pairs: Vec<(String, String)>,
    known: Vec<&'static str>,
    problems: Vec<Problem>,
}

impl<S: Send + Sync> FromRequestParts<S> for Query {
    type Rejection = Refusal;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Refusal> {
        let pairs = axum::extract::Query::<Vec<(String, String)>>::from_request_parts(parts, state);
        let axum::extract::Query(pairs) = pairs.await.map_err(|_| {
            Refusal::unreadable(
                "the part behind `?` can't be read",
                "write it as name=value&name=value",
            )
        })?;
        Ok(Self { pairs, known: Vec::new(), problems: Vec::new() })
    }
}

impl Query {
    /// A text that is one of these; the first where it is absent.
    pub fn one_of<T: Copy>(
        &mut self,
        name: &'static str,
        choices: &[(&'static str, T)],
        otherwise: T,
    ) -> T {
        let Some(text) = self.get(name) else { return otherwise };
        if let Some((_, choice)) = choices.iter().find(|(known, _)| *known == text) {
            return *choice;
        }
        let names: Vec<&str> = choices.iter().map(|(known, _)| *known).collect();
        self.problems.push(Problem::new(
            format!("`{name}` is `{}`, which is not known here", cut(&text)),
            format!("use one of `{}`", names.join("`, `")),
        ));
        otherwise
    }

    /// Any text.
    pub fn text(&mut self, name: &'static str) -> Option<String> {
        self.get(name)
    }

    /// A whole number between two others.
    pub fn whole(
        &mut self,
        name: &'static str,
        [least, most]: [usize; 2],
        otherwise: usize,
    ) -> usize {
        let Some(text) = self.get(name) else { return otherwise };
        let number = text.parse().ok().filter(|number| (least..=most).contains(number));
        number.unwrap_or_else(|| {
            self.problems.push(Problem::new(
                format!("`{name}` is `{}`, which is not {}", cut(&text), whole_number(least, most)),
                "correct it, or leave it out",
            ));
            otherwise
        })
    }

    /// Refuses what is wrong, unknown names among it.
    pub fn finish(mut self) -> Result<(), Refusal> {
        for (index, (name, _)) in self.pairs.iter().enumerate() {
            if self.pairs[..index].iter().any(|(before, _)| before == name) {
                let message = format!("`{}` is given twice", cut(name));
                self.problems.push(Problem::new(message, "leave one of them out"));
                continue;
            }
            if self.known.contains(&name.as_str()) {
                continue;
            }
            let remedy = match nearest_name(name, self.known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => "leave it out".to_owned(),
            };
            self.problems.push(Problem::new(format!("`{}` is not known here", cut(name)), remedy));
        }
        if self.problems.is_empty() { Ok(()) } else { Err(Refusal::of_problems(self.problems)) }
    }

    /// A value; where there are several, the request is refused in the end.
    fn get(&mut self, name: &'static str) -> Option<String> {
        self.known.push(name);
        self.pairs.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
    }
}
