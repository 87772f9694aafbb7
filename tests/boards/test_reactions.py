"""Reactions of side-effects sections: by structure, without what is denied or said of others."""

from __future__ import annotations

from core.boards.reading.blocks import parts
from core.boards.reading.reactions import Names, Reaction, reactions
from core.domain.documents import Chunk, Page
from core.graph.names.linker import EntityLinker
from core.text.layout.line_marks import HEADING

_NAMES = [
    *(
        (name, f"E:{name}", "Phenotype")
        for name in ("headache", "nausea", "rash", "dizziness", "coma")
    ),
    ("asthma", "E:asthma", "Disease"),
    ("alpha", "DB:alpha", "Drug"),
    ("omega", "DB:omega", "Drug"),
]


def read(text: str, heading: str = "4.8 Undesirable effects") -> list[Reaction]:
    """Of a section of one page."""
    body = f"{heading}\n{text}"
    chunk = Chunk("d:0", "d", 0, 1, "adverse_reactions", heading, 0, len(body), body, "")
    linker = EntityLinker(_NAMES)
    names = Names(
        linker.find,
        lambda one: one.startswith("E:"),
        lambda text: any(one.entity_id == "DB:omega" for one in linker.find(text)),
    )
    sections = frozenset({"adverse_reactions"})
    found = parts([Page(1, body)], [chunk], sections, names.speaks_of_others, orders=False)
    return list(reactions(found, names))


def levels(text: str) -> dict[str, str]:
    """Words -> the class, or the words that say how often; "" without."""
    return {
        one.words.casefold(): (one.frequency.level or one.frequency.said if one.frequency else "")
        for one in read(text)
        if not one.denied
    }


def test_a_labelled_paragraph_its_items_and_nothing_near_it() -> None:
    found = levels(
        "Common (may affect up to 1 in 10 people): headache, nausea and vomiting, sore feet.\n"
        "Very rare (may affect up to 1 in 10,000 people): coma.\n\n"
        "A rash may also occur in the first weeks of treatment."
    )
    assert found == {
        "headache": "common",
        "nausea and vomiting": "common",
        "sore feet": "common",
        "coma": "very_rare",
        "rash": "",
    }


def test_what_a_title_says_of_how_often_ends_at_the_next_and_where_sentences_come() -> None:
    lists = levels(
        "Common side effects\n\nheadache, nausea, sore feet\n\n"
        "Other Adverse Reactions\n\ndizziness, cold hands"
    )
    assert lists == {
        "headache": "common",
        "nausea": "common",
        "sore feet": "common",
        "dizziness": "",
        "cold hands": "",
    }
    # As in a US label, where the words are the title of a part and no class.
    told = levels(
        "Common Adverse Reactions\n\n"
        "Asthma The safety of alpha was evaluated in two trials, which were double-blind. Reactions in Trial 1 "
        "and in Trial 2 are listed in Tables 3 and 4, respectively.\n\n"
        "Malignancies Malignancies, such as melanoma, seminoma, and sore tumours, were reported with alpha.\n\n"
        "Coma Coma, including a rash, has been reported."
    )
    assert told == {"malignancies": "", "seminoma": "", "sore tumours": "", "coma": "", "rash": ""}


def test_a_heading_of_the_same_kind_or_a_higher_one_ends_what_was_said_of_how_often() -> None:
    bold = HEADING + "\n\n"
    by_class = levels(
        f"Common{bold}Nervous system disorders{bold}- headache\n- odd dreams\n\nSkin disorders{bold}- rash\n\n"
        f"Children{bold}- cold hands"
    )
    assert by_class == {
        "headache": "common",
        "odd dreams": "common",
        "rash": "common",
        "cold hands": "",
    }
    by_group = levels(
        f"Nervous system disorders{bold}Common{bold}- headache\n\nSkin disorders{bold}- rash\n\n"
        f"Rare{bold}- coma"
    )
    assert by_group == {"headache": "common", "rash": "", "coma": "rare"}


def test_sentences_behind_a_list_end_what_was_said_of_how_often() -> None:
    found = levels(
        "Rare: may affect up to 1 in 1,000 people\n\ncoma, sore feet\n\n"
        "Some people have had to stop the treatment.\n\nheadache, cold hands"
    )
    assert found["coma"] == found["sore feet"] == "rare"
    assert "rare" not in {found.get(one) for one in ("headache", "cold hands")}


def test_what_is_no_name_of_a_reaction_is_none() -> None:
    found = levels(
        "Common (may affect up to 1 in 10 people): Sore feet Sore feet, an increased risk of bruising, see "
        "section 4.4, odd dreams as in Table 3, cold hands Skin: blue nails, other adverse reactions, dry "
        "mouth, respectively.\n\nAbbreviations: ALT, alanine transaminase; AST, aspartate transferase."
    )
    assert set(found) == {"sore feet", "bruising", "dry mouth"}


def test_an_item_that_a_page_ends_in_is_no_name() -> None:
    heading = "4.8 Undesirable effects"
    texts = (
        f"{heading}\nCommon (may affect up to 1 in 10 people): odd dreams, upper respiratory",
        "swelling, cold hands, sore feet.",
    )
    chunks = [
        Chunk(f"d:{n}", "d", n, n + 1, "adverse_reactions", heading, 0, len(text), text, "")
        for n, text in enumerate(texts)
    ]
    pages = [Page(n + 1, text) for n, text in enumerate(texts)]
    sections = frozenset({"adverse_reactions"})
    found = parts(pages, chunks, sections, lambda _: False, orders=False)
    names = Names(lambda _: [], lambda _: False, lambda _: False)
    assert {one.words for one in reactions(found, names)} == {
        "odd dreams",
        "cold hands",
        "sore feet",
    }


