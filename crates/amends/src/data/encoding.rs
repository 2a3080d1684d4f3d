//! Text files in the encodings that spreadsheets write: UTF-8, UTF-16 and Windows-1252.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use encoding_rs_io::{DecodeReaderBytes, DecodeReaderBytesBuilder};

/// The encoding of a text file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextEncoding {
    /// UTF-8, with or without a byte order mark.
    Utf8,
    /// UTF-16 with the lower byte first.
    Utf16LittleEndian,
    /// UTF-16 with the higher byte first.
    Utf16BigEndian,
    /// Windows-1252, which contains Latin-1.
    Windows1252,
}

/// A text file, read as UTF-8 whatever its encoding is.
pub struct TextFile {
    encoding: TextEncoding,
    text: BufReader<Decoded>,
}

/// The bytes of a file, or what they are decoded to.
enum Decoded {
    AsTheyAre(File),
    Decoder(Box<DecodeReaderBytes<File, Vec<u8>>>),
}

/// How many bytes are examined to recognise UTF-16 without a byte order mark.
const SAMPLE: usize = 4096;

/// Bytes that Windows-1252 leaves undefined.
const UNDEFINED: [u8; 5] = [0x81, 0x8d, 0x8f, 0x90, 0x9d];

impl TextEncoding {
    /// The name for people.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "UTF-8",
            Self::Utf16LittleEndian | Self::Utf16BigEndian => "UTF-16",
            Self::Windows1252 => "Windows-1252",
        }
    }

    const fn decoder(self) -> &'static Encoding {
        match self {
            Self::Utf8 => UTF_8,
            Self::Utf16LittleEndian => UTF_16LE,
            Self::Utf16BigEndian => UTF_16BE,
            Self::Windows1252 => WINDOWS_1252,
        }
    }
}

impl TextFile {
    /// Opens a file and detects its encoding, which takes one pass over the file.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        let path = path.as_ref();
        let encoding = detect(File::open(path)?)?;
        let file = File::open(path)?;
        let decoded = match encoding {
            // Bytes that are not UTF-8 must reach the reader, which names their line.
            TextEncoding::Utf8 => Decoded::AsTheyAre(file),
            other => {
                let mut builder = DecodeReaderBytesBuilder::new();
                let decoder = builder.encoding(Some(other.decoder())).strip_bom(true).build(file);
                Decoded::Decoder(Box::new(decoder))
            }
        };
        Ok(Self { encoding, text: BufReader::new(decoded) })
    }

    /// What the file is encoded in.
    pub fn encoding(&self) -> TextEncoding {
        self.encoding
    }
}

impl Read for Decoded {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::AsTheyAre(file) => file.read(buffer),
            Self::Decoder(decoder) => decoder.read(buffer),
        }
    }
}

impl Read for TextFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.text.read(buffer)
    }
}

impl BufRead for TextFile {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.text.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.text.consume(amount);
    }
}

/// Detects the encoding: by the byte order mark, by the zeros between Latin letters in UTF-16, or by whether all bytes are UTF-8.
///
/// A file that mixes characters of UTF-8 with other bytes is damaged. It counts as UTF-8, so that the error on reading it names the line.
fn detect(file: impl Read) -> io::Result<TextEncoding> {
    let mut reader = BufReader::with_capacity(1 << 16, file);
    let start = reader.fill_buf()?;
    if start.starts_with(b"\xff\xfe\0\0") || start.starts_with(b"\0\0\xfe\xff") {
        let message = "is in UTF-32, which is not read; save the table as CSV in UTF-8";
        return Err(io::Error::new(io::ErrorKind::Unsupported, message));
    }
    if let Some((marked, _)) = Encoding::for_bom(start) {
        return Ok(if marked == UTF_16LE {
            TextEncoding::Utf16LittleEndian
        } else if marked == UTF_16BE {
            TextEncoding::Utf16BigEndian
        } else {
            TextEncoding::Utf8
        });
    }
    let sample = &start[..start.len().min(SAMPLE)];
    let zeros = |odd: usize| sample.iter().skip(odd).step_by(2).filter(|&&byte| byte == 0).count();
    let (higher_first, lower_first) = (zeros(0), zeros(1));
    // Latin letters, digits and separators have one zero each.
    let most = sample.len() / 4;
    if lower_first > most && higher_first == 0 {
        return Ok(TextEncoding::Utf16LittleEndian);
    }
    if higher_first > most && lower_first == 0 {
        return Ok(TextEncoding::Utf16BigEndian);
    }
    let mut seen = Utf8Check::default();
    loop {
        let chunk = reader.fill_buf()?;
        if chunk.is_empty() {
            break;
        }
        seen.add(chunk);
        let length = chunk.len();
        reader.consume(length);
    }
    // Remaining bytes are the start of an incomplete character.
    let damaged = seen.damaged || !seen.open.is_empty();
    let latin = damaged && !seen.beyond_ascii && !seen.undefined;
    Ok(if latin { TextEncoding::Windows1252 } else { TextEncoding::Utf8 })
}

