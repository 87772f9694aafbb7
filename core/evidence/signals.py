"""What tells whether a statement answers a clause: each signal is one number.

The words of the question are compared with those of the statement by what they mean where they stand:
late interaction (Khattab and Zaharia 2020, "ColBERT", SIGIR) over the token vectors of the bundled
embedding model. No list of synonyms is needed for it, and no table of words that ask for something.

Of a statement (`STATEMENT`):

==============  ======================================================================================
late_mean       mean over the question's content words of the best cosine to a token of the statement
late_rare       the same, each word weighed by its rarity in the library
late_least      of the word that is met worst; `late_second` of the second worst
late_all        mean over all tokens of the question
near_rare       late_rare of the statement together with those before and after it in its paragraph;
                `near_all` the same of late_all
cosine          of question and statement as wholes
passage         cosine of the question and the passage that the statement stands in
rank            1 / place of the passage among those that search found
words           share of the question's words, by rarity, that statement, heading or title have
words_own       share of its words, without the subject's names, that the statement has
words_near      the same for the whole passage
section         probability that the question asks for the statement's section
section_known   the same times the share of the document's statements whose section is known
section_short   section_known where the question has two content words at most
opening         section, where nothing else is asked, over the place of the passage in it: 1, 2, ...
sectioned       1 in a section that is known
amount          probability that an amount is wanted, where the statement has a number
number          1 with a number in it
list            probability that a list is wanted, where the statement is one
about           1 in a document about the medicine that is asked about
subject         how much the document is about what the question names, as share of its passages
subject_here    1 where title, heading or statement has a name of the question
met, headed     conditions of the question that the statement meets, and that its heading meets
at_odds         conditions that it is at odds with
species         1 where the question names an animal that the passage does not
length          ln(1 + words)
*_gap           cosine, late_all, late_rare, near_rare, words_near less the best of the question's statements
==============  ======================================================================================

Of a question (`QUESTION`): share of its words by rarity that nobody in the library uses (``absent``),
unknown technical words (``unknown``), whether a medicine or title is named (``named``), the likeliest
section's probability (``section_top``) and that it asks for none of a leaflet's (``elsewhere``), number of
conditions (``conditions``) and of content words (``words_asked``), whether it is in another language than
what was found (``foreign``) and names no medicine then (``foreign_unnamed``), how much the document that fits
best is about what it names (``subject_best``), whether it names several medicines (``several``) and the
largest share of these that a statement with its title and heading names (``named_best``). Of its words without
the subject's names: how well each is met by whichever statement meets it best, their mean by rarity
(``covered``) and the least (``covered_least``); the share by rarity that the subject's own documents have
nowhere (``absent_here``), and ln(share of their passages + .003) of the word that is rarest there
(``here_least``): a leaflet that has "half-life" nowhere does not tell it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from core.domain.vectors import Vectors
from core.evidence.asked_sections import AskedSections
from core.evidence.evidence import ClauseEvidence
from core.evidence.named import NamedMedicines
from core.evidence.passages import Quote
from core.evidence.patients.conditions import Fit
from core.evidence.patients.special import heads_patients
from core.evidence.patients.species import species_in
from core.evidence.reading.asked_cells import cells_asked
from core.evidence.reading.asked_words import AskedWords
from core.evidence.reading.interaction import best_cosines, late
from core.evidence.reading.papers import behind_others
from core.evidence.reading.raised import number_asked
from core.evidence.reading.statement_tokens import StatementTokens
from core.evidence.relevance import Relevance, Subjects
from core.questions.clauses import Clause
from core.questions.leaflets.reader import LeafletReader, Leanings
from core.questions.papers.asked_part import parts_asked
from core.text.language import language
from core.text.quantities import numbers
from core.text.spelling.medicines import is_medicine
from core.text.stems import stems

STATEMENT = (
    "late_mean late_rare late_least late_second late_all near_rare near_all cosine passage rank"
    " words words_own words_near"
    " section section_known section_short opening sectioned amount number list about subject subject_here"
    " met headed at_odds species length"
    " cosine_gap late_all_gap late_rare_gap near_rare_gap words_near_gap"
).split()
QUESTION = (
    "absent unknown named section_top elsewhere conditions words_asked foreign subject_best"
    " foreign_unnamed several named_best covered covered_least absent_here here_least"
).split()
_GAPS = ("cosine", "late_all", "late_rare", "near_rare", "words_near")

# Statements of a clause whose signals are read, of some eighty that its passages have; see
# docs/decisions/papers.md.
_MOST_READ = 30
_FEW_WORDS = 2  # content words of a short question
# Beside the similarity and the promise of the passage, for choosing which statements are read.
_WORDS_BESIDE = 0.6
_SECTION_BESIDE = 0.6
_MET_BESIDE = 2.0  # of how well the statement meets the question's tokens
_FARTHEST_BESIDE = 3  # characters between a statement and the next
_MOST_LOOKED_IN = 4  # documents whose words are counted
_USUALLY_MET = 0.6  # cosine of a word and the token that meets it best
_HARDLY_ANY = 0.003  # share of passages that stands for none, in a logarithm
_AMOUNTS = ("amount", "maximum", "frequency", "duration")


@dataclass(frozen=True, slots=True)
class Signals:
    """Of the statements of one clause.

    Attributes:
        statements: shape (n, len(STATEMENT)).
        question: shape (len(QUESTION),).
        vectors: of the statements as wholes, shape (n, d).
        behind: log-odds, at most 0, by which each stands behind the others as a statement of a paper,
            shape (n,), or None; see `core.evidence.reading.papers`.
    """

    statements: NDArray[np.float64]
    question: NDArray[np.float64]
    vectors: Vectors
    behind: NDArray[np.float64] | None = None

    def only(self, places: Sequence[int]) -> Signals:
        """Those of some of the statements."""
        behind = self.behind[places] if self.behind is not None else None
        return Signals(self.statements[places], self.question, self.vectors[places], behind)


@dataclass(frozen=True, slots=True)
class SignalReader:
    """Reads the signals of a clause's statements.

    Args:
        relevance: knows how rare words are.
        tokens: reads question and statements, by the bundled model.
        leaflets: tells which section and what kind of thing is asked for.
    """

    relevance: Relevance
    tokens: StatementTokens
    leaflets: LeafletReader
    _last: list[tuple[ClauseEvidence, AskedWords, Leanings]] = field(
        default_factory=list, init=False
    )

    def _read(self, part: ClauseEvidence) -> tuple[AskedWords, Leanings]:
        """The words of a clause, and what it asks for; those of the last one are kept."""
        if not self._last or self._last[0][0] is not part:
            asked = AskedWords.of(part.clause, part, self.relevance)
            self._last[:] = [(part, asked, self.leaflets.wanted(part.clause.search_text))]
        return self._last[0][1:]

    def likeliest(self, part: ClauseEvidence, quotes: Sequence[Quote]) -> list[Quote]:
        """The quotes that are worth the model's time: by their words and how well they meet those of the
        question, their section, and the passage they stand in.

        Raises:
            ModelError: the embedding model cannot be used.
        """
        if len(quotes) <= _MOST_READ:
            return list(quotes)
        asked, wanted = self._read(part)
        sections = AskedSections.of(part, wanted.sections)
        number = number_asked(part.clause.text)
        question = self.tokens.question(part.clause.search_text)
        best = best_cosines(question, self.tokens.statements(quotes))
        met: list[float] = best.mean(axis=1).tolist()
        cells = set(
            cells_asked(part.clause.text, quotes, lambda one: part.called(one.hit.document))
        )

        def promise(place: int) -> float:
            quote = quotes[place]
            if place in cells or (number is not None and number.search(quote.text)):
                return math.inf
            own = stems(part.forms.put(quote.text))
            around = own | stems(part.forms.put(_heads(part, quote)))
            words = asked.share(asked.specific, own) + asked.share(asked.words, around)
            on_patients = heads_patients(part.clause.leaflet, quote.hit.chunk.heading)
            section = _SECTION_BESIDE * max(on_patients, sections.asked(quote.hit))
            like = quote.hit.similarity + quote.hit.relative + _MET_BESIDE * met[place]
            return like + _WORDS_BESIDE * words + section

        order = sorted(range(len(quotes)), key=promise, reverse=True)
        return [quotes[place] for place in order[:_MOST_READ]]

    def _in_own_documents(
        self, part: ClauseEvidence, named: NamedMedicines, asked: AskedWords
    ) -> dict[str, float]:
        """`absent_here` and `here_least`."""
        own = named.documents(part.hits) or ()
        documents = {
            hit.document.id: hit.document for hit in part.hits if hit.document.subject in own
        }
        looked_in = list(documents.values())[:_MOST_LOOKED_IN]
        looked_for = [word for word in asked.specific if word not in part.forms.stood_for]
        if not looked_for or not looked_in:
            return _NOWHERE_LOOKED
        shares = {
            word: max(self.relevance.naming(document, word) for document in looked_in)
            for word in looked_for
        }
        total = sum(asked.rarities[word] for word in shares)
        absent = sum(asked.rarities[word] for word, share in shares.items() if not share)
        least = min(shares.values())
        return {"absent_here": absent / total, "here_least": math.log(least + _HARDLY_ANY)}

    def of(
        self,
        part: ClauseEvidence,
        subjects: Subjects,
        named: NamedMedicines,
        quotes: Sequence[Quote],
        fits: Sequence[Fit],
    ) -> Signals:
        """Signals of quotes from the hits of `part`, in their order.

        Args:
            named: the medicines that the clause is about.
            fits: of each quote, whether it is on the patients that are asked about.

        Raises:
            ModelError, StoreError: the embedding model or the library cannot be used.
        """
        clause = part.clause
        asked, wanted = self._read(part)
        spoken = language(clause.text)
        foreign = spoken not in ("", "en") and language(_found_first(part)) != spoken
        animals = species_in(clause.text, spoken)
        strengths = {hit.document.subject: named.strength(hit.document) for hit in part.hits}
        question = self.tokens.question(clause.search_text)
        texts = self.tokens.statements(quotes)
        sections = AskedSections.of(part, wanted.sections)
        places = {hit.chunk.id: place for place, hit in enumerate(part.hits, start=1)}
        rows = []
        best = best_cosines(question, texts)
        words = list(asked.tokens(question))
        around_them = [
            best[place] if len(own) == 1 else best[own].max(axis=0)
            for place, own in enumerate(_neighbours(quotes))
        ]
        met = late(best, words, asked)
        met_near = late(np.array(around_them).reshape(best.shape), words, asked)
        for place, (quote, text) in enumerate(zip(quotes, texts, strict=True)):
            hit = quote.hit
            own = stems(part.forms.put(quote.text))
            around = own | stems(part.forms.put(_heads(part, quote)))
            near = around | stems(hit.chunk.text)
            has_number = float(bool(numbers(quote.text)))
            found = {
                **{name: values[place] for name, values in met.items()},
                "near_rare": met_near["late_rare"][place],
                "near_all": met_near["late_all"][place],
                "cosine": float(question.vector @ text.vector),
                "passage": hit.similarity,
                "rank": 1 / places.get(hit.chunk.id, len(part.hits) + 1),
                "words": asked.share(asked.words, around),
                "words_own": asked.share(asked.specific, own),
                "words_near": asked.share(asked.specific, near),
                "section": sections.asked(hit),
                "opening": sections.opening(hit),
                "sectioned": float(bool(hit.chunk.section)),
                "amount": has_number * sum(wanted.kinds.get(one, 0.0) for one in _AMOUNTS),
                "number": has_number,
                "list": float(bool(quote.list_number)) * wanted.kinds.get("list", 0.0),
                "about": float(subjects.is_about(hit.document.called)),
                "subject": strengths.get(hit.document.subject, 0.0),
                "subject_here": float(not named.names or named.named_in(_with_heads(part, quote))),
                "species": float(
                    bool(animals) and not animals & species_in(hit.chunk.text, spoken)
                ),
                "met": fits[place].met,
                "headed": fits[place].headed,
                "at_odds": fits[place].at_odds,
                "length": math.log(1 + len(quote.text.split())),
            }
            rows.append([found.get(name, 0.0) for name in STATEMENT])
        statements = np.array(rows, dtype=np.float64).reshape(len(rows), len(STATEMENT))
        for (row, name), value in _of_known_sections(quotes, statements, asked).items():
            statements[row, STATEMENT.index(name)] = value
        for name in _GAPS if rows else ():
            column = statements[:, STATEMENT.index(name)]
            statements[:, STATEMENT.index(f"{name}_gap")] = column - column.max()
        of_question = {
            "absent": 0.0 if foreign else asked.absent,
            "unknown": 0 if foreign else len(self._unknown(clause)),
            "named": float(subjects.named),
            "section_top": max(wanted.sections.values(), default=0.0),
            "elsewhere": wanted.sections.get("other", 0.0),
            "conditions": len(asked.conditions),
            "words_asked": len(asked.specific),
            "foreign": float(foreign),
            "subject_best": max(strengths.values(), default=0.0),
            "foreign_unnamed": float(foreign and not subjects.named),
            "several": float(len(named.together) > 1),
            "named_best": max(
                (named.share_in(_with_heads(part, one)) for one in quotes), default=1.0
            ),
            **_covered(best, words, asked),
            **(_NOWHERE_LOOKED if foreign else self._in_own_documents(part, named, asked)),
        }
        return Signals(
            statements,
            np.array([of_question[name] for name in QUESTION], np.float64),
            np.array([text.vector for text in texts]),
            behind_others(
                quotes,
                clause.search_text,
                lambda: parts_asked(clause.search_text, self.leaflets.vector),
            ),
        )

    def _unknown(self, clause: Clause) -> list[str]:
        """The names in a clause that the library does not know: in the words of another language medicines
        alone, for what else is left of the words as they were asked may be no name."""
        names = self.relevance.unknown_names(clause)
        return [one for one in names if is_medicine(one)] if clause.spoken else names


_NOWHERE_LOOKED = {"absent_here": 0.0, "here_least": 0.0}


def _heads(part: ClauseEvidence, quote: Quote) -> str:
    return f"{part.called(quote.hit.document)} {quote.hit.chunk.heading} {quote.under}"


def _with_heads(part: ClauseEvidence, quote: Quote) -> str:
    return f"{_heads(part, quote)} {quote.text}"


def _covered(
    best: NDArray[np.float32], words: Sequence[tuple[str, list[int]]], asked: AskedWords
) -> dict[str, float]:
    """`covered` and `covered_least`; of a question of names alone what is usual.

    Args:
        best: of each statement, for each token of the question.
    """
    met = [
        (float(best[:, tokens].mean(axis=1).max()), asked.rarities[word])
        for word, tokens in words
        if word in asked.specific and len(best)
    ]
    if not met:
        return {"covered": _USUALLY_MET, "covered_least": _USUALLY_MET}
    values = [value for value, _ in met]
    mean = float(np.average(values, weights=[weight for _, weight in met]))
    return {"covered": mean, "covered_least": min(values)}


def _of_known_sections(
    quotes: Sequence[Quote], statements: NDArray[np.float64], asked: AskedWords
) -> dict[tuple[int, str], float]:
    """`section_known` and `section_short` of each statement: where headings are well known, and few words
    are asked, the section says more."""
    known: dict[str, list[bool]] = {}
    for quote in quotes:
        known.setdefault(quote.hit.document.id, []).append(bool(quote.hit.chunk.section))
    found = {}
    for row, quote in enumerate(quotes):
        each = known[quote.hit.document.id]
        value = float(statements[row, STATEMENT.index("section")]) * sum(each) / len(each)
        found[row, "section_known"] = value
        found[row, "section_short"] = value * (len(asked.specific) <= _FEW_WORDS)
    return found


def _found_first(part: ClauseEvidence) -> str:
    return part.hits[0].chunk.text if part.hits else ""


def _neighbours(quotes: Sequence[Quote]) -> list[list[int]]:
    """Of each quote its place, with those of the quotes right before and after it in its paragraph."""
    units: dict[tuple[str, int, int], list[int]] = {}
    for place, one in enumerate(quotes):
        units.setdefault(one.unit, []).append(place)
    found = []
    for place, own in enumerate(quotes):
        others = units[own.unit] if own.paragraph >= 0 else ()
        near = [
            other
            for other in others
            if other != place
            and quotes[other].hit.chunk.page == own.hit.chunk.page
            and (
                0 <= own.start - quotes[other].end <= _FARTHEST_BESIDE
                or 0 <= quotes[other].start - own.end <= _FARTHEST_BESIDE
            )
        ]
        found.append([place, *near])
    return found