def test_the_signs_of_an_overdose_without_its_heading_are_no_reactions() -> None:
    signs = "Signs and Symptoms:\n\nVomiting, coma, respiratory depression, and headache.\n\n"
    before = "Other:\n\nSore feet, cold hands, rash.\n\n"
    treatment = "Treatment:\n\nEmpty the stomach; watch for nausea."
    assert set(levels(before + signs + treatment)) == {"sore feet", "cold hands", "rash"}
    assert "coma" in levels(before + signs), "signs of what is listed, and not of an overdose"


def test_places_of_one_reaction_are_no_reactions() -> None:
    found = levels(
        "Uncommon (may affect up to 1 in 100 people): fits, bleeding from the nose, stomach or "
        "bowel, sore feet, nausea or headache, dry mouth or eyes."
    )
    assert set(found) == {
        "fits",
        "bleeding from the nose",
        "sore feet",
        "nausea or headache",
        "dry mouth or eyes",
    }


def test_what_comes_on_stopping_and_what_placebo_does_as_often_is_not_of_the_medicine() -> None:
    found = levels(
        "There are reports of withdrawal symptoms after discontinuation of alpha. Reported adverse reactions "
        "include headache, nausea, and sore feet. A rash was reported, too.\n\n"
        "Other reactions equally or more frequent in the placebo group included dizziness, and cold hands. "
        "The most common adverse reactions were asthma, and pale skin.\n\n"
        "Common: dry mouth, withdrawal symptoms, coma"
    )
    assert set(found) == {"rash", "asthma", "pale skin", "dry mouth", "withdrawal symptoms", "coma"}


def test_who_was_studied_is_no_reaction() -> None:
    found = levels(
        "Table 1 lists what occurred in adults over 18 years of age with asthma.\n\n"
        "Rates of nausea in trials* in asthma were low."
    )
    assert set(found) == {"nausea"}


def test_the_words_before_a_list_are_no_part_of_its_first_item() -> None:
    found = levels(
        "Adverse reactions of odd dreams, nausea, and cold hands were also reported in Study 1."
    )
    assert set(found) == {"odd dreams", "nausea", "cold hands"}


def test_bullets_under_a_label_until_the_list_ends() -> None:
    found = levels(
        "Common: may affect up to 1 in 10 people\n- headache\n- sore feet\n\n"
        "Uncommon: may affect up to 1 in 100 people\n- nausea\n\n"
        "Reporting of side effects\nIf you get a rash, tell your doctor."
    )
    assert found == {"headache": "common", "sore feet": "common", "nausea": "uncommon"}


def test_a_table_by_its_heads_and_by_its_rows() -> None:
    by_head = levels(
        "\u2003System organ class\tCommon\tRare\n"
        "Nervous system disorders\theadache, dizziness\tcoma\n"
        "Skin\t\trash, blue nails"
    )
    assert by_head == {
        "headache": "common",
        "dizziness": "common",
        "coma": "rare",
        "rash": "rare",
        "blue nails": "rare",
    }
    by_row = levels(
        "\u2003System organ class\tFrequency\tAdverse reaction\n"
        "Nervous system disorders\tCommon\theadache\n\u00a0\tRare\tcoma"
    )
    assert by_row == {"headache": "common", "coma": "rare"}


def test_percentages_stand_as_they_are_and_placebo_is_not_the_medicine() -> None:
    found = levels("\u2003Adverse reaction\tAlpha (N=400) %\tPlacebo (N=238) %\nheadache\t7\t4")
    assert found == {"headache": "7%"}
    prose = levels(
        "Gastrointestinal: Nausea (4%-12%), hiccups (2%-6%); and, rarely, rash, odd dreams."
    )
    assert prose == {
        "nausea (4%-12%)": "4%-12%",
        "hiccups": "2%-6%",
        "rash": "rarely",
        "odd dreams": "rarely",
    }


def test_what_an_item_is_without_is_not_denied_of_the_medicine() -> None:
    said = "Rare (may affect up to 1 in 1,000 people): swelling without coma, headache, no rash."
    assert levels(said) == {"swelling without coma": "rare", "headache": "rare"}
    assert [one.words for one in read(said) if one.denied] == ["no rash"]


def test_denied_mentions_are_denials() -> None:
    (denied,) = read("No cases of coma were observed.")
    assert (denied.entity_id, denied.denied) == ("E:coma", True)
    assert levels("Keine Fälle von coma; headache was seen.") == {"headache": ""}


def test_what_is_said_of_others_or_of_patients_is_no_signal() -> None:
    assert levels("Patients with asthma should be watched.") == {}
    assert levels("It is likelier in those with a history of rash, asthma or coma.") == {}
    assert levels("Combination with omega: headache, nausea and coma have been reported.") == {}
    assert levels("In trials with alpha plus omega, headache was seen.") == {}
    assert levels("Drugs of this class can cause coma.") == {}
    assert levels("If asthma patients take it, nausea may occur.") == {"nausea": ""}


def test_rates_of_stopping_are_not_the_reactions() -> None:
    assert levels(
        "Reactions leading to discontinuation were headache (0.5%) and nausea (0.2%)."
    ) == {
        "headache (0.5%)": "",
        "nausea (0.2%)": "",
    }


def test_a_citation_is_the_labelled_list_or_the_item() -> None:
    text = "Common: headache, nausea.\n"
    one = read(text)[0]
    body = f"4.8 Undesirable effects\n{text}"
    assert body[slice(*one.span)] == "Common: headache, nausea."
