//! Letters of the lender who runs the server.

use amends::Result;
use amends::letter::{Language, Law, Lender, LetterFormat, LetterKind, LetterWriter, Template};
use amends::provenance::Provenance;

/// What letters are written with.
pub struct Letters {
    lender: Lender,
    /// The lender's file.
    source: String,
    law: Law,
    template: Option<Template>,
    page: Option<Template>,
}

impl Letters {
    /// Letters of a lender under a law, with other templates than the built-in ones where they are given. `source` names the
    /// lender's file in errors. Refuses what no letter could be written with.
    pub fn new(
        (lender, source): (Lender, &str),
        law: Law,
        template: Option<Template>,
        page: Option<Template>,
        provenance: &Provenance,
    ) -> Result<Self> {
        let letters = Self { lender, source: source.to_owned(), law, template, page };
        for &language in Language::ALL {
            letters.writer(language, letters.formats()[0], provenance)?;
        }
        Ok(letters)
    }

    /// A writer of today's letters.
    pub(crate) fn writer(
        &self,
        language: Language,
        format: LetterFormat,
        provenance: &Provenance,
    ) -> Result<LetterWriter> {
        let kind = LetterKind { language, law: self.law, format };
        let lender = (self.lender.clone(), self.source.as_str());
        let provenance = provenance.clone();
        LetterWriter::new(kind, lender, provenance, self.template.clone(), self.page.clone())
    }

    /// The formats that the template can be written in.
    pub(crate) fn formats(&self) -> Vec<LetterFormat> {
        let name = self.template.as_ref().map(|template| template.name.to_lowercase());
        let only = name.and_then(|name| match name.rsplit('.').next() {
            Some("html" | "htm") => Some(LetterFormat::Html),
            Some("txt") => Some(LetterFormat::Text),
            _ => None,
        });
        only.map_or_else(|| LetterFormat::ALL.to_vec(), |format| vec![format])
    }

    /// What a letter needs to know of its recipient beside the application: the columns of the applicants' table.
    pub(crate) fn columns(&self) -> Vec<String> {
        self.lender.columns(self.law)
    }

    /// The lender's name.
    pub(crate) fn lender(&self) -> &str {
        &self.lender.creditor.name
    }
}
