//! The two ways in which markup gets its looks: by the page's style sheet, or by styles in the tags.

/// Where markup is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Look {
    /// On a page of its own, with a style sheet.
    Page,
    /// In a notebook. Pages that show notebooks often drop style sheets, so that styles stand in the tags; colours are those of the text
    /// around, so that they fit light and dark pages.
    Notebook,
}

const LINE: &str = "1px solid rgba(128,128,128,.35)";
const CELL: &str = "padding:.25em 1.1em .25em 0;border:0;border-bottom:1px solid rgba(128,128,128,.35);vertical-align:top;background:transparent;";

impl Look {
    /// The class of a part on a page.
    pub(crate) fn class(self, name: &'static str) -> Option<&'static str> {
        (self == Self::Page).then_some(name)
    }

    /// The styles of the same part in a notebook.
    pub(crate) fn style(self, name: &'static str) -> Option<String> {
        if self == Self::Page {
            return None;
        }
        let style = match name {
            "card" => format!(
                "margin:.4em 0 1em;padding:.6em .9em;border:{LINE};border-radius:6px;max-width:60em;line-height:1.45"
            ),
            "scroll" => "overflow-x:auto".to_owned(),
            "changes" => "border-collapse:collapse;margin:.35em 0;font:inherit;font-variant-numeric:tabular-nums;color:inherit;background:transparent".to_owned(),
            "word" => format!("{CELL}text-align:left;font-weight:inherit"),
            "number" => format!("{CELL}text-align:right;font-weight:inherit"),
            "heading" => "margin:.5em 0 0;font-weight:600".to_owned(),
            "quiet" => "margin:0;opacity:.72;font-size:92%".to_owned(),
            "plain" => "margin:0".to_owned(),
            "reasons" => "margin:.2em 0".to_owned(),
            "score" => "max-width:22em;margin:.3em 0".to_owned(),
            "pictures" => "display:flex;flex-wrap:wrap;gap:.6em 1.4em;margin:.4em 0".to_owned(),
            "picture" => "margin:0;width:20em;max-width:100%".to_owned(),
            "caption" => "font-size:92%;margin:0".to_owned(),
            "key" => "opacity:.85;font-size:92%;margin:.5em 0 0".to_owned(),
            _ => return None,
        };
        Some(style)
    }

    /// The styles of a status in a notebook, whose colour says whether the reader can be content.
    pub(crate) fn badge(self, status: &str) -> Option<String> {
        let colour = match status {
            "optimal" | "already-accepted" => "#2a9d5c",
            "feasible" | "timeout" => "#c8861a",
            "infeasible" | "error" => "#d9534f",
            _ => "inherit",
        };
        (self == Self::Notebook).then(|| {
            format!("color:{colour};border:1px solid {colour};border-radius:4px;padding:0 .4em;font-size:85%")
        })
    }
}
