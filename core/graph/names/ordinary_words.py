"""English words that some entity is called by and that, in a sentence, hardly ever mean it.

Gene symbols and their synonyms supply most ("CAT", "Rest", "MAX"); pathways and processes a few
("Disease", "translation"). Real findings, however common the word, are not here: pain, cough.
"""

from __future__ import annotations

from core.text.function_words import FUNCTION_WORDS_OF, OF_QUESTIONS

# Words that are also symbols or synonyms of human genes (HGNC).
_GENE_WORDS = """
aim arc art bad bag band bank bar base bath bed best bid big bit body book bring cage camp can cap
car card care cart case cast cat cell chip clock coil cop crop cute damage dare dark date death den
dock down drop early end face fact fame far fast fat fate find fish fix flame flap flower gain gap
gas gate get give gold good grab had hand hard harp hat help her here hip hole home hook hot house
ice impact increased kit kiss large last lead light line link list lobe long lot mad map mark mask
max mice mild mint miss mix moral nail net nick nine novel off pack pad pan par park part pass patch
per phone pigs pin plan plane plug pop post press prize prune rag rain ran range rank raw ray red
rest rich ring robo rock rod roof sad safe salt save saw send set shank ship shot side simple sit
size skin skip slack slide small snap snip soft son spin spot stab star step stim stop strap tag
tail tall tan tank tap target task team ten term the tip top trap trim tub twist type unit used was
wars wash wave west wide wish yes
"""
_GENERAL_WORDS = """
above below down few here now two
acute behavior behaviour binding chronic condition conditions development disease diseases disorder
disorders dose drug drugs effect effects frequent growth hatching host level localization male
female mass mating medicine membrane metabolism mild moderate onset other patient patients process
protein proteins rare response secretion sensitivity severe signaling surgery symptom symptoms
syndrome tension transcription translation transport treatment unknown
"""

# No entity of any type is meant by these.
NEVER_NAMES: frozenset[str] = (
    FUNCTION_WORDS_OF["en"] | OF_QUESTIONS | frozenset(_GENERAL_WORDS.split())
)
# No protein, pathway or process is meant by these when they are in lower or title case.
GENE_WORDS: frozenset[str] = frozenset(_GENE_WORDS.split())
