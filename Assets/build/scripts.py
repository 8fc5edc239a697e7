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
# Letters beyond ASCII that languages write their own names with.
LETTERS = {
    "ca": "àçèéíïòóúü", "cs": "áčďéěíňóřšťúůýž", "cy": "âêîôûŵŷ", "da": "æøåé", "de": "äöüß", "es": "áéíñóúü",
    "et": "äõöüšž", "fi": "äöå", "fr": "àâæçéèêëîïôùûüÿœ", "ga": "áéíóú", "hr": "čćđšž", "hu": "áéíóöőúüű",
    "is": "áðéíóúýþæö", "it": "àèéìòù", "lt": "ąčęėįšųūž", "lv": "āčēģīķļņšūž", "mt": "ċġħż", "nl": "ëïé",
    "no": "æøåéò", "pl": "ąćęłńóśźż", "pt": "áâãàçéêíóôõú", "ro": "ăâîșşțţ", "sk": "áäčďéíĺľňóôŕšťúýž",
    "sl": "čćđšž", "sq": "çë", "sv": "åäöé", "tr": "çğıöşü",
}
GREAT_SCRIPTS = {"CYRILLIC", "ARABIC", "CJK", "KATAKANA", "HANGUL", "DEVANAGARI", "GREEK", "HEBREW"}
LONGEST = 60


def native_scripts(languages):
    """The scripts of a country's languages as GeoNames lists them: "ru,tt,xal"."""
    return set().union(*(SCRIPT_OF.get(word.split("-")[0], set()) for word in languages.split(",")))


def native_letters(languages):
    """The accented letters of a country's main languages."""
    main = [word.split("-")[0] for word in languages.split(",")[:2]]
    return set().union(*(LETTERS.get(word, "") for word in main))


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


def worthwhile(name, alternates, accept, letters=frozenset()):
    """The alternates that `accept` takes and that add a name.

    Of spellings that differ only in accents the one is kept that the letters of the country's own
    languages make likely: "Åbo" rather than "Abo" in Finland, but "Roma", not "Róma", in Italy.
    """
    kept = {}
    for other in alternates:
        folded = fold(other)
        if folded and folded != fold(name) and is_name(other) and accept(other):
            if folded not in kept or _likeliness(other, letters) > _likeliness(kept[folded], letters):
                kept[folded] = other
    return list(kept.values())


def _likeliness(name, letters):
    accents = {letter.lower() for letter in name if not letter.isascii()}
    return 1 if not accents else 2 if accents <= letters else 0
