"""Writes `docs/examples/messy.csv`: made-up applications, written in all the ways that real tables are.

    python scripts/data/messy.py > docs/examples/messy.csv

Nobody in it exists. The same seed always gives the same table: semicolons, Windows-1252, amounts in euros and dollars with the
separators of both, dates in four forms, words and ranges with an order, and several spellings of a missing value.
"""

import random
import sys

COLUMNS = [
    "no", "reference", "contact", "applied_on", "birth_date", "annual_income", "loan_amount", "interest_rate", "debt_ratio",
    "savings", "employment_length", "education", "purpose", "region_code", "sex", "first_credit", "months_since_late",
    "bureau_score", "account_opened", "satisfaction", "advisor", "currency", "outcome",
]
MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
LENGTHS = ["< 1 year", "1-3 years", "3-7 years", ">= 7 years"]
SATISFACTION = ["very dissatisfied", "dissatisfied", "neutral", "satisfied", "very satisfied"]


def grouped(number: float, thousands: str, decimal: str) -> str:
    """A number with two decimals and these separators."""
    return f"{number:,.2f}".translate(str.maketrans({",": thousands, ".": decimal}))


def row(number: int, dice: random.Random) -> list[str]:
    """One application; income, savings and time in the job speak for it, debts and late payments against."""
    income = dice.lognormvariate(10.3, 0.4)
    amount = dice.uniform(1_000, 30_000)
    debt = dice.betavariate(2, 4)
    employed, savings, late = dice.randrange(4), dice.randrange(4), dice.random() < 0.4
    standing = income / 10_000 + 0.5 * employed + 0.4 * savings - 3 * debt - amount / 15_000 - 0.8 * late
    approved = standing + dice.gauss(0, 0.5) > 1.6
    score = round(520 + 40 * standing + dice.gauss(0, 25))
    return [
        str(number),
        f"{dice.getrandbits(32):08x}-{number:04d}-4abc-8def-{dice.getrandbits(48):012x}",
        f"applicant{number}@example.org",
        f"2025-{dice.randint(1, 12):02d}-{dice.randint(1, 28):02d}",
        f"{dice.randint(1, 28):02d}.{dice.randint(1, 12):02d}.{dice.randint(1955, 2004)}",
        dice.choice(["", "n/a", "NULL", "k.A."]) if dice.random() < 0.06 else f"{grouped(income, '.', ',')} \N{EURO SIGN}",
        f"${grouped(amount, ',', '.')}",
        f"{dice.uniform(2, 14):.1f} %",
        grouped(debt, ".", ","),
        "?" if dice.random() < 0.05 else ["none", "low", "medium", "high"][savings],
        LENGTHS[employed],
        dice.choice(["High School", "Bachelor", "Master", "PhD"]),
        dice.choice(["car", "M\N{LATIN SMALL LETTER O WITH DIAERESIS}bel", "holiday", "other"]),
        str(dice.randint(11, 16)),
        str(dice.randint(1, 2)),
        f"{dice.choice(MONTHS)}-{dice.randint(1985, 2023)}",
        str(dice.randint(1, 60)) if late else "-9",
        "999999" if dice.random() < 0.03 else str(score),
        f"{dice.randint(1, 12):02d}/{dice.randint(1, 28):02d}/{dice.randint(2001, 2024)}",
        dice.choice(SATISFACTION),
        f"desk {dice.randint(100, 999)}, call {number}",
        "EUR/USD",
        "approved" if approved else "declined",
    ]


def main() -> None:
    """Prints the table."""
    dice = random.Random(2025)
    lines = [COLUMNS, *(row(number, dice) for number in range(1, 301))]
    text = "".join(";".join(cells) + "\n" for cells in lines)
    sys.stdout.buffer.write(text.encode("windows-1252"))


if __name__ == "__main__":
    main()
