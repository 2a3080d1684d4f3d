//! Files that appear whole or not at all: they are written under a temporary name in their own folder, then renamed.

use std::io;
use std::path::Path;

use tempfile::NamedTempFile;

/// A temporary file beside the file that it is to become, named after it: a process that is killed leaves it behind. Written,
/// it is moved to its name by [`NamedTempFile::persist`]; dropped, it is removed.
pub fn draft_of(path: &Path) -> io::Result<NamedTempFile> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let prefix = format!(".{name}.");
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(".part");
    make_readable(&mut builder);
    builder.tempfile_in(folder_of(path))
}

/// The folder that a file lies in.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Temporary files are private by default; results are as readable as any file the user makes.
#[cfg(unix)]
fn make_readable(builder: &mut tempfile::Builder) {
    use std::os::unix::fs::PermissionsExt;
    builder.permissions(std::fs::Permissions::from_mode(0o666));
}

#[cfg(not(unix))]
fn make_readable(_: &mut tempfile::Builder) {}
