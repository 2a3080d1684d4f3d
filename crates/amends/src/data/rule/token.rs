//! A rule's text, cut into words, numbers and signs.

use crate::InputError;

/// Longer texts are refused: no person writes such a rule.
const LONGEST: usize = 4000;

/// Beyond this, numbers have no room left for decimals; tables refuse them, too.
const LARGEST: f64 = 1e15;

/// The words of the language. A feature or level that is called so stands in quotes.
const KEYWORDS: [&str; 24] = [
    "and", "at", "by", "change", "changes", "does", "fall", "falls", "if", "is", "least", "most",
    "must", "never", "not", "of", "one", "or", "rise", "rises", "stay", "stays", "then",
    "together",
];

/// Signs, those of two characters first.
const SIGNS: [&str; 12] = ["<=", ">=", "!=", "==", "<", ">", "=", "+", "-", "*", "(", ")"];

/// A piece of the text and what it is.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Token<'a> {
    pub what: What,
    /// As it was written.
    pub piece: &'a str,
}

#[derive(Debug, Clone, PartialEq)]
pub(super) enum What {
    /// A keyword, in small letters.
    Keyword(&'static str),
    /// Any other word: a feature, a level, the label of a code.
    Word,
    /// A feature in backquotes.
    Name(String),
    /// A level or a code's label in double quotes.
    Text(String),
    Number(f64),
    Sign(&'static str),
}

/// Cuts a text.
pub(super) fn tokens(text: &str) -> Result<Vec<Token<'_>>, InputError> {
    if text.len() > LONGEST {
        return Err(InputError::new(format!("is longer than {LONGEST} characters"))
            .remedy("split it into several rules"));
    }
    let mut rest = text.trim_start();
    let mut found = Vec::new();
    while let Some(first) = rest.chars().next() {
        let (what, length) = match first {
            '`' => quoted(rest, '`', "backquote").map(|(name, end)| (What::Name(name), end))?,
            '"' => quoted(rest, '"', "double quote").map(|(text, end)| (What::Text(text), end))?,
            '0'..='9' => number(rest)?,
            '.' if rest[1..].starts_with(|next: char| next.is_ascii_digit()) => number(rest)?,
            _ if first.is_ascii_alphabetic() || first == '_' => {
                let length = word_length(rest);
                let keyword =
                    KEYWORDS.into_iter().find(|word| word.eq_ignore_ascii_case(&rest[..length]));
                (keyword.map_or(What::Word, What::Keyword), length)
            }
            ',' => (What::Sign(","), 1),
            _ => {
                let sign = SIGNS.into_iter().find(|sign| rest.starts_with(sign));
                let sign = sign.ok_or_else(|| stray(rest, first))?;
                (What::Sign(if sign == "==" { "=" } else { sign }), sign.len())
            }
        };
        found.push(Token { what, piece: &rest[..length] });
        rest = rest[length..].trim_start();
    }
    Ok(found)
}

/// The text between quotes, a doubled quote standing for one, and where it ends.
fn quoted(rest: &str, quote: char, name: &str) -> Result<(String, usize), InputError> {
    let mut inside = String::new();
    let mut letters = rest.char_indices().skip(1).peekable();
    while let Some((offset, letter)) = letters.next() {
        if letter != quote {
            inside.push(letter);
        } else if letters.next_if(|&(_, next)| next == quote).is_some() {
            inside.push(quote);
        } else {
            return Ok((inside, offset + 1));
        }
    }
    Err(InputError::new(format!("has no closing {name}"))
        .value(start_of(rest))
        .remedy(format!("close it with {quote}; {quote}{quote} inside stands for one {quote}")))
}

fn number(rest: &str) -> Result<(What, usize), InputError> {
    let digits = |from: usize| rest[from..].bytes().take_while(u8::is_ascii_digit).count();
    let mut length = digits(0);
    if rest[length..].starts_with('.') {
        length += 1 + digits(length + 1);
    }
    if rest[length..].starts_with(['e', 'E']) {
        let sign = usize::from(rest[length + 1..].starts_with(['+', '-']));
        let exponent = digits(length + 1 + sign);
        if exponent > 0 {
            length += 1 + sign + exponent;
        }
    }
    let tail = rest[length..].find(|next: char| !(next.is_alphanumeric() || "_.".contains(next)));
    let whole = &rest[..length + tail.unwrap_or(rest.len() - length)];
    if whole.len() > length {
        return Err(InputError::new("is neither a number nor a word").value(start_of(whole)).remedy(
            "put a level or code in double quotes and a feature in backquotes; factors take a *",
        ));
    }
    let number: f64 = whole.parse().unwrap_or(f64::INFINITY);
    if number > LARGEST {
        return Err(InputError::new("is too large to compute with")
            .value(start_of(whole))
            .remedy("numbers may go up to 1e15"));
    }
    Ok((What::Number(number), length))
}

/// How long a word is. A full stop belongs to it where more follows.
fn word_length(rest: &str) -> usize {
    let end = rest.find(|next: char| !(next.is_ascii_alphanumeric() || "_.".contains(next)));
    rest[..end.unwrap_or(rest.len())].trim_end_matches('.').len()
}

fn stray(rest: &str, first: char) -> InputError {
    let error = |value: &str| InputError::new("is not a part of a rule").value(value);
    match first {
        '/' => error("/").remedy("write 0.5 * x for a half of x"),
        ';' => error(";").remedy("write one rule at a time"),
        '≤' | '≥' | '≠' => error(&first.to_string()).remedy("write <=, >= or !="),
        '\'' | '“' | '”' | '„' => {
            error(&first.to_string()).remedy("quote levels with \" and features with `")
        }
        _ if first.is_alphabetic() => error(&start_of(rest))
            .remedy("put levels with such letters in double quotes, and features in backquotes"),
        _ => error(&first.escape_debug().to_string())
            .remedy("rules consist of words, numbers, quotes and + - * ( ) , <= < >= > = !="),
    }
}

/// The beginning of a text, for a message that must stay on one line; with an ellipsis where it goes on.
pub(super) fn start_of(text: &str) -> String {
    const SHOWN: usize = 60;
    let text = text.trim_end();
    let line = text.lines().next().unwrap_or_default().trim_end();
    let end = line.char_indices().nth(SHOWN).map_or(line.len(), |(end, _)| end);
    let more = if end < text.len() { "..." } else { "" };
    format!("{}{more}", &line[..end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_shown_with_an_ellipsis() {
        let long = "income rises or ".repeat(5);
        assert_eq!(start_of(&long), format!("{}...", &long[..60]));
        assert_eq!(start_of("a stays or\n b stays"), "a stays or...");
        for whole in ["", "a stays", &"é".repeat(60)] {
            assert_eq!(start_of(&format!("{whole} \n ")), whole);
        }
    }

    #[test]
    fn texts_are_cut_into_pieces() {
        let pieces = |text: &'static str| -> Vec<&str> {
            tokens(text).unwrap().into_iter().map(|token| token.piece).collect()
        };
        assert_eq!(
            pieces("2*a.b+ .5<=1e3 -x_1, `odd ``one` is\n\"for \"\"free\"\"\""),
            [
                "2",
                "*",
                "a.b",
                "+",
                ".5",
                "<=",
                "1e3",
                "-",
                "x_1",
                ",",
                "`odd ``one`",
                "is",
                "\"for \"\"free\"\"\""
            ]
        );
        let what = |text: &'static str| tokens(text).unwrap().remove(0).what;
        assert_eq!(what("NeVer"), What::Keyword("never"));
        assert_eq!(what("nevermore"), What::Word);
        assert_eq!(what("`odd ``one`"), What::Name("odd `one".into()));
        assert_eq!(what("\"\""), What::Text(String::new()));
        assert_eq!((what("=="), what("2.50")), (What::Sign("="), What::Number(2.5)));
        assert_eq!(pieces(" \t\n"), [""; 0]);
    }

    #[test]
    fn odd_characters_are_refused_with_a_remedy() {
        for (text, start) in [
            ("a / 2", "`/` is not a part of a rule; write 0.5 * x"),
            ("x ≤ 2", "`≤` is not a part of a rule; write <="),
            ("é is 2", "`é is 2` is not a part of a rule; put levels"),
            ("x stays.", "`.` is not a part of a rule; rules consist"),
            ("x\u{0}", "`\\0` is not a part of a rule"),
            ("x is \"own", "`\"own` has no closing double quote; close it"),
            ("`x", "``x` has no closing backquote"),
            ("2a <= 3", "`2a` is neither a number nor a word; put a level"),
            ("1.2.3", "`1.2.3` is neither"),
            ("1e", "`1e` is neither"),
            ("1e999", "`1e999` is too large"),
            ("1000000000000001", "`1000000000000001` is too large"),
        ] {
            let message = tokens(text).unwrap_err().to_string();
            assert!(message.starts_with(start), "{message}");
        }
        assert!(tokens(&"x".repeat(5000)).unwrap_err().to_string().starts_with("is longer"));
    }
}
