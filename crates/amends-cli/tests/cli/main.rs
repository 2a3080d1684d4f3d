//! The program as its users meet it: one binary, one named test per behaviour.

mod audit;
mod bad_files;
mod bad_instance;
mod bad_settings;
mod bad_table;
mod batches;
mod check_rules;
mod explain;
mod export;
mod heloc;
mod init;
mod letter;
mod library_models;
mod memory;
mod missing;
mod models;
mod networks;
mod provenance;
mod reasons;
mod reproduce;
mod rules;
mod shared_records;
mod snapshots;
mod solve;
mod support;
mod wishes;
