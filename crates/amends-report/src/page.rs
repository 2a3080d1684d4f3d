//! The frame of every page: head, style sheet, and where it all comes from at its foot.

use maud::{DOCTYPE, Markup, PreEscaped, html};

const STYLE: &str = include_str!("report.css");

/// Everything up to the page's own content.
pub(crate) fn head(title: &str, lines: &[String]) -> String {
    let head = html! {
        (DOCTYPE)
        (PreEscaped("<html lang=\"en\">"))
        head {
            meta charset="utf-8";
            meta name="viewport" content="width=device-width, initial-scale=1";
            meta name="color-scheme" content="light dark";
            // Nothing is fetched, whatever a value says.
            meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'";
            title { (title) }
            style { (PreEscaped(STYLE)) }
        }
        (PreEscaped("<body>"))
        header {
            h1 { (title) }
            @for line in lines { p { (line) } }
        }
        (PreEscaped("<main>"))
    };
    head.into_string() + "\n"
}

/// Everything after the page's own content.
pub(crate) fn foot(provenance: &[(String, String)]) -> String {
    let foot = html! {
        (PreEscaped("</main>"))
        footer {
            h2 { "Provenance" }
            (facts(provenance))
        }
        (PreEscaped("</body></html>"))
    };
    foot.into_string() + "\n"
}

fn facts(rows: &[(String, String)]) -> Markup {
    html! {
        dl.provenance {
            @for (name, value) in rows {
                div { dt { (name) } dd { (value) } }
            }
        }
    }
}
