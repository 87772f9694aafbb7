"""Abbreviations with a full stop, English, German and Dutch, by what may stand behind them.

One in small letters is meant in any case; one with a capital only so ("Hr. Schmidt", "24 hr."). "z.b"
stands for "z.B." and "z. B." alike. Those without a vowel ("zzgl.") and of single letters ("n.i.g.") need
not stand here: they are read as `NAMES` are.
"""

from __future__ import annotations

# What follows belongs to them: these never end a sentence.
JOINING = frozenset(
    # English
    """e.g i.e viz cf vs approx incl excl resp dr drs prof mr mrs ms messrs St Ste Mt Rev
    """
    # German
    """z.b d.h bzw ca ggf inkl exkl einschl ausschl sog sogen evtl insb insbes bes entspr allg gem vgl s.o
    s.u z.t v.a i.d.r u.u o.g i.s.v i.a i.allg m.e lt Hr Fr Hl Dipl Ing ehem jew lat engl
    """
    # Dutch
    """bijv bv b.v d.w.z m.a.w m.b.v m.u.v m.n i.p.v t.o.v t.g.v i.v.m d.m.v t.a.v t.b.v n.a.v evt nl zgn
    dhr mevr ir aanw
    """.split()
)

# What follows belongs to them when it is a number.
NUMBERING = frozenset(
    """no nos nr nrs fig figs tab tabs abb abs art kap chap ch sect sec eq ref refs vol p pp pg pag blz bl bd
    ziff lfd min mind maks ver ed suppl tel
    jan feb febr mar mrt apr jun jul aug sep sept oct okt nov dec dez
    """.split()
)

# They close a list: a capital behind them begins the next sentence.
CLOSING = frozenset("etc usw u.s.w enz u.ä o.ä e.a u.dgl dgl e.d".split())

# They stand within a sentence or end it: a capital behind them begins the next one. In German every noun
# has a capital ("keine i.m. Injektion"), so there it must be that of a function word.
ROUTES_AND_TIMES = frozenset(
    """i.v i.m s.c p.o i.p i.t i.n p.r p.v s.l b.i.d t.i.d q.i.d q.d o.d b.d b.w t.d.s q.d.s p.r.n a.c p.c
    h.s a.m p.m hr hrs sec secs wk wks yr yrs mo mos wt hgt conc temp a.u.b z.n n.v.t std sek tägl wö monatl
    """.split()
)

# A name goes on behind them: only a function word with a capital begins the next sentence.
NAMES = frozenset(
    """al u.s u.k u.s.a e.u inc ltd co corp gmbh bros jr sr ph.d m.d m.sc b.sc d.sc n.chr v.chr sp spp ssp subsp
    var u.a o.a u.v.a u.v.m max med tabl kps amp
    """.split()
)

# German: words behind which "2." is an ordinal, and nouns before which it is one, with their endings.
BEFORE_ORDINAL = frozenset(
    """am im der die das des dem den zum zur vom beim ab bis jeder jede jedes jeden jedem ihr ihre ihrem ihres
    seit nach""".split()
)
AFTER_ORDINAL = (
    r"(?:tag|woche|monat|jahr|trimenon|trimester|quartal|lebens(?:jahr|monat|woche|tag)|zyklus|dosis|gabe|"
    r"schwangerschafts\w+|behandlungs\w+|einnahme|injektion|impfung|stunde|grad|auflage|kapitel)(?:e?s|e?n|e)?|"
    r"januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember"
)

# Behind these a single capital is a kind, not a name's first letter: "vitamin K", "hepatitis B".
KINDS = frozenset(
    """vitamin vitamine vitamins hepatitis type typ group groep gruppe class klasse klas grade factor faktor
    stage phase part teil deel arm figure table appendix annex immunoglobulin influenza coenzyme koenzym
    protein interferon solution lösung""".split()
)
