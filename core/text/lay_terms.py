"""What people write where leaflets use another word, in English and from German.

A consumer health vocabulary in small: each entry is a word of a question and the words that say the
same in a leaflet. It widens what counts as covered, never what is quoted. Written for this project
after the readability guideline's advice on lay terms (European Commission 2009, "Guideline on the
readability of the labelling and package leaflet of medicinal products for human use").
"""

from __future__ import annotations

from functools import lru_cache

from core.text.stems import stem

_TERMS = """
break, breaks, broken: metabolised metabolized metabolism broken
kid, kids, child, baby, toddler, son, daughter: children child infant newborn adolescent
teenager, teen: adolescent children
elderly, old, older, senior: elderly older aged years
birth, childbirth, delivery: delivery birth postpartum
expecting: pregnant pregnancy
breastfeeding, breastfeed, breastfed: breast-feeding breast-feed breast milk lactation
nursing: breast-feeding breast-feed lactation
sport, sports, workout: exercise
slimming, slim, diet, fat: weight obesity
pill, pills, tablet: tablet capsule
shot, jab, syringe: injection inject injected
drink, drinking, booze, beer, wine, liquor: alcohol
swallow, swallowed: take overdose
throw, toss: dispose discard pierce burn
fridge, refrigerator: refrigerate refrigerated refrigerator
hot, heat, warm: temperature
keep, kept: store stored
colour, color: white yellow pink red blue brown round
look: white round film-coated
quickly, fast, soon: minutes hours begins effect
besides: other
interfere, interferes, affect, affects, influence: effect interact weaken increase reduce
dangerous, harmful, risky: harmless serious risk severe
throwing, vomit, vomiting, puke, sick: vomiting vomit nausea
queasy: nausea
tired, tiredness, exhausted: tiredness fatigue weakness
dizzy: dizziness
itchy: itching itch pruritus
rash: rash hives exanthema
sleepy, drowsy: drowsiness sleepiness somnolence
sleepless: insomnia
belly, tummy, stomach: stomach abdominal gastric
gut: bowel intestine
heartbeat: rhythm palpitations
stroke: haemorrhagic cerebrovascular
clot, clots: thrombosis thromboembolism embolism
thinner, thinners: anticoagulant anticoagulants warfarin
painkiller, painkillers: nsaid analgesic pain ibuprofen paracetamol
sugar: glucose diabetes
water: diuretic
kidney, kidneys: renal kidney
liver: hepatic liver
heart: cardiac heart
lungs, lung: pulmonary lung
high, highest, maximum, max, most: highest maximum most
start, begin, beginning: start initial starting
stop, quit: stop stopped stopping discontinue discontinued withdrawal
forgot, forget, forgotten, missed, skipped: missed forgotten forget forgot
twice, double: double two
lunch, dinner, breakfast, meal, food, eat, eating: meal meals food breakfast
evening, bedtime, night: evening night bedtime
morning: morning breakfast
shelf, expire, expires, expiry: expiry years months
kinder, kind: children child
schwangerschaft, schwanger: pregnancy pregnant
kinder, kind, baby: kinder jugendliche säuglinge
einnahme, einnahmen, einnehmen, nehmen: einnahme eingenommen einnehmen einzunehmen nehmen anwendung
gelagert, lagern, aufbewahren, aufbewahrt: lagern aufbewahren bewahren aufbewahrt lagerung
überdosis, überdosierung: überdosierung menge zuviel
autofahren, auto, fahren: straßenverkehr verkehrstüchtigkeit fahrzeug
stillen, stillzeit: muttermilch stillzeit stillen
inhaltsstoffe, hilfsstoffe: bestandteile bestandteil
vergessen: vergessen
niere, nieren: renal kidney
leber: hepatic liver
nebenwirkung, nebenwirkungen: side effect effects adverse reaction
dosis, dosierung: dose dosage
wechselwirkung, wechselwirkungen: interaction interactions
"""


@lru_cache(maxsize=1)
def _table() -> dict[str, frozenset[str]]:
    table: dict[str, frozenset[str]] = {}
    for line in filter(None, _TERMS.strip().splitlines()):
        asked, meant = line.split(":", 1)
        words = frozenset(stem(word) for word in meant.split())
        for word in asked.split(","):
            key = stem(word.strip())
            table[key] = table.get(key, frozenset()) | words
    return table


def meant_by(word: str) -> frozenset[str]:
    """Stems that say in a leaflet what a word of a question means; empty when there is no entry."""
    return _table().get(stem(word), frozenset())
