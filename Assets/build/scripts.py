"""Which alternate names are worth their bytes: real ones, in scripts people type there."""
import unicodedata

from folding import fold

# The script a language is written in, by the first word of its letters' Unicode names; languages
# not listed write Latin.
SCRIPTS = {
    "ru uk bg sr mk be kk ky mn tg ba tt": "CYRILLIC", "el": "GREEK", "hy": "ARMENIAN", "ka": "GEORGIAN",
    "ja": "CJK HIRAGANA KATAKANA", "zh": "CJK", "ko": "HANGUL", "he": "HEBREW", "th": "THAI", "lo": "LAO",
    "ar fa ur ps ku ug sd ckb": "ARABIC", "hi mr ne sa": "DEVANAGARI", "bn as": "BENGALI", "ta": "TAMIL",
    "te": "TELUGU", "kn": "KANNADA", "ml": "MALAYALAM", "gu": "GUJARATI", "pa": "GURMUKHI", "or": "ORIYA",
    "si": "SINHALA", "my": "MYANMAR", "km": "KHMER", "am ti": "ETHIOPIC", "dz bo": "TIBETAN", "dv": "THAANA",
}
SCRIPT_OF = {word: set(scripts.split()) for words, scripts in SCRIPTS.items() for word in words.split()}
GREAT_SCRIPTS = {"CYRILLIC", "ARABIC", "CJK", "KATAKANA", "HANGUL", "DEVANAGARI", "GREEK", "HEBREW"}
LONGEST = 60


def native_scripts(languages):
    """The scripts of a country's languages as GeoNames lists them: "ru,tt,xal"."""
    return set().union(*(SCRIPT_OF.get(word.split("-")[0], set()) for word in languages.split(",")))


def is_latin(name):
    return all(ord(c) < 0x250 or 0x1E00 <= ord(c) < 0x1F00 for c in name)


def is_written_in(name, scripts):
    letters = [c for c in name if c.isalpha()]
    return bool(letters) and unicodedata.name(letters[0], "").split(" ")[0] in scripts


def is_name(name):
    """Neither an airport's code nor a machine's spelling of another script ("wei ye na")."""
    if not name or len(name) > LONGEST:
        return False
    is_code = is_latin(name) and name.isupper() and len(name) <= 4
    return not is_code and not (name.isascii() and name == name.lower())


def worthwhile(name, alternates, accept):
    """The alternates that `accept` takes and that add a spelling, in their order."""
    seen, kept = {fold(name)}, []
    for other in alternates:
        folded = fold(other)
        if folded and folded not in seen and is_name(other) and accept(other):
            seen.add(folded)
            kept.append(other)
    return kept
