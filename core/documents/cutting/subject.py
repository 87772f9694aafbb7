"""What a document is about, from what it says itself; what its file is called is the last resort."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile

from core.documents.cutting.composition import is_substance, words_of
from core.documents.cutting.furniture import line_key, top_lines
from core.documents.cutting.sections import sections
from core.domain.documents import Page
from core.resources import any_of, read_table
from core.text.function_words import FUNCTION_WORDS
from core.text.language import language
from core.text.layout.line_marks import TITLE, WRAPPED, joined_lines
from core.text.model_talk import order_spans
from core.text.quantities import normalised, quantities
from core.text.spelling.medicines import substances
from core.text.stems import content_words
from core.text.word_lists import word_frequencies

_TABLE = read_table(__file__, "subject.toml")
_HEADINGS = [
    re.compile(rf"(?:{'|'.join(row['line'])})[.:]?", re.IGNORECASE) for row in _TABLE["headings"]
]
_FIRST_BELOW = any_of(_TABLE["above"]["line"])
_NAME_ABOVE = int(_TABLE["above"]["within"])
_ENDS = re.compile("|".join(_TABLE["ends"]["line"]), re.IGNORECASE)
_SENTENCES = any_of(_TABLE["sentences"]["pattern"])
_TITLE_LINE = re.compile(_TABLE["title_lines"]["pattern"])
_KINDS = any_of(_TABLE["kinds"]["line"])
_NEXT_PART = re.compile(r"(?<=\w{2}):\s|(?<=\)):\s|\s[-–—]\s")
_PRODUCT_TITLE = re.compile(_TABLE["product_titles"]["pattern"])
_RULE = re.compile(_TABLE["title_lines"]["before"])
_RULE_WITHIN = int(_TABLE["title_lines"]["within"])
_WORD = re.compile(r"[^\W\d_]+")
SIGNS = re.compile("[®™©]")
_SUBSTANCE = r"(?P<substance>[a-zäöüé][\w ,/-]{4,60}?)"
_IN_BRACKETS = r"\s*\(\s*(?P<substance>[a-zäöüé][\w\s,/-]{4,90}?)\s*\)"
_IN_LINE_BELOW = rf"[ \t]*\n[ \t]*\(?{_SUBSTANCE}\)?[ \t]*(?:\n|\Z)"
_LONGEST_TRADE_NAME = 40  # characters, with strength and form
_LONGEST_SET = 160  # characters of a title that is set as one
_LOOKED_AT = 3  # pages with text; what comes before them is a cover
LONGEST_NAME = 120  # characters of a title
_COVER_LINES = 25  # of a page that may be a cover
_NAME_LINES = 3  # a name is parted by the width of the paper
_BETWEEN = " / "  # strengths
_FEWEST_WORDS = 3  # content words of a title in a file's metadata; fewer say too little
_FEWEST_SET = 2  # and of one that is set as a title
_COUNTED_PAGES = 10  # in which mentions of medicines are counted
MOST_TEXT = (
    200_000  # characters of a page that are looked at: a text file is one page, however long
)
_FEWEST_MENTIONS = 3
_MAIN_SHARE = 0.6  # of all mentions of medicines that the one has which a document is about
_ON_PAGES = 0.5  # of the counted pages that name it: what is only warned of stands on few
_ON_PAGE = (
    0.8  # of its words that must stand on the first pages: programs leave other files' titles
)


@dataclass(frozen=True, slots=True)
class Subject:
    """The medicine that a document names most.

    Attributes:
        name: empty where none stands out.
        times: how often the first pages name it.
        words: how often they have each word, case-folded.
        is_named_in: whether a text names this or another medicine.
    """

    name: str
    times: int
    words: Mapping[str, int]
    is_named_in: Callable[[str], bool]

    @classmethod
    def of(
        cls,
        pages: Sequence[Page],
        count_mentions: Callable[[str], Mapping[str, int]],
        medicines: Callable[[Iterable[str]], Mapping[str, str]],
    ) -> Subject:
        """What the first pages are about.

        Args:
            count_mentions: entities named in a text, id -> number.
            medicines: of entity ids those that are medicines, id -> name.
        """
        texts = [page.text[:MOST_TEXT] for page in pages[:_COUNTED_PAGES]]
        counted = [count_mentions(text) for text in texts]
        counts: Counter[str] = Counter()
        for mentions in counted:
            counts.update(mentions)
        names = medicines(counts)
        most = Counter({one: counts[one] for one in names}).most_common(1)
        total = sum(counts[one] for one in names)
        name, times = "", 0
        for drug, mentioned in most:
            on_pages = sum(drug in mentions for mentions in counted)
            if mentioned >= max(
                _FEWEST_MENTIONS, _MAIN_SHARE * total
            ) and on_pages >= _ON_PAGES * len(counted):
                name, times = names[drug], mentioned
        words = Counter(word.casefold() for text in texts for word in _WORD.findall(text))
        return cls(name, times, words, lambda text: bool(medicines(count_mentions(text))))

    def added_to(self, title: str) -> str:
        """A title that names no medicine, with this one behind it in brackets.

        It stays as it is where a name in it stands in the text more often: "Vumerity" is a medicine that
        the graph does not have, and not the aspirin that its label speaks of.
        """
        if not self.name or self.is_named_in(title) or self._says_more_of(title):
            return title
        return f"{title} ({self.name})"

    def _says_more_of(self, title: str) -> bool:
        everyday = word_frequencies("en")
        return any(
            self.words.get(word, 0) >= self.times
            for word in content_words(title)
            if word.isalpha() and word not in everyday
        )


def own_title(
    pages: Sequence[Page], metadata: Mapping[str, str], names_drug: Callable[[str], bool]
) -> str:
    """The name that a document gives itself, of at most 120 characters; "" where it gives none.

    In this order: the product's name where leaflets, summaries of product characteristics and labels
    have it, Swiss ones above the composition; the title in the metadata, when the first pages bear it out;
    the first line, when it names a medicine and is neither a section's heading nor a running head.

    Args:
        names_drug: whether a text names a medicine of the graph.
    """
    first = [page.text[:MOST_TEXT] for page in pages if page.text.strip()][:_LOOKED_AT]
    set_lines = [line for text in first for line in text.split("\n") if line.strip()]
    lines = [_plain(line) for line in set_lines]
    found = _under_heading(set_lines) or _in_sentence(first) or titled_line(lines)
    found = found or _product_title(lines)
    found = found or _above_composition(lines)
    found = found or _of_metadata(metadata.get("title", ""), first)
    top = _top_line(set_lines)
    if not found and lines and names_drug(top) and can_be_title(top):
        found = "" if _is_running_head(lines[0], pages, names_drug) else top
    # A title stands before what is quoted of its document; none may speak to a language model.
    return "" if order_spans(found) else found[:LONGEST_NAME].rstrip(" -–")


def _top_line(set_lines: Sequence[str]) -> str:
    """The first line, with what the width of the paper parted from it where that makes no sentences of it."""
    whole = next(iter(joined_lines("\n".join(set_lines[:_NAME_LINES]))), "")
    return _plain(set_lines[0]) if set_lines and ". " in whole else whole


def _is_running_head(line: str, pages: Sequence[Page], names_drug: Callable[[str], bool]) -> bool:
    """Whether a first line is no title: its page has another one, in the largest letters, that names a medicine
    too, or the line stands at the top of another page, too."""
    told = [page for page in pages if page.text.strip()]
    title = set_title(told[:1])
    if not title or title.casefold().startswith(line.casefold()):
        return False
    return names_drug(title) or line_key(line) in top_lines(told[1:])


def set_title(pages: Sequence[Page]) -> str:
    """What the first page behind covers has in the largest letters, of at most 160 characters; "" where it has
    nothing so, or no more than what kind of document it is."""
    texts = [page.text[:MOST_TEXT] for page in pages if page.text.strip()][:_LOOKED_AT]
    covers = sum(1 for _ in takewhile(lambda text: text.count("\n") < _COVER_LINES, texts))
    for text in texts[: covers + 1]:
        lines = [_plain(line) for line in text.split("\n") if TITLE in line]
        told = " ".join(line for line in lines if not _KINDS.fullmatch(line))
        title = _plain(told) or _below_kind(text)
        if len(content_words(title)) >= _FEWEST_SET and not order_spans(title):
            return _brief(title)
    return ""


def _below_kind(text: str) -> str:
    """The paragraph directly behind the set line that says what kind of document it is, where that is no
    sentence: what a letter is about."""
    lines = text.split("\n")
    kinds = [n for n, one in enumerate(lines) if TITLE in one and _KINDS.fullmatch(_plain(one))]
    told = [_plain(line) for line in lines[kinds[-1] + 1 :]] if kinds else []
    begin = next((n for n, line in enumerate(told) if line), len(told))
    end = next((n for n in range(begin, len(told)) if not told[n]), len(told))
    words = " ".join(told[begin:end])
    return words if end - begin <= _NAME_LINES and _is_no_sentence(words) else ""


def _is_no_sentence(paragraph: str) -> bool:
    return not paragraph.endswith((".", ",", ";", ":", "?"))


def _brief(title: str) -> str:
    """A title without what does not fit: its last part, where it has several, or its last words."""
    if len(title) <= _LONGEST_SET:
        return title
    parts = [found.start() for found in _NEXT_PART.finditer(title, 0, _LONGEST_SET)]
    return title[: parts[-1]] if parts else title[:_LONGEST_SET].rsplit(" ", 1)[0]


def with_substance(title: str, pages: Sequence[Page]) -> str:
    """A title that is a trade name, with the substance that the first pages have behind it in brackets
    ("Mayzent (siponimod)" of "MAYZENT® (siponimod) tablets"), or in the line below where they have it first.

    Whoever asks for the substance means this document, whose sentences have the trade name alone. Nothing but a
    name is taken: a title stands before what is quoted.
    """
    bare = _without_kind(SIGNS.sub("", title).strip())
    if not bare or len(bare) > _LONGEST_TRADE_NAME:
        return title
    spelt = r"\s*".join(map(re.escape, bare.split()))
    name = rf"(?i:{spelt})\s*?[®™©]?"
    text = "\n".join([page.text[:MOST_TEXT] for page in pages if page.text.strip()][:_LOOKED_AT])
    first = re.search(rf"(?<!\w){name}", text)
    below = re.compile(rf"^[ \t]*{name}{_IN_LINE_BELOW}", re.MULTILINE)
    said = [one["substance"] for one in re.finditer(rf"(?<!\w){name}{_IN_BRACKETS}", text)]
    if first is not None and (line := below.match(text, text.rfind("\n", 0, first.start()) + 1)):
        said.append(line["substance"])
    code = language(text)
    known = set(words_of(title))
    called = bare if bare != SIGNS.sub("", title).strip() else title
    for one in map(_plain, said):
        substance = _leading_substance(one, code)
        if substance and not known & set(words_of(substance)):
            return f"{called} ({substance})"
    return title


def _leading_substance(words: str, code: str) -> str:
    """The substance that some words are, or that stands in them before a form ("duloxetine delayed-release
    capsules"); "" where there is none."""
    parts = words.split()
    for end in range(len(parts), 0, -1):
        form = re.findall(r"\w+", " ".join(parts[end:]).casefold())
        if not any(
            one in FUNCTION_WORDS or one.isdigit() or substances(one) for one in form
        ) and is_substance(" ".join(parts[:end]), code):
            return " ".join(parts[:end])
    return ""


def _without_kind(title: str) -> str:
    """A title without what kind of document it is behind the name: "Mayzent" of "Mayzent Medication Guide"."""
    words = title.split()
    ends = (n for n in range(1, len(words)) if _KINDS.fullmatch(" ".join(words[n:])))
    return " ".join(words[: next(ends, len(words))])


def can_be_title(line: str) -> bool:
    """Whether a line can be a title: neither a section's heading nor a clause ("What X is used for"),
    of which most words are function words."""
    heading = any(one.heading for one in sections([Page(1, line)])[1])
    names = 2 * len(content_words(line)) >= len(line.split())
    return len(line) <= LONGEST_NAME and names and not heading


def _plain(line: str) -> str:
    return " ".join(line.split())


def _under_heading(lines: Sequence[str]) -> str:
    for heading in _HEADINGS:
        for number in range(len(lines)):
            if (end := _end_of(heading, lines, number)) and (names := _names_behind(lines, end)):
                return _with_strengths(names)
    return ""


def _with_strengths(names: Sequence[str]) -> str:
    """The first name, with the strengths of those behind it that are the same but for these."""
    first = _in_strength(names[0])
    strengths = [first[1]]
    for other in map(_in_strength, names[1:]):
        if not other[1] or (other[0], other[2]) != (first[0], first[2]):
            break
        strengths.append(other[1])
    return first[0] + _BETWEEN.join(strengths) + first[2]


def _in_strength(name: str) -> tuple[str, str, str]:
    """A name in three: what stands before its strength, the strength ("" without any), what stands behind."""
    found = [one for one in quantities(name) if one.unit]
    if not found or len(normalised(name)) != len(name):
        return name, "", ""
    start, end = found[0].start, found[-1].end
    return name[:start], name[start:end], name[end:]


def name_below(lines: Sequence[str], number: int) -> str:
    """The product's name in the lines below a heading that says that it follows; "" under other lines.

    Args:
        lines: as they stand on the page, without blank ones.
    """
    end = next(filter(None, (_end_of(heading, lines, number) for heading in _HEADINGS)), 0)
    return next(iter(_names_behind(lines, end)), "") if end else ""


def _end_of(heading: re.Pattern[str], lines: Sequence[str], number: int) -> int:
    """Behind which line a heading ends, which may be parted by the width of the paper; 0 where none begins."""
    for end in (number + 1, number + 2):
        if heading.fullmatch(_plain(" ".join(lines[number:end]))):
            return end
    return 0


def _names_behind(lines: Sequence[str], start: int) -> list[str]:
    """The names that follow each other from a line on; no number of a page is one."""
    names: list[str] = []
    while start < len(lines) and not _WORD.search(lines[start]):
        start += 1
    while len(names) < _NAME_LINES and (end := _end_of_name(lines, start)) > start:
        names.append(_plain(" ".join(lines[start:end])))
        start = end
    return names


def _end_of_name(lines: Sequence[str], start: int) -> int:
    """Behind which line the name ends that begins with one; its own number where that is no name."""
    for end in range(start, min(start + _NAME_LINES, len(lines))):
        part = _plain(lines[end])
        if _ENDS.match(part):
            return end
        if not (lines[end].endswith(WRAPPED) or _goes_on(part)):
            return end + 1
    return min(start + _NAME_LINES, len(lines))


def names_in_sentences(text: str) -> Iterator[tuple[str, int]]:
    """The product's name in each sentence that a label begins with, and where the sentence stands."""
    for found in _SENTENCES.finditer(re.sub(r"\s", " ", text)):
        yield _plain(found.group(found.lastindex or 0)), found.start()


def _goes_on(line: str) -> bool:
    """Whether a name is not at its end at the end of this line."""
    return line.endswith((",", "-", "/", " and", " und", " en")) or len(line) > LONGEST_NAME // 2


def _in_sentence(texts: Sequence[str]) -> str:
    for text in texts:
        if found := _SENTENCES.search(_plain(text)):
            return str(found.group(found.lastindex or 0))
    return ""


def titled_line(lines: Sequence[str]) -> str:
    """The line above a rule at the top of a page that names a label's product; "" without one.

    Args:
        lines: of the page, without blank ones.
    """
    top = lines[:_RULE_WITHIN]
    ruled = any(_RULE.fullmatch(line) for line in top)
    return top[0] if ruled and _TITLE_LINE.fullmatch(top[0]) else ""


def _product_title(lines: Sequence[str]) -> str:
    """The names in a label's product title: "VERAXO (veraxinib) tablets, for oral use"; "" without one."""
    found = filter(None, map(_PRODUCT_TITLE.match, lines[:_RULE_WITHIN]))
    return next((str(one["name"]) for one in found if _leading_substance(one["of"], "en")), "")


def _above_composition(lines: Sequence[str]) -> str:
    """The name above the first section of Swiss product information, which has no heading of its own; "" where
    more than a company's name and what kind of document it is stands there.

    Args:
        lines: of the first pages, without blank ones.
    """
    for number, line in enumerate(lines[:_NAME_ABOVE]):
        if _FIRST_BELOW.fullmatch(line):
            above = [
                one for one in lines[:number] if not _KINDS.fullmatch(one) and can_be_title(one)
            ]
            signed = (
                one
                for one in reversed(above)
                if SIGNS.search(one) and len(one) <= _LONGEST_TRADE_NAME
            )
            return next(signed, above[0] if len(above) == 1 else "")
    return ""


def _of_metadata(title: str, texts: Sequence[str]) -> str:
    words = set(content_words(title))
    if len(words) < _FEWEST_WORDS:
        return ""
    present = set(content_words(" ".join(texts)))
    return _plain(title) if len(words & present) >= _ON_PAGE * len(words) else ""
