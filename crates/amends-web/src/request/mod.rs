//! What is asked, read from JSON: strictly, and with everything that is wrong at once.

mod application;
mod body;
mod fields;
mod narrow;
mod path;
mod query;
mod question;
mod strict_json;
mod wishes;

pub use application::{application_json, read_application};
pub use body::JsonBody;
pub use fields::Fields;
pub use narrow::{levels_rule, narrowed};
pub use path::PathText;
pub use query::Query;
pub use question::Question;
pub use wishes::{Key, WishId, WishList};
