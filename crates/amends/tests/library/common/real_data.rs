//! Data sets that the repository doesn't hold: the folder `$AMENDS_DATA`, or `shared/data` beside the repository. Tests that need them are
//! ignored unless asked for: `make test-data`.

use std::path::PathBuf;

/// A file of the data sets, or, by way of `../cases`, of the solved instances next to them.
pub fn real_data(name: &str) -> PathBuf {
    let folder = std::env::var_os("AMENDS_DATA").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    );
    let path = folder.join(name);
    assert!(path.exists(), "{name} is not in {}: set AMENDS_DATA to its folder", folder.display());
    path
}
