"""The products that one file tells of, one after the other, and where each begins.

Files with several leaflets, labels of a kit and compendia repeat how a document begins
(`core.documents.cutting.beginnings`). Each beginning names a product. One that names the product before it
again begins nothing ("Annex III" of a product information has the leaflet of the same medicine). The names of
medicines, of the graph and of the list of all, help where the build of the file does not say enough.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise

from core.documents.cutting.beginnings import (
    PAGE_TOP,
    Beginning,
    Sort,
    beginnings,
    displays,
    heads_of_panel,
    is_named_in_section,
    is_panel,
    label_title,
)
from core.documents.cutting.composition import read_contained
from core.documents.cutting.monographs import monographs
from core.documents.cutting.named import DrugsIn, contents_of, drugs_of
from core.documents.cutting.named_lines import named_line, signed_line
from core.documents.cutting.sections import sections
from core.documents.cutting.subject import (
    LONGEST_NAME,
    SIGNS,
    Subject,
    own_title,
    set_title,
    with_substance,
)
from core.domain.documents import Page, Product
from core.text.model_talk import order_spans
from core.text.spelling.salts import SALTS
from core.text.stems import content_words
from core.text.word_lists import word_frequencies

_FEWEST_SECTIONS = 2  # kinds of sections that a product is told of in
_FEWEST_TIMES = 3  # that a leaflet has the first word of its product's name
_MOST = 200  # products; a file with more is a register
_DISPLAYED = 600  # characters behind the line that says that a package's print follows


def about(
    pages: Sequence[Page],
    metadata: Mapping[str, str],
    file_title: str,
    count_mentions: Callable[[str], Mapping[str, int]],
    medicines: Callable[[Iterable[str]], Mapping[str, str]],
) -> tuple[str, tuple[Product, ...]]:
    """What a file is about by its own words, and its products where it tells of several.

    Args:
        metadata: what the file says of itself.
        file_title: what it is about where it does not say.
        count_mentions, medicines: see `Subject.of`; without a graph they find nothing.
    """
    subject = Subject.of(pages, count_mentions, medicines)
    drugs_in = drugs_of(count_mentions, medicines)
    parts = _Parts.of(pages, drugs_in)
    if not parts.starts:
        own = own_title(pages, metadata, subject.is_named_in) or label_title(parts.pages)
        own = own or set_title(parts.pages) or signed_line(parts.pages)
        if len(drugs_in(own)) != 1 and (starts := monographs(parts.pages, drugs_in)[:_MOST]):
            title = own or file_title
            called = [replace(one, name=one.name or title) for one in starts]
            return title, replace(parts, starts=called).products
        own = own or named_line(parts.pages, subject.is_named_in)
        title = with_substance(own, pages) or file_title
        added = subject.added_to(title)
        # What it says that it contains says more than what it speaks of most.
        told = own and added != title and read_contained(title, pages)
        return title if told else added, ()
    own = own_title(pages, metadata, lambda text: bool(drugs_in(text))).rstrip(" ,;-")
    named = parts.renamed(lambda part: Subject.of(part, count_mentions, medicines))
    title = own
    if not own or parts.same_name(own, parts.starts[0].name):
        title = together([one.title for one in named.products])
    return title, named.with_shared(title).products


def together(titles: Sequence[str]) -> str:
    """The titles of products as that of their file, as many as there is room for."""
    different = list(dict.fromkeys(titles))
    for shown in range(len(different), 0, -1):
        left = len(different) - shown
        text = "; ".join(different[:shown]) + (f" and {left} more" if left else "")
        if len(text) <= LONGEST_NAME:
            return text
    return different[0][:LONGEST_NAME].rstrip()


def products(pages: Sequence[Page], drugs_in: DrugsIn) -> tuple[Product, ...]:
    """The products of a file in order, the first from its beginning on; none where it tells of one, or
    nothing says where the next begins. A product that is told of in several places has one title."""
    return _Parts.of(pages, drugs_in).products


@dataclass(frozen=True, slots=True)
class _Parts:
    """A file in parts, each from its start to the next, and about one product.

    Attributes:
        pages: those with text.
        starts: none where the file is about one product.
    """

    pages: Sequence[Page]
    starts: Sequence[Beginning]
    drugs_in: DrugsIn

    @classmethod
    def of(cls, pages: Sequence[Page], drugs_in: DrugsIn) -> _Parts:
        told = [page for page in pages if page.text.strip()]
        whole = cls(told, (), drugs_in)
        found = beginnings(told)
        titles = [one for one in found if one.sort in (Sort.HEADED, Sort.STATED)]
        facts = [whole._plainly_named(one) for one in found if one.contents]
        sure = whole._without_repeats(whole._borne_out(titles))
        starts = whole._joined(sure, facts)[:_MOST]
        if len({one.name for one in starts}) < 2:
            return whole
        return replace(whole, starts=(replace(starts[0], place=0, offset=0), *starts[1:]))

    @property
    def products(self) -> tuple[Product, ...]:
        return tuple(
            Product(one.name, self.pages[one.place].number, one.offset) for one in self.starts
        )

    def renamed(self, subject_of: Callable[[Sequence[Page]], Subject]) -> _Parts:
        """Each leaflet with the medicine that it names most behind a name that says none."""
        ends = [*self.starts[1:], Beginning("", len(self.pages), 0, Sort.STATED)]
        return replace(
            self,
            starts=[
                one
                if one.contents
                else replace(one, name=subject_of(self._part(one, end)).added_to(one.name))
                for one, end in zip(self.starts, ends, strict=True)
            ],
        )

    def with_shared(self, title: str) -> _Parts:
        """With what is printed on the packages told under the product that it names, and what is on several,
        such as the list of what a kit holds, under the whole file's title."""
        contents = {one.name: self._contents(one) for one in self.starts}
        starts = list(self.starts)
        for place, offset in displays(self.pages):
            near = [
                one
                for one in self.starts
                if one.place == place and offset < one.offset <= offset + _DISPLAYED + PAGE_TOP
            ]
            end = min([offset + _DISPLAYED, *(one.offset for one in near)])
            text = self.pages[place].text[offset:end]
            # The last lines before a product's beginning are its own.
            named = set(self._named_in(text, contents)) - {one.name for one in near[:1]}
            # A combination is no product of each of its parts.
            named -= {one for one in named if any(contents[one] < contents[each] for each in named)}
            if named:
                name = title if len(named) > 1 else named.pop()
                starts.append(Beginning(name, place, offset, Sort.STATED))
        panels = [one for one in self.starts if one.sort is Sort.PANEL]
        if panels:
            starts += list(self._behind(panels[-1], starts, title, contents))
        starts.sort(key=lambda one: one.where)
        changes = [one for before, one in pairwise([starts[0], *starts]) if before.name != one.name]
        return replace(self, starts=[starts[0], *changes])

    def _behind(
        self,
        last: Beginning,
        starts: Sequence[Beginning],
        title: str,
        contents: Mapping[str, frozenset[str]],
    ) -> Iterator[Beginning]:
        """Whole pages behind the last facts of a kit, without their heads, that name most of its products."""
        behind = [one.where for one in starts if one.where > last.where]
        end = min(behind, default=(len(self.pages), 0))
        places = range(last.place + 1, min(end[0] + 1, len(self.pages)))
        texts = {
            place: self.pages[place].text[: end[1]] if place == end[0] else self.pages[place].text
            for place in places
        }
        headed = [place for place, text in texts.items() if heads_of_panel(text)]
        first = max(headed, default=last.place) + 1
        named = self._named_in(
            "\n".join(text for place, text in texts.items() if place >= first), contents
        )
        if first in texts and 2 * len(named) > len(contents):
            yield Beginning(title, first, 0, Sort.STATED)

    def _named_in(self, text: str, contents: Mapping[str, frozenset[str]]) -> list[str]:
        """The products of which a text names all contents."""
        words = self.drugs_in(text) | set(content_words(text))
        return [name for name, each in contents.items() if each and each <= words]

    def same_name(self, name: str, other: str) -> bool:
        """Whether two names are one product's: of the same medicines, or one has the other's first word, or one
        is the other with its substance in brackets ("Mayzent (siponimod) tablets")."""
        brief, longer = sorted((name, other), key=len)
        if "(" not in brief and _before_brackets(longer) == _before_brackets(brief):
            return True
        drugs, others = self.drugs_in(name) - SALTS, self.drugs_in(other) - SALTS
        if drugs and others:
            return drugs == others
        words, other_words = content_words(name), content_words(other)
        return words[0] in other_words or other_words[0] in words

    def _joined(self, titles: Sequence[Beginning], facts: Sequence[Beginning]) -> list[Beginning]:
        """The documents of a file in order, those that are labels of a kit in their parts."""
        documents = list(titles)
        if not documents or any(one.where < documents[0].where for one in facts):
            documents.insert(0, Beginning("", 0, 0, Sort.STATED))
        elif (untitled := self._untitled(documents[0])) is not None:
            documents.insert(0, untitled)
        end = Beginning("", len(self.pages), 0, Sort.STATED)
        starts: list[Beginning] = []
        for one, following in pairwise([*documents, end]):
            own = [each for each in facts if one.where <= each.where < following.where]
            parts = self._parts_of_kit(own, following)
            if one.name and parts and _kinds(self._part(one, parts[0])) >= _FEWEST_SECTIONS:
                # A leaflet, and behind it a label without a title.
                starts += [
                    one,
                    *(each for each in parts if not self.same_name(one.name, each.name)),
                ]
            elif len({each.name for each in parts}) > 1 or (parts and not one.name):
                starts += [replace(parts[0], place=one.place, offset=one.offset), *parts[1:]]
            elif one.name:
                starts.append(one)
        return starts

    def _untitled(self, first: Beginning) -> Beginning | None:
        """A document before the first that is known by its title, where the file's first line names another
        medicine."""
        top = Beginning("", 0, 0, Sort.STATED)
        line = next((one for one in self.pages[0].text.splitlines() if one.strip()), "")
        name = " ".join(line.split())
        drugs = self.drugs_in(name)
        if not drugs or len(name) > LONGEST_NAME or order_spans(name):
            return None
        if drugs & self.drugs_in(first.name) or self.same_name(name, first.name):
            return None
        told = _kinds(self._part(top, first)) >= _FEWEST_SECTIONS
        return replace(top, name=name) if told else None

    def _plainly_named(self, one: Beginning) -> Beginning:
        """A part without a trade name that has the name of what it does not contain ("Non-Aspirin")."""
        drugs = self.drugs_in(", ".join(one.contents))
        if self.drugs_in(one.name) <= drugs:
            return one
        return replace(one, name=", ".join(one.contents)[:LONGEST_NAME].rstrip())

    def _parts_of_kit(self, facts: Sequence[Beginning], end: Beginning) -> list[Beginning]:
        """The parts of a label whose facts are those of several drugs, each under the name that its listing
        has for it."""
        panels = [one for one in facts if one.sort is Sort.PANEL]
        listed = [one for one in facts if one.sort is Sort.LISTED]
        borne_out = [
            one
            for one, following in pairwise([*facts, end])
            if one.sort is Sort.PANEL and is_panel(self._part(one, following))
        ]
        if not listed and not borne_out:
            return []
        if len({self._contents(one) for one in borne_out}) < 2 and not listed:
            return borne_out[:1]
        # What begins behind one that is not believed would be told under the name before it.
        names = self._listed_names(panels, listed)
        named = [replace(one, name=names.get(one.where, one.name)) for one in facts]
        return [
            next(group)
            for _, group in groupby(
                named, key=lambda one: (one.name, one.sort, self._contents(one))
            )
        ]

    def _listed_names(
        self, panels: Sequence[Beginning], listed: Sequence[Beginning]
    ) -> dict[tuple[int, int], str]:
        """By where a panel begins, the name that the listing has for it: that of the part with the same
        contents, or with most words of it, or the only one that is left."""
        names: dict[tuple[int, int], str] = {}
        left = list(listed)
        open_ = list(panels)

        def shared(panel: Beginning, part: Beginning) -> int:
            if self._contents(panel) == self._contents(part):
                return LONGEST_NAME
            return len(_words(panel) & _words(part))

        while open_ and left:
            best, panel, part = max(
                ((shared(panel, part), panel, part) for panel in open_ for part in left),
                key=lambda one: one[0],
            )
            if not best and (len(open_) > 1 or len(left) > 1):
                break
            names[panel.where] = part.name
            open_.remove(panel)
            left.remove(part)
        return names

    def _contents(self, one: Beginning) -> frozenset[str]:
        return contents_of(one.contents or (one.name,), self.drugs_in, SALTS)

    def _borne_out(self, found: Sequence[Beginning]) -> Iterator[Beginning]:
        """Those whose product is told of up to the next one: in sections, by its name. A header that stands
        on every page has anything below it."""
        end = Beginning("", len(self.pages), 0, Sort.STATED)
        names = [
            one
            for one, following in pairwise([*found, end])
            if one.sort is Sort.STATED or self._is_name(one, self._part(one, following))
        ]
        for one, following in pairwise([*names, end]):
            part = self._part(one, following)
            first = content_words(one.name)[0]
            repeats = following is not end and _first_word(following) == first
            times = sum(page.text.casefold().count(first) for page in part)
            often = one.sort is Sort.STATED or times >= _FEWEST_TIMES
            if repeats or (often and _kinds(part) >= _FEWEST_SECTIONS):
                yield one

    def _is_name(self, one: Beginning, part: Sequence[Page]) -> bool:
        """Whether it is a name that a heading is followed by, and no words of a sentence."""
        first = content_words(one.name)[0]
        return (
            first not in word_frequencies("en")
            or bool(self.drugs_in(one.name))
            or is_named_in_section(part, first)
        )

    def _without_repeats(self, found: Iterable[Beginning]) -> list[Beginning]:
        """Beginnings without those that name the product before them again."""
        distinct: list[Beginning] = []
        for one in found:
            if not distinct or not self.same_name(distinct[-1].name, one.name):
                distinct.append(one)
        return distinct

    def _part(self, one: Beginning, following: Beginning) -> list[Page]:
        part = []
        for place in range(one.place, min(following.place + 1, len(self.pages))):
            page = self.pages[place]
            start = one.offset if place == one.place else 0
            end = following.offset if place == following.place else len(page.text)
            part.append(Page(page.number, page.text[start:end]))
        return part


def _kinds(part: Sequence[Page]) -> int:
    """How many kinds of sections there are."""
    return len({each.code for parts in sections(part).values() for each in parts if each.code})


def _words(one: Beginning) -> frozenset[str]:
    """The words of what it contains, but those that say which form it is."""
    return frozenset(content_words(" ".join(one.contents))) - SALTS


def _before_brackets(name: str) -> list[str]:
    return SIGNS.sub(" ", name).casefold().partition("(")[0].split()


def _first_word(one: Beginning) -> str:
    return content_words(one.name)[0] if content_words(one.name) else ""
