//! XML as a tree of elements, as far as PMML needs it.

use quick_xml::Reader;
use quick_xml::XmlVersion;
use quick_xml::events::{BytesStart, Event};

use crate::InputError;

/// Elements within elements deeper than this are refused.
const DEEPEST: usize = 200;

/// An element.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Element {
    /// Its name without a namespace.
    pub(super) name: String,
    attributes: Vec<(String, String)>,
    pub(super) children: Vec<Element>,
    pub(super) text: String,
}

impl Element {
    /// Reads a document.
    pub(super) fn parse(text: &str) -> Result<Self, InputError> {
        let mut reader = Reader::from_str(text);
        let mut open = vec![Self::default()];
        loop {
            let event = reader.read_event().map_err(|error| broken(&error.to_string()))?;
            match event {
                Event::Start(start) => {
                    if open.len() == DEEPEST {
                        return Err(broken("its elements are too deep"));
                    }
                    open.push(element(&start)?);
                }
                Event::Empty(start) => close(&mut open, element(&start)?),
                Event::End(_) => {
                    let Some(done) = open.pop() else { return Err(broken("it ends too early")) };
                    if open.is_empty() {
                        return Err(broken("it ends too early"));
                    }
                    close(&mut open, done);
                }
                Event::Text(text) => {
                    if let Some(inner) = open.last_mut() {
                        inner.text.push_str(&text);
                    }
                }
                Event::GeneralRef(entity) => {
                    let text =
                        resolved(&entity).ok_or_else(|| broken("it has an unknown entity"))?;
                    if let Some(inner) = open.last_mut() {
                        inner.text.push(text);
                    }
                }
                Event::Eof => break,
                _ => {}
            }
        }
        match (open.pop(), open.is_empty()) {
            (Some(document), true) if !document.children.is_empty() => Ok(document),
            _ => Err(broken("an element is not closed")),
        }
    }

    pub(super) fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// The first child of a name.
    pub(super) fn child(&self, name: &str) -> Option<&Self> {
        self.children.iter().find(|child| child.name == name)
    }

    /// All children of a name.
    pub(super) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Self> {
        self.children.iter().filter(move |child| child.name == name)
    }
}

fn close(open: &mut [Element], done: Element) {
    if let Some(outer) = open.last_mut() {
        outer.children.push(done);
    }
}

fn element(start: &BytesStart<'_>) -> Result<Element, InputError> {
    let name = start.local_name().as_ref().to_owned();
    let attributes = start.attributes().map(|attribute| {
        let attribute = attribute.map_err(|error| broken(&error.to_string()))?;
        let key = attribute.key.local_name().as_ref().to_owned();
        let value = attribute
            .normalized_value(XmlVersion::Implicit1_0)
            .map_err(|error| broken(&error.to_string()))?;
        Ok((key, value.into_owned()))
    });
    let attributes = attributes.collect::<Result<_, InputError>>()?;
    Ok(Element { name, attributes, ..Element::default() })
}

/// The sign that an entity stands for.
fn resolved(name: &str) -> Option<char> {
    match name {
        "lt" => Some('<'),
        "gt" => Some('>'),
        "amp" => Some('&'),
        "quot" => Some('"'),
        "apos" => Some('\''),
        _ => {
            let digits = name.strip_prefix('#')?;
            let code = match digits.strip_prefix('x') {
                Some(hex) => u32::from_str_radix(hex, 16).ok()?,
                None => digits.parse().ok()?,
            };
            char::from_u32(code)
        }
    }
}

fn broken(why: &str) -> InputError {
    InputError::new(format!("is broken XML ({why})")).remedy("export the scorecard as PMML again")
}
