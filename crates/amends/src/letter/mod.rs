//! Letters to rejected applicants: the decision, its principal reasons, and what would have led to approval.
//!
//! A letter is a [`Template`] in Markdown, filled in with [`LetterFacts`]: an applicant's answer and reasons in the letter's
//! language, and the [`Lender`]'s file. A [`LetterWriter`] makes HTML, plain text or Markdown of it. Reasons and plans are two
//! lists, because a principal reason may not be left out only because the applicant can't act on it.
//!
//! The texts are drafts, not legal advice: have counsel check them.

mod choices;
mod facts;
mod lender;
mod lender_shape;
mod markdown;
mod record;
mod trial;
mod waiting;
mod wishes;
mod writer;

pub use choices::{Language, Law, LetterFormat, LetterKind};
pub use facts::{
    Addressee, ChangeFacts, LetterFacts, PlanFacts, ReasonFacts, Recipient, ScoreFacts,
    TogetherFacts,
};
pub use lender::{
    ApplicantColumns, ConsumerReport, CreditScore, Creditor, EuropeanUnion, Lender, PlanTerms,
    UnitedStates,
};
pub use wishes::{FeatureWish, LetterWish};
pub use writer::{LetterWriter, Template};
