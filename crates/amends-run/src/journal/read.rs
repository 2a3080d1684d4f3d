//! Reading a journal back, whose last line may be incomplete.

use std::io::{BufRead, Read};
use std::path::Path;

use amends::{Error, InputError, Result};
use serde::de::DeserializeOwned;

use super::header::{Conditions, Header};

/// First lines are shorter than this many bytes.
const LONGEST_HEADER: u64 = 16 << 20;

/// What was understood of a file.
pub(super) struct Content<C> {
    pub(super) header: Option<Header<C>>,
    /// How many bytes are whole lines.
    pub(super) sound: u64,
}

/// Reads a file line by line and hands entries over with their offsets.
pub(super) fn read<C: Conditions, E: DeserializeOwned>(
    mut file: impl BufRead,
    path: &Path,
    check: impl Fn(&Header<C>) -> Result<()>,
    mut each: impl FnMut(E, u64) -> bool,
) -> Result<Content<C>> {
    let refused = |error| Error::file(path, error);
    let mut content = Content { header: None, sound: 0 };
    let mut line = Vec::new();
    for index in 0_usize.. {
        line.clear();
        // Another file may be a single line of any length.
        let longest = if index == 0 { LONGEST_HEADER } else { u64::MAX };
        if file.by_ref().take(longest).read_until(b'\n', &mut line).map_err(refused)? == 0 {
            break;
        }
        // Half a line may be a whole object by chance; it is not trusted.
        let whole = line.ends_with(b"\n");
        let last = file.fill_buf().map_err(refused)?.is_empty();
        let understood = if index == 0 {
            content.header = serde_json::from_slice(&line).ok().filter(|_| whole);
            content.header.as_ref().map_or(Ok(()), &check)?;
            content.header.is_some()
        } else {
            let entry = serde_json::from_slice(&line).ok().filter(|_| whole);
            entry.is_some_and(|entry| each(entry, content.sound))
        };
        if understood {
            content.sound += line.len() as u64;
        } else if !(last && (index > 0 || !whole && line.starts_with(b"{\"format\""))) {
            return Err(InputError::new(format!("is not a line of a {}", C::FILE))
                .file(path.display().to_string())
                .at(format!("line {}", index + 1))
                .remedy(format!("remove the file to start again, or {}", C::ELSEWHERE))
                .into());
        }
    }
    Ok(content)
}
