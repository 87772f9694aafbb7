"""Words that carry no subject of their own, by language: data.

Which of them a use takes, and why not all, is said where they are put together.
"""

from __future__ import annotations

FUNCTION_WORDS_OF = {
    "en": frozenset(
        """a about after all also an and any are as at be been before but by can could did do does for
        from had has have how i if in into is it its may me must my no not of on or our shall should so
        such than that the their them then there these they this those to was we were what when where
        which who whom whose why will with would you your""".split()
    ),
    "de": frozenset(
        """der die das ein eine einer und oder ist sind wann wie was welche darf nicht werden wird bei mit
        von für zu im in den dem des ich sie er es mein meine einem einen sich auf aus nach vor als auch
        noch nur soll sollte sollten muss müssen kann können wer wo wofür welcher welches welchen zum zur
        wenn dass über unter zwischen oder aber hat haben""".split()
    ),
    "nl": frozenset(
        """de het een van en niet met voor dat zijn op u uw dit deze die er te is wordt worden moet mag mogen
        kan als bij of om naar ook dan maar geen wat wie welke wanneer hoe waar door tot uit tegen nog hij zij
        ze wel heeft hebben""".split()
    ),
    "fr": frozenset("le la les des et est une dans pour pas que vous".split()),
    "es": frozenset("el los las del y es una para con por que se".split()),
    "it": frozenset("il di che gli della per non con una sono del le".split()),
}
"""Of each language that a text may be in, by its code."""

FUNCTION_WORDS = FUNCTION_WORDS_OF["en"] | FUNCTION_WORDS_OF["de"]
"""Left out of a search. Not the Dutch ones: "van" and "den" are also English words."""

OF_QUESTIONS = frozenset(
    """again am because being between both cannot doing done during each either else ever every
    get give given having he her hers him his itself just know let like list many might more
    most much need nor off once one only other out over own per please same she show some tell
    through too under until up upon us use used uses using very whether while without
    compare compared comparison difference differences""".split()
)
"""More words of questions that name nothing, left out of the content words. No medical word is in here."""
