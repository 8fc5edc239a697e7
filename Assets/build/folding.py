"""How names are made comparable: lower case, bare letters, one space between words.

The program folds what is typed by the table that `table` makes, so both sides always agree.
"""
import functools
import unicodedata

# Letters that Unicode does not decompose, as people without them on the keyboard write them.
PLAIN = {
    "ø": "o", "æ": "ae", "œ": "oe", "ß": "ss", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i",
    "ħ": "h", "ŋ": "n", "ə": "e", "ɓ": "b", "ɗ": "d", "ƙ": "k", "ɣ": "g", "ɔ": "o", "ɛ": "e",
    "ŧ": "t", "ƴ": "y", "ʻ": " ", "ʼ": " ", "ʿ": " ", "ʾ": " ",
    # Arabic letters that are written one for another, and the stretcher.
    "ی": "ي", "ى": "ي", "ک": "ك", "ة": "ه", "ـ": "",
}


@functools.cache
def fold_letter(letter):
    """What one character comes to: letters, a space, or nothing."""
    folded = []
    for part in unicodedata.normalize("NFKD", letter).casefold():
        part = PLAIN.get(part, part)
        kind = unicodedata.category(part) if len(part) == 1 else "L"
        if kind in ("Mn", "Me", "Cf"):
            continue
        folded.append(part if kind[0] in "LNM" else " " * len(part))
    return unicodedata.normalize("NFC", "".join(folded))


def fold(name):
    """A name as it is compared: "São Tomé" becomes "sao tome"."""
    return " ".join("".join(map(fold_letter, name)).split())


def table(names):
    """Every character in the names, in either case, that doesn't stay as it is.

    One line for each result: the result, a tab, and the characters that become it.
    """
    letters = set("".join(names)) | set(map(chr, range(0xA0, 0x250))) | set(map(chr, range(0x300, 0x370)))
    letters |= {other for letter in letters for other in (letter.upper(), letter.lower(), letter.title())
                if len(other) == 1}
    becomes = {}
    for letter in sorted(letters - set("\t\n")):
        if not letter.isascii() and fold_letter(letter) != letter:
            becomes.setdefault(fold_letter(letter), []).append(letter)
    return "\n".join(f"{to}\t{''.join(those)}" for to, those in sorted(becomes.items()))
