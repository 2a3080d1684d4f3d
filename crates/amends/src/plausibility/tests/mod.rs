//! Tests of what is not public.

mod coded_columns;
mod covariances;
