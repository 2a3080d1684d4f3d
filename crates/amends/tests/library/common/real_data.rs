//! Real data, where it is at hand: the folder `$AMENDS_DATA`, or `shared/data` beside the repository.

use std::path::PathBuf;

/// A file of the data, or, by way of `../cases`, of the solved instances next to it. Says so where there is none.
pub fn real_data(name: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("AMENDS_DATA").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    );
    let path = folder.join(name);
    if path.exists() {
        return Some(path);
    }
    println!("skipped: {name} is not in {} (set AMENDS_DATA to its folder)", folder.display());
    None
}
