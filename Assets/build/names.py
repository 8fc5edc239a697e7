"""Natural Earth's names of natural features: written as in a sentence, and with the letters that its files have lost."""
import re

# Whole names that the files have otherwise.
RIGHT = {
    "ARRESOE": "Arresø", "BIELER SEE": "Bielersee", "BRIENZER SEE": "Brienzersee", "CHIEMSEE": "Chiemsee",
    "MURTENSEE": "Murtensee", "THUNER SEE": "Thunersee", "ZUERICH SEE": "Zürichsee", "ZUGER SEE": "Zugersee",
    "Vierwaldstttersee": "Vierwaldstättersee", "Neuchatel": "Lac de Neuchâtel", "Trasimeno": "Lago Trasimeno",
    "Lac d' Annecy": "Lac d’Annecy", "Lago d' Iseo": "Lago d’Iseo", "Lago di Lugano - Ceresio": "Lago di Lugano",
    "Sainte-Croix": "Lac de Sainte-Croix", "Wörther See": "Wörthersee", "Inarijrvi": "Inarijärvi", "Pijnne": "Päijänne",
    "Pjrvi": "Pääjärvi", "Pyhjrvi": "Pyhäjärvi", "Pyhjärvi": "Pyhäjärvi", "htrinjärvi": "Ähtärinjärvi", "Kemijarvi": "Kemijärvi",
    "nttijärvi": "Änättijärvi", "Kyyvesi": "Kyyvesi", "Lngelmenjärvi": "Längelmävesi", "Oulujarvi": "Oulujärvi",
    "Sysmjärvi": "Sysmäjärvi", "Tyrjrvi": "Tyräjärvi", "Kyrsjärvi": "Kyrösjärvi", "IIJÄRVI 7": "Iijärvi",
    "UNARINJÄRVI 1": "Unarinjärvi", "Kolimajärvi 52": "Kolimajärvi", "Hiidenvesi syvnne 90": "Hiidenvesi",
    "Mritz": "Müritz", "Klpinsee": "Kölpinsee", "Jezioro ebsko": "Jezioro Łebsko", "Jezioro Dabie": "Jezioro Dąbie",
    "Middle of Poroszl basin": "", "Liman near Odessa": "", "Dam": "", "Mr": "", "Lake Dbo": "Lac Débo", "Hh Nuur": "Höh Nuur",
    "Murtoselka": "Murtoselkä", "Pelinginselka": "Pelinginselkä", "Hauhonselka": "Hauhonselkä", "Viiksinselka": "",
    "Loch Lomond North Basin": "Loch Lomond", "Lough Bhanabhaidh": "", "Iznik Gl": "İznik Gölü", "Burdur Gl": "Burdur Gölü",
    "Kus Gl": "Kuş Gölü", "Aksehir Gl": "Akşehir Gölü", "Beysehir": "Beyşehir Gölü", "Egridir": "Eğirdir Gölü",
    "Storsjn": "Storsjön", "Storsjen": "Storsjøen", "Orsasjn": "Orsasjön", "Ormsjn": "Ormsjön", "Holmsjn": "Holmsjön",
    "Bergsjn": "Bergsjön", "Helgasjn": "Helgasjön", "Ivsjn": "Ivösjön", "Hammarsjn": "Hammarsjön", "Vannsj": "Vansjø",
    "Mckeln": "Möckeln", "Mjrn": "Mjörn", "Blsj": "Blåsjön", "Orsjn": "Orsjön", "Locknesjn": "Locknesjön", "Landsjn": "Landsjön",
    "Betarsjn": "Betarsjön", "Krderen": "Krøderen", "Msvatn": "Møsvatn", "Hurdalsjen": "Hurdalsjøen", "Ossjen": "Osensjøen",
    "Nordsj": "Norsjø", "Slensjen": "Femunden", "Aursjen": "Aursjøen", "Essandsjen": "Esandsjøen", "Lofssjn": "Lofssjön",
    "Conn (Lough)": "Lough Conn", "Corrib (Lough)": "Lough Corrib", "Leane (Lough)": "Lough Leane", "Mask (Lough)": "Lough Mask",
    "Melvin (Lough)": "Lough Melvin", "Doirani Lake - Doirani Community": "Lake Doirani", "Tengiz Köli": "Tengiz Köli",
    "Balta Bistre?": "", "Bangsjene": "Bangsjøan", "Bellvikssjn": "Bellvikssjön", "Jlstravatnet": "Jølstravatnet",
    "Gota": "Göta älv", "Saone": "Saône", "Sure": "Sûre", "Kalix": "Kalixälven", "Torne": "Torneälven", "Pite": "Piteälven",
    "Vindel": "Vindelälven", "Umea": "Umeälven", "Vasterdal": "Västerdalälven", "Stora Lule": "Stora Luleälven",
    "Jucar": "Júcar", "Jalon": "Jalón", "Aragon": "Aragón", "Vah": "Váh", "Hornad": "Hornád", "Uhlava": "Úhlava", "Sazava": "Sázava",
    "Notec": "Noteć", "Nysa Klodzka": "Nysa Kłodzka", "Luzicka Nisa": "Neiße", "Kizilirmak": "Kızılırmak", "Zezere": "Zêzere",
    "Le gave de Pau": "Gave de Pau", "Buyuk Menderes": "Büyük Menderes", "Kokemaen": "Kokemäenjoki", "Kyron": "Kyrönjoki",
    "Lapuan": "Lapuanjoki", "Kala": "Kalajoki", "Siika": "Siikajoki", "Konkama": "Könkämäeno", "Weisse Elster": "Weiße Elster",
    "Emajogi": "Emajõgi", "Parnu": "Pärnu", "Lagen": "Lågen", "Moraca": "Morača", "Nisava": "Nišava", "Eger": "Eger",
    "ALTI-PLANICIE MEXICANA": "Mexican Plateau", "APPENNINI": "Apennines", "AÇORES": "Azores", "ARCHIPIÉLAGO DE COLÓN": "Galápagos Islands",
    "BALKAN PEN.": "Balkan Peninsula", "Lac Moeru": "Lake Mweru", "Mt. Blanc": "Mont Blanc", "Caribbean  Sea": "Caribbean Sea",
    "Golfo San Mat’as": "Golfo San Matías", "Gulf of Olen‘k": "Gulf of Olenëk", "Cabo de São Vicentete": "Cabo de São Vicente",
    "Jezioro Gardno": "Jezioro Gardno", "Grmsey": "Grímsey", "Etang de la Morge des Champs": "", "Thielle": "Thielle", "Or": "",
}
# Parts of words that have lost a letter, as they ought to be.
PARTS = {
    "Rivire": "Rivière", "Ro ": "Río ", "Rservoir": "Réservoir", " Kli": " Köli", " Golu": " Gölü", "Limni ": "Limni ", "-Kl": "-Köl",
    "Psa.": "Presa", "Res.": "Reservoir", "ISANDS": "ISLANDS",
}
SHORT = {
    "I.": "Island", "Is.": "Islands", "Mts.": "Mountains", "Mt.": "Mount", "Ra.": "Range", "Pen.": "Peninsula", "Pt.": "Point",
    "Str.": "Strait", "Sd.": "Sound", "B.": "Bahía", "C.": "Cape", "Des.": "Desert", "Plat.": "Plateau", "Arch.": "Archipelago", "Cord.": "Cordillera",
}
# Names by which the tables call the same, and names that the files misspell or shorten.
KNOWN_AS = {
    "Carpathian Mountains": "Carpathians", "Plateau of Tibet": "Tibetan Plateau",
    "Ryükyü Islands": "Ryukyu Islands", "Nampö-Shotö": "Nanpō Islands", "Izu-Shotö": "Izu Islands", "Daitö Islands": "Daitō Islands",
    "Ösumi Islands": "Ōsumi Islands", "Läna‘i": "Lāna‘i", "Hachijjima": "Hachijō-jima", "Ailinglapalap": "Ailinglaplap",
    "Nukuroro": "Nukuoro", "Arorea": "Arorae", "Natuna Basar": "Natuna Besar", "Greem Bell Island": "Graham Bell Island",
    "N. Andaman": "North Andaman", "S. Andaman": "South Andaman", "î. d’Anticosti": "Île d’Anticosti", "îles Wallis": "Îles Wallis",
    "New Schawbenland": "New Schwabenland", "Queen Maude Mountains": "Queen Maud Mountains", "Quilian Mountains": "Qilian Mountains",
    "Arvalli Range": "Aravalli Range", "Central Bruhui Range": "Central Brahui Range", "Kopet Dag Mts .": "Kopet Dag",
    "Chota Nägpur Plateau": "Chota Nāgpur Plateau", "Ra’s Banäs": "Ra’s Banās", "Jabal Nafüsah": "Jabal Nafūsah",
    "Idhän Murzuq": "Idhān Murzuq", "Al Harüj al Aswad": "Al Harūj al Aswad", "Jabal as Sawdä’": "Jabal as Sawdā’",
    "Lands End": "Land’s End", "Ponta São Sebastio": "Ponta São Sebastião", "Pén. de Gaspé": "Péninsule de Gaspé",
    "S. Nevada": "Sierra Nevada", "S. Dourada": "Serra Dourada", "S. de Pakaraima": "Sierra de Pakaraima",
    "S. do Cachimbo": "Serra do Cachimbo", "S. do Piaui": "Serra do Piauí", "S. dos Gradaús": "Serra dos Gradaús",
    "Grande Rivire de la Baleine": "Grande Rivière de la Baleine", "Petite rivire de la Baleine": "Petite rivière de la Baleine",
    "Petite rivire Manicouagan": "Petite rivière Manicouagan", "Arroyo Asuncin": "Arroyo Asunción",
    "San Cristobol Wash": "San Cristobal Wash", "Repressa de Jupia": "Represa de Jupiá", "Ataturk Barajt": "Atatürk Barajı",
    "Loukhskoe ozereo": "Loukhskoye ozero", "Presa Lzaro Crdenas": "Presa Lázaro Cárdenas", "Embalse de Buenda": "Embalse de Buendía",
    "Presa Abelardo L. Rodrguez": "Presa Abelardo L. Rodríguez", "Takern": "Tåkern",
}
SMALL = {"of", "de", "del", "da", "do", "dos", "des", "du", "la", "las", "los", "le", "les", "and", "di", "y", "al", "the"}


def proper(name):
    """A name as it is written on a map; empty if the file's name is none."""
    name = re.sub(r"\s+", " ", name or "").strip()
    if name in RIGHT:
        return RIGHT[name]
    for lost, whole in PARTS.items():
        name = name.replace(lost, whole)
    words = name.split()
    if len(words) > 1 and words[0] in ("I.", "Is."):
        words[0] = {"I.": "Isla", "Is.": "Islas"}[words[0]]
    words = [SHORT.get(word, SHORT.get(word.capitalize(), word)) for word in words]
    if name.isupper():
        words = [_capital(word, at) for at, word in enumerate(words)]
    name = " ".join(words)
    return "" if re.search(r"[?\d_]|^-|untitled", name) else KNOWN_AS.get(name, name)


def _capital(word, at):
    small = word.lower()
    if at and small in SMALL:
        return small
    return "-".join("’".join(part.capitalize() if len(part) > 1 or not n else part for n, part in enumerate(piece.split("’")))
                    for piece in small.split("-"))
