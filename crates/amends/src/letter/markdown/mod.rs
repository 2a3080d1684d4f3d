//! Letters are written in Markdown, from which their other formats are made.

mod text;

use pulldown_cmark::{Event, Options, Parser, html};

pub(super) use text::to_text;

/// A value as literal text of Markdown: no letter of it has a meaning of its own.
pub(super) fn escape(value: &str) -> String {
    let mut escaped = String::with_capacity(value.len());
    // A line of its own could begin a list, a heading or a block of code.
    let words = value.split_ascii_whitespace().collect::<Vec<_>>().join(" ");
    for (index, letter) in words.chars().enumerate() {
        let always = matches!(
            letter,
            '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '&' | '|' | '#' | '~'
        );
        let at_start = index == 0 && matches!(letter, '-' | '+' | '=' | ':');
        // "1. " and "1) " begin numbered lists.
        let numbered = matches!(letter, '.' | ')')
            && index > 0
            && words.chars().take(index).all(|before| before.is_ascii_digit())
            && words.chars().nth(index + 1).is_none_or(|next| next == ' ');
        if always || at_start || numbered {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    escaped
}

/// The parts of a Markdown text. HTML in it is text like any other.
fn events(markdown: &str) -> impl Iterator<Item = Event<'_>> {
    Parser::new_ext(markdown, Options::ENABLE_TABLES).map(|event| match event {
        Event::Html(text) | Event::InlineHtml(text) => Event::Text(text),
        other => other,
    })
}

/// The text as a fragment of HTML.
pub(super) fn to_html(markdown: &str) -> String {
    let mut fragment = String::new();
    html::push_html(&mut fragment, events(markdown));
    // No text holds these letters: `<` is escaped in it.
    fragment.replace("<th>", "<th scope=\"col\">")
}

/// The text without lines that templates leave empty, and with one empty line between blocks.
pub(super) fn tidy(markdown: &str) -> String {
    let mut tidied = String::with_capacity(markdown.len());
    let mut empty = 0;
    for line in markdown.lines().map(str::trim_end) {
        empty = if line.is_empty() { empty + 1 } else { 0 };
        if empty < 2 && !(line.is_empty() && tidied.is_empty()) {
            tidied.push_str(line);
            tidied.push('\n');
        }
    }
    tidied.truncate(tidied.trim_end().len());
    tidied + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stay_what_they_are_in_every_format() {
        let hostile = [
            "<script>alert('x')</script>",
            "*a* _b_ `c` [d](https://example.org) ![e](f)",
            "a | b",
            "# heading",
            "- item",
            "+ item",
            "12. item",
            "12) item",
            "=== line",
            "&lt; &amp; &copy;",
            "back\\slash",
            "<https://example.org>",
            "~~~ fence",
            "line\n\nbreak",
            "  indented",
        ];
        for value in hostile {
            let plain = value.split_whitespace().collect::<Vec<_>>().join(" ");
            for frame in ["{}", "- {}", "Before {} after.", "**{}**"] {
                let markdown = frame.replace("{}", &escape(value));
                let page = to_html(&markdown);
                assert!(
                    !page.contains("<script") && !page.contains("<a ") && !page.contains("<img")
                );
                let shown = to_text(&markdown, 200);
                assert!(shown.contains(&plain), "{value:?} in {frame:?} became {shown:?}");
            }
            let table = format!("| a | b |\n|---|---|\n| {} | x |\n", escape(value));
            assert_eq!(to_html(&table).matches("<td>").count(), 2, "{value:?}");
        }
    }

    #[test]
    fn html_of_a_template_is_text() {
        let page = to_html("a <b>bold</b>\n\n<div>x</div>\n");
        assert!(page.contains("&lt;b&gt;bold&lt;/b&gt;") && page.contains("&lt;div&gt;"), "{page}");
    }

    #[test]
    fn empty_lines_of_templates_are_left_out() {
        assert_eq!(tidy("\n\na  \n\n\n\nb\n\n"), "a\n\nb\n");
    }

    #[test]
    fn columns_have_headings_for_screen_readers() {
        assert!(to_html("| a |\n|---|\n| 1 |\n").contains("<th scope=\"col\">a</th>"));
    }
}
