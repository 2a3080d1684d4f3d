//! Sixteen hexadecimal digits that stand for a text or a table, the same on every machine.

/// FNV-1a over texts, each with its end, added one after the other.
#[derive(Debug, Clone, Copy)]
pub struct Fingerprint(u64);

impl Default for Fingerprint {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Fingerprint {
    /// Adds texts, each with its end.
    pub fn add<'a>(&mut self, texts: impl IntoIterator<Item = &'a str>) {
        for byte in texts.into_iter().flat_map(|text| text.bytes().chain([b'\n'])) {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    /// The sixteen digits.
    pub fn text(self) -> String {
        format!("{:016x}", self.0)
    }
}

/// The fingerprint of these texts.
pub fn of_texts<'a>(texts: impl IntoIterator<Item = &'a str>) -> String {
    let mut fingerprint = Fingerprint::default();
    fingerprint.add(texts);
    fingerprint.text()
}

/// The fingerprint of a table: its header and all cells.
pub fn of_table(table: &amends::data::Table) -> String {
    of_texts(table.header.iter().chain(table.rows.iter().flatten()).map(String::as_str))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_texts_differ_and_equal_ones_agree() {
        // Results files hold such texts.
        assert_eq!(of_texts([]), "cbf29ce484222325");
        assert_eq!(of_texts(["a"]), of_texts(["a"]));
        assert_ne!(of_texts(["ab", "c"]), of_texts(["a", "bc"]));
        let mut parts = Fingerprint::default();
        parts.add(["a"]);
        parts.add(["b", "c"]);
        assert_eq!(parts.text(), of_texts(["a", "b", "c"]));
    }
}
