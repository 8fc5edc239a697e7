"""What people call their own towns, and what English calls them: GeoNames' names by language, as Debian carries them."""
import gettext
from pathlib import Path

from folding import fold
from scripts import is_latin, is_written_in, native_scripts

LOCALE = "usr/share/locale"
# Parts of countries that speak another language than the rest, by GeoNames' first-level codes.
PARTS = {
    "BE": {"WAL": "fr"}, "CA": {"10": "fr"}, "CH": {"GE": "fr", "VD": "fr", "NE": "fr", "JU": "fr", "FR": "fr", "VS": "fr", "TI": "it"},
    "ES": {"56": "ca", "07": "ca", "58": "gl"},
}
# Languages of countries whose first one has no list of names here, or is not what the signs there say.
SPOKEN = {
    "BA": "bs hr", "BE": "nl fr", "CN": "zh", "CY": "el", "FI": "fi", "GR": "el", "HK": "zh", "IE": "en", "IL": "he", "LU": "fr",
    "ME": "sr_ME bs hr", "MO": "zh", "NO": "nb no", "SG": "en", "TW": "zh_TW zh", "ZA": "en",
}
# What names end in that says only that it is a town or a province.
ENDINGS = {"ja": ("都", "市", "区", "県", "-shi"), "zh": ("市", "区", "县", "區", "縣"), "zh_TW": ("市", "區", "縣"), "ko": ("특별시", "광역시", "시", "-si")}
BEGINNINGS = ("Kota ", "Thành Phố ", "Thành phố ", "Delegación ", "Districte de ", "Mkoa wa ", "Kabupaten ", "Municipio de ")
# Countries whose name in the list is the one of treaties, and what people there say.
SHORT = {
    "AE": "الإمارات", "BG": "България", "CD": "RD Congo", "CF": "Centrafrique", "CG": "Congo", "DO": "República Dominicana",
    "GR": "Ελλάδα", "KG": "Кыргызстан", "KM": "جزر القمر", "KP": "조선", "KR": "한국", "MD": "Moldova", "MF": "Saint-Martin",
    "MK": "Северна Македонија", "SA": "السعودية", "US": "United States", "UZ": "O‘zbekiston", "VU": "Vanuatu", "WS": "Sāmoa",
    "YE": "اليمن",
}
# A Latin name that has more of its letters from elsewhere is another place's, or another time's.
FARTHEST = 0.67


# Words that begin names which have a meaning only as a whole, such as San Miguel de Allende.
WHOLE = ("Barrio", "Ciudad", "Colonia", "Cabo", "Dolores", "El", "Ex", "Fraccionamiento", "Hacienda", "Isla", "Jardines", "La", "Las",
         "Los", "Paso", "Playa", "Puerto", "Rincón", "Rio", "Río", "San", "Santa", "Santo", "Santiago", "Tierra", "Valle", "Villa")
# Names of towns that only laws and letterheads use in full, and the usual ones.
USUAL = {
    "Ciudad Mazatlán": "Mazatlán", "Heroica Guaymas": "Guaymas", "Heroica Matamoros": "Matamoros", "Heroica Zitácuaro": "Zitácuaro",
    "León de los Aldama": "León", "Santiago de Querétaro": "Querétaro", "Túxpam de Rodríguez Cano": "Tuxpan",
    "Tepeji del Río de Ocampo": "Tepeji del Río", "Victoria de Durango": "Durango",
}


def usual(city):
    """The usual name of a town: without the hero that Mexico adds to it, and without the word for a town in Japan and Korea."""
    name, country = city["name"], city["countrycode"]
    if country in ("JP", "KP", "KR"):
        return name.removesuffix("-shi").removesuffix("-si")
    if country != "MX":
        return name
    short = name.split(" de ")[0]
    is_known = " " not in short or fold(short) in map(fold, city["alternatenames"])
    return USUAL.get(name) or (short if is_known and short.split()[0] not in WHOLE else name)


class LocalNames:
    def __init__(self, root):
        self.root = Path(root) / LOCALE
        self.catalogues = {}

    def english(self, number):
        return self._catalogue("en").get(str(number), "")

    def country(self, code, languages):
        """What people call their country in its own language."""
        return SHORT.get(code) or self.official(code, languages)

    def official(self, code, languages):
        """A country's name in the list of its own language."""
        return next((name for word in self._spoken(code, languages) if (name := self._name(word, code))), "")

    def town(self, city, languages):
        """A town's name in its country's language; "" where it is not known to be another than GeoNames' own."""
        if city["name"].startswith(BEGINNINGS):
            return ""
        words = self._spoken(city["countrycode"], languages)
        part = PARTS.get(city["countrycode"], {}).get(city["admin1code"])
        words = [part] if part else words
        found = [(word, name) for word in words if (name := self._name(word, city["geonameid"]))]
        found = [(word, name) for word, name in found if "(" not in name and (not is_latin(name) or _is_near(name, city["name"]))]
        if found and fold(found[0][1]).startswith(fold(city["name"]) + " "):
            return ""  # only an addition to the usual name, such as Toluca de Lerdo
        return found[0][1] if found else self._written(city, words[0])

    @staticmethod
    def _written(city, language):
        """Of names in the country's script the shortest: longer ones say what the place is."""
        scripts = native_scripts(language.split("_")[0])
        fitting = [name for name in city["alternatenames"] if scripts and is_written_in(name, scripts) and "," not in name]
        return _plain(min(fitting, key=lambda name: (len(name), name)), language) if fitting else ""

    def _spoken(self, code, languages):
        first = languages.split(",")[0].split("-")[0]
        return (SPOKEN.get(code) or first).split()

    def _name(self, language, key):
        name = self._catalogue(language).get(str(key), "")
        return "" if language == "sr" and is_latin(name) else _plain(name, language)

    def _catalogue(self, language):
        if language not in self.catalogues:
            path = self.root / language / "LC_MESSAGES/geonames.mo"
            self.catalogues[language] = gettext.GNUTranslations(path.open("rb"))._catalog if path.exists() else {}
        return self.catalogues[language]


def _plain(name, language):
    """The name without what says only what it is the name of."""
    for ending in ENDINGS.get(language, ()):
        if name.endswith(ending) and len(name) - len(ending) >= 2:
            return name[:-len(ending)]
    return next((name[len(word):] for word in BEGINNINGS if name.startswith(word)), name)


def _is_near(name, usual):
    a, b = fold(name), fold(usual)
    return _distance(a, b) <= FARTHEST * max(len(a), len(b), 1)


def _distance(a, b):
    """How many letters differ (Levenshtein)."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        last, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            last, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, last + (x != y))
    return row[-1]
