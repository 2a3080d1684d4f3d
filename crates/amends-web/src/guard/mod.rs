//! What every request must pass, and what every answer is sent with.

mod headers;
mod log;
mod origin;
mod token;

pub use headers::security_headers;
pub use log::log;
pub use origin::check_origin;
pub use token::check_token;
