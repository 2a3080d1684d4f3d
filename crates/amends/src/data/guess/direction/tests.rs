//! Names and the directions that they suggest.

use super::*;
use Change::{Decrease, Immutable, Increase};

fn change(name: &str) -> Option<Change> {
    guess(&Words::of(name), true, true).map(|direction| direction.change)
}

#[test]
fn names_suggest_directions() {
    for (name, expected) in [
        ("age", Immutable),
        ("credit_history", Immutable),
        ("NumTrades60Ever2DerogPubRec", Immutable),
        ("MSinceOldestTradeOpen", Immutable),
        ("delinq_2yrs", Immutable),
        ("earliest_cr_line", Immutable),
        ("first_credit_line", Immutable),
        ("Zahlungsverzug", Immutable),
        ("purpose", Immutable),
        ("Verwendungszweck", Immutable),
        ("addr_state", Immutable),
        ("region_income", Immutable),
        ("PLZ", Immutable),
        ("children", Immutable),
        ("bureau_score", Immutable),
        ("FICO", Immutable),
        ("interest_rate", Immutable),
        ("Zinssatz", Immutable),
        ("int_rate", Immutable),
        ("rate", Immutable),
        ("sub_grade", Immutable),
        ("bureau", Immutable),
        ("pub_rec", Immutable),
        ("collections_12_mths", Immutable),
        ("kontoalter", Immutable),
        ("Kinderzahl", Immutable),
        ("household_size", Immutable),
        ("Unterhalt", Immutable),
        ("spouse_income", Immutable),
        ("einkommen_partner", Immutable),
        ("Ehepartner_Einkommen", Immutable),
        ("sex1", Immutable),
        ("language", Immutable),
        ("union_member", Immutable),
        ("residence_since", Immutable),
        ("Wohndauer", Immutable),
        ("annual_inc", Increase),
        ("Nettoeinkommen", Increase),
        ("savings", Increase),
        ("Verm\u{f6}gen", Increase),
        ("years_employed", Increase),
        ("emp_length", Increase),
        ("employment_since", Increase),
        ("savings_to_debt", Increase),
        ("loan_amnt", Decrease),
        ("amount", Decrease),
        ("Kreditbetrag", Decrease),
        ("debt_to_income", Decrease),
        ("DebtRatio", Decrease),
        ("dti", Decrease),
        ("revol_util", Decrease),
        ("card_balance", Decrease),
        ("NumInqLast6M", Decrease),
        ("NetFractionRevolvingBurden", Decrease),
    ] {
        assert_eq!(change(name), Some(expected), "{name}");
    }
}

#[test]
fn compounds_of_protected_attributes_are_fixed() {
    for name in [
        "Lebensalter",
        "Religionszugeh\u{f6}rigkeit",
        "Staatsbuergerschaft",
        "Altersgruppe",
        "Migrationshintergrund",
        "Kinderanzahl",
        "veteran_status",
    ] {
        assert_eq!(change(name), Some(Immutable), "{name}");
    }
}

#[test]
fn doubtful_names_suggest_nothing() {
    for name in [
        "duration",
        "installment_rate",
        "Einkommensteuer",
        "Gehaltspf\u{e4}ndung",
        "Einkommensverlust",
        "savings_spent",
        "lack_of_savings",
        "unpaid_income",
        "credit_union_member",
        "account_balance",
        "bill_amt1",
        "pay_amt1",
        "limit_bal",
        "loan_percent_income",
        "income_type",
        "income_verified",
        "employer",
        "existing_credits",
        "income_debt",
        "num_open_accounts",
        "payment_to_income",
        "pay_0",
        "state_of_account",
        "education",
        "salary_advance",
        "wage_garnishment",
        "income_tax",
        "income_loss",
        "loss_of_income",
        "income_volatility",
        "savings_withdrawn",
        "savings_account_fees",
        "zero_savings",
        "debt_service_coverage_ratio",
        "loan_paid_off_amount",
        "debt_repaid",
        "debt_relief_amount",
        "debt_free_months",
        "credit_inquiries_declined",
        "class_size",
    ] {
        assert_eq!(change(name), None, "{name}");
    }
    assert_eq!(guess(&Words::of("income"), false, false), None);
    let education = guess(&Words::of("education"), true, false);
    assert_eq!(education.map(|direction| direction.change), Some(Increase));
}
