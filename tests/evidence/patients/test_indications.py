"""For which illness a dose is, by what it is labelled with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from core.domain.leaflets.conditions import Illness
from core.domain.plans import Named
from core.evidence.passages import Quote
from core.evidence.patients.indications import Indications
from core.questions.leaflets.reader import LeafletReader
from tests.support.records import a_hit, a_row

INFARCTION = Illness(Named("heart attack", ("D1",), "myocardial infarction", "Disease"))
PSORIASIS = Illness(Named("psoriasis", ("D2",), "psoriasis", "Disease"))


def find(text: str) -> Sequence[Illness]:
    return LeafletReader(lambda _text: ()).illnesses(text)


def a_sentence(text: str, under: str = "", heading: str = "") -> Quote:
    return replace(Quote(a_hit(text, heading=heading), text, 0, len(text), text), under=under)


def is_for_another(quote: Quote, asked: Illness, *others: Quote) -> bool:
    told = Indications([asked], f"the dose in {asked.name.text}", find)
    told.look_at([quote, *others], lambda _quote: ())
    return told.is_for_another(quote, ())


ASKED = a_sentence("Psoriasis: 2.5 mg a day.")


@pytest.mark.req("PR-3")
@pytest.mark.parametrize(
    ("quote", "asked", "expected"),
    [
        (a_sentence("The dose is 5 mg.", under="Rheumatoid arthritis"), PSORIASIS, True),
        (a_sentence("In psoriasis the dose is 5 mg.", under="Rheumatoid arthritis"), PSORIASIS, False),
        # Called otherwise than the question calls it.
        (a_sentence("The dose is 5 mg.", under="Acute myocardial infarction"), INFARCTION, False),
        # What kidneys do is no illness that a medicine is for; nor is what a heading denies.
        (replace(a_row("Clearance: 31", "Dose: 5 mg"), labels=("In renal failure – ",)), PSORIASIS, False),
        (
            replace(a_row("Finding: rise of 50%", "Dose: 5 mg"), labels=("Non-transplant patients – ",)),
            PSORIASIS,
            False,
        ),
        # What may happen stands behind the dose, and is not what it is for.
        (a_row("Psoriasine: 150 mg", "Lower dose: 110 mg", "If: high risk of bleeding"), PSORIASIS, False),
        (a_row("Rheumatoid arthritis", "Dose: 5 mg"), PSORIASIS, True),
    ],
)  # fmt: skip
def test_a_dose_for_another_illness_is_told_by_its_label(
    quote: Quote, asked: Illness, expected: bool
) -> None:
    assert is_for_another(quote, asked, ASKED) is expected


def test_a_dose_is_no_illness() -> None:
    for word in ("Anfangsdosis", "Tagesdosis", "startdosis"):
        assert not find(word)
    for word in ("sarcoidosis", "acidosis"):
        assert find(word)
