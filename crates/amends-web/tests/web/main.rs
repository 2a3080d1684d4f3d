//! The server as its clients meet it: over a connection of its own, on a free port of this machine.

mod audits;
mod contract;
mod hostile;
mod letters_and_receipts;
mod load;
mod prices;
mod refusals;
mod routes;
mod security;
mod support;
mod tls;
mod why_none;
mod wishes;
