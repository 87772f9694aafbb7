"""Words that carry no subject of their own, English and German."""

from __future__ import annotations

FUNCTION_WORDS = frozenset(
    """a about after all also an and any are as at be been before but by can could did do does for
    from had has have how i if in into is it its may me must my no not of on or our shall should so
    such than that the their them then there these they this those to was we were what when where
    which who whom whose why will with would you your
    der die das ein eine einer und oder ist sind wann wie was welche darf nicht werden wird bei mit
    von für zu im in den dem des ich sie er es mein meine einem einen sich auf aus nach vor als auch
    noch nur soll sollte sollten muss müssen kann können wer wo wofür welcher welches welchen zum zur
    wenn dass über unter zwischen oder aber hat haben""".split()
)
