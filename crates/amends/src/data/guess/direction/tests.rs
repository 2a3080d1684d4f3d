//! Names and the directions that they suggest.

use super::*;
use Change::{Decrease, Immutable, Increase};

fn change(name: &str) -> Option<Change> {
    guess(&Words::of(name), true, true).map(|direction| direction.change)
}

#[test]
fn names_suggest_what_stays() {
    for name in [
        "age",
        "credit_history",
        "NumTrades60Ever2DerogPubRec",
        "MSinceOldestTradeOpen",
        "delinq_2yrs",
        "earliest_cr_line",
        "first_credit_line",
        "Zahlungsverzug",
        "purpose",
        "Verwendungszweck",
        "addr_state",
        "region_income",
        "PLZ",
        "children",
        "bureau_score",
        "FICO",
        "interest_rate",
        "Zinssatz",
        "int_rate",
        "rate",
        "sub_grade",
        "bureau",
        "pub_rec",
        "collections_12_mths",
        "kontoalter",
        "Kinderzahl",
        "household_size",
        "Unterhalt",
        "spouse_income",
        "einkommen_partner",
        "Ehepartner_Einkommen",
        "sex1",
        "language",
        "union_member",
        "residence_since",
        "Wohndauer",
        "parental_income",
        "guarantor_income",
        "CoapplicantIncome",
        "co_applicant_income",
        "Einkommen_Mitantragsteller",
        "debt_settlement_count",
        "Zinsen",
        "Pf\u{e4}ndungen",
    ] {
        assert_eq!(change(name), Some(Immutable), "{name}");
    }
}

#[test]
fn columns_of_well_known_credit_data_stay() {
    for name in [
        "ExternalRiskEstimate",
        "EXT_SOURCE_2",
        "MSinceMostRecentTradeOpen",
        "MSinceMostRecentInqexcl7days",
        "AverageMInFile",
        "NumTotalTrades",
        "NumTradesOpeninLast12M",
        "mths_since_recent_inq",
        "mths_since_last_record",
        "mths_since_rcnt_il",
        "mo_sin_old_il_acct",
        "mo_sin_rcnt_tl",
        "open_acc_6m",
        "total_acc",
        "num_tl_30dpd",
        "pct_tl_nvr_dlq",
        "tax_liens",
        "tot_coll_amt",
        "pay_0",
        "pay_6",
        "NAME_FAMILY_STATUS",
        "CNT_FAM_MEMBERS",
        "OWN_CAR_AGE",
        "DAYS_REGISTRATION",
        "DAYS_LAST_PHONE_CHANGE",
        "WEEKDAY_APPR_PROCESS_START",
        "HOUR_APPR_PROCESS_START",
        "DEF_30_CNT_SOCIAL_CIRCLE",
        "people_liable",
        "famges",
        "gastarb",
        "moral",
        "verw",
        "wohnzeit",
        "bishkred",
    ] {
        assert_eq!(change(name), Some(Immutable), "{name}");
    }
}

#[test]
fn names_suggest_directions() {
    for (name, expected) in [
        ("Bruttolohn", Increase),
        ("Guthaben", Increase),
        ("Gesamtschulden", Decrease),
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
        ("NumRevolvingTradesWBalance", Decrease),
        ("NumInstallTradesWBalance", Decrease),
        ("PercentTradesWBalance", Decrease),
        ("NumSatisfactoryTrades", Increase),
        ("total_bal_il", Decrease),
        ("max_bal_bc", Decrease),
        ("num_rev_tl_bal_gt_0", Decrease),
        ("out_prncp", Decrease),
        ("hoehe", Decrease),
        ("wage_per_hour", Increase),
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
        "tribe",
        "relationship",
        "Anrede",
        "Kirchensteuer",
        "Kindergeld",
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
        "state_of_account",
        "education",
        "salary_advance",
        "wage_garnishment",
        "income_tax",
        "income_loss",
        "loss_of_income",
        "income_volatility",
        "savings_withdrawn",
        "Gehaltsabzug",
        "Einkommensart",
        "Gehaltsnachweis",
        "low_income",
        "deposit_returned",
        "schuldenfrei",
        "relationship_length",
        "guarantor",
        "co_applicant",
        "has_cosigner",
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

#[test]
fn the_age_of_a_thing_is_no_protected_attribute() {
    let reason = |name: &str| guess(&Words::of(name), true, true).map(|direction| direction.reason);
    assert_eq!(reason("OWN_CAR_AGE"), Some(AGE));
    assert_eq!(reason("customer_age"), Some(PROTECTED));
}
