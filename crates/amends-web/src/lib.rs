//! The HTTP server behind `amends serve`: one fitted explainer, asked by a page in the browser or by any program.
//!
//! A [`Service`] is what is served: model, explainer, rows and where they come from. [`Settings`] say to whom: address, token,
//! encryption and limits. A [`Server`] made of both listens from [`Server::bind`] on and answers in [`Server::run`], until its
//! [`Stopper`] is used.
//!
//! Requests go one way: the listener (`server/`), what everybody must pass (`guard/`), reading what is asked (`request/`), the
//! queue of solves (`solves.rs`), and back through the route's own file (`routes/`).
#![deny(missing_docs)]

mod app;
mod assets;
mod audits;
mod guard;
mod letters;
mod openapi;
mod receipts;
mod refusal;
mod request;
mod routes;
mod server;
mod service;
mod settings;
mod solves;
mod table_columns;

pub use letters::Letters;
pub use receipts::Receipts;
pub use server::{Server, Stopper};
pub use service::Service;
pub use settings::{Encryption, LEAST_TOKEN, Settings, Token};
pub use solves::SolveCounts;