/// What is known about the bytes of a file, which are read in chunks.
#[derive(Default)]
struct Utf8Check {
    /// The first bytes of a character that continues in the next chunk.
    open: Vec<u8>,
    /// Whether there are characters of UTF-8 beyond ASCII.
    beyond_ascii: bool,
    /// Whether there are bytes that are not UTF-8.
    damaged: bool,
    /// Whether there are bytes that are not Windows-1252 either.
    undefined: bool,
}

impl Utf8Check {
    fn add(&mut self, chunk: &[u8]) {
        let mut bytes = std::mem::take(&mut self.open);
        bytes.extend_from_slice(chunk);
        self.undefined |= bytes.iter().any(|byte| UNDEFINED.contains(byte) || *byte == 0);
        for piece in bytes.utf8_chunks() {
            self.beyond_ascii |= !piece.valid().is_ascii();
            let invalid = piece.invalid();
            let at_end = std::ptr::eq(invalid.as_ptr_range().end, bytes.as_ptr_range().end);
            let unfinished =
                std::str::from_utf8(invalid).is_err_and(|error| error.error_len().is_none());
            if at_end && unfinished {
                self.open = invalid.to_vec();
            } else {
                self.damaged |= !invalid.is_empty();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "Käufer;Betrag\nMüller;1.234,50 €\n";

    fn utf16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
        text.encode_utf16().flat_map(bytes).collect()
    }

    fn read(bytes: &[u8]) -> (TextEncoding, Option<String>) {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), bytes).unwrap();
        let mut opened = TextFile::open(file.path()).unwrap();
        let mut text = String::new();
        let read = opened.read_to_string(&mut text).ok();
        (opened.encoding(), read.map(|_| text))
    }

    #[test]
    fn every_encoding_reads_as_the_same_text() {
        let (little, big) = (utf16(TEXT, u16::to_le_bytes), utf16(TEXT, u16::to_be_bytes));
        let windows = WINDOWS_1252.encode(TEXT).0.into_owned();
        for (bytes, encoding) in [
            (TEXT.as_bytes().to_vec(), TextEncoding::Utf8),
            ([b"\xff\xfe", &little[..]].concat(), TextEncoding::Utf16LittleEndian),
            (little, TextEncoding::Utf16LittleEndian),
            ([b"\xfe\xff", &big[..]].concat(), TextEncoding::Utf16BigEndian),
            (big, TextEncoding::Utf16BigEndian),
            (windows, TextEncoding::Windows1252),
        ] {
            assert_eq!(read(&bytes), (encoding, Some(TEXT.to_owned())));
        }
    }

    #[test]
    fn utf32_is_refused() {
        let file = tempfile::NamedTempFile::new().unwrap();
        for (mark, bytes) in [
            (&b"\xff\xfe\0\0"[..], u32::to_le_bytes as fn(u32) -> [u8; 4]),
            (b"\0\0\xfe\xff", u32::to_be_bytes),
        ] {
            let text = TEXT.chars().flat_map(|c| bytes(c as u32));
            std::fs::write(file.path(), mark.iter().copied().chain(text).collect::<Vec<u8>>())
                .unwrap();
            let message = crate::data::Table::read(file.path()).unwrap_err().to_string();
            assert!(
                message
                    .ends_with("is in UTF-32, which is not read; save the table as CSV in UTF-8"),
                "{message}"
            );
        }
    }

    #[test]
    fn damaged_utf8_stays_damaged() {
        for bytes in [&b"a,b\nM\xc3\xbcller,3\nM\xfcller,4\n"[..], b"a\n\x81\n", b"a\n\xfc\0\n"] {
            assert_eq!(read(bytes), (TextEncoding::Utf8, None));
        }
        assert_eq!(read(b""), (TextEncoding::Utf8, Some(String::new())));
    }

    #[test]
    fn characters_may_lie_across_pieces() {
        let text = "aä€\u{1F4B6}b".as_bytes();
        for cut in 0..=text.len() {
            let mut seen = Utf8Check::default();
            seen.add(&text[..cut]);
            seen.add(&text[cut..]);
            assert!(seen.beyond_ascii && !seen.damaged && seen.open.is_empty(), "{cut}");
        }
        let mut cut_off = Utf8Check::default();
        cut_off.add(b"a\xfc");
        cut_off.add(b"b");
        assert!(cut_off.damaged && cut_off.open.is_empty());
    }
}
