//! The report: its chapters as one document, written as HTML, Markdown, SVG figures and CSV tables.

mod chapters;
mod csv;
mod document;
mod html;
mod markdown;
mod plot;
mod words;
mod write;

pub use write::Report;
