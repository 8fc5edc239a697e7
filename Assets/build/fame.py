"""The fame of places, beside the number of their people, and how current their other names are.

GeoNames has neither. Both go by libgeonames-common, which lists the names of the larger places in some 200 languages: a
place with names in many languages is well known, and a name that none of these languages uses is obsolete or rare.
"""
import gettext
from collections import Counter, defaultdict
from pathlib import Path

from folding import fold
from localnames import LOCALE
from scripts import is_latin

# Places from this population on are in the lists of names by language, if they are known beyond their country.
LISTED = 15_000
# Small places that travellers know, by country; where several are called so, the region's code follows. Each counts as if
# it had some twenty times as many people.
RESORTS = {
    "AD": "Andorra la Vella", "AR": "El Calafate, El Chaltén, Ushuaia, Cafayate, Puerto Iguazú, Villa La Angostura",
    "AT": "Hallstatt, Kitzbühel, Zell am See, Sankt Anton am Arlberg, Lech, Ischgl, Bad Ischl, Melk, Seefeld in Tirol, Mayrhofen",
    "AU": "Byron Bay, Alice Springs, Broome, Port Douglas, Coober Pedy, Margaret River, Katherine, Port Arthur",
    "BE": "Dinant, Bastogne, Ypres, Spa", "BO": "Uyuni, Copacabana, Rurrenabaque",
    "BR": "Paraty, Ouro Preto, Jericoacoara, Bonito, Olinda, Fernando de Noronha",
    "BG": "Bansko, Nesebar, Sozopol", "BA": "Mostar, Srebrenica", "BZ": "San Pedro, Placencia",
    "CA": "Banff, Jasper, Whistler, Tofino, Churchill, Lake Louise, Dawson City, Niagara-on-the-Lake, Canmore, Mont-Tremblant",
    "CH": """Zermatt, Interlaken, Davos, Grindelwald, Wengen, Lauterbrunnen, Saint Moritz, Sankt Moritz, Gstaad, Verbier, Saas-Fee,
        Andermatt, Arosa, Klosters, Montreux, Ascona, Gruyères, Engelberg, Mürren, Locarno""",
    "CL": "San Pedro de Atacama, Puerto Natales, Pucón, Hanga Roa", "CN": "Lijiang, Yangshuo, Dali",
    "CO": "Salento, Villa de Leyva", "CR": "La Fortuna, Monteverde, Tamarindo, Quepos, Puerto Viejo",
    "CU": "Trinidad, Varadero, Viñales", "CZ": "Český Krumlov, Karlovy Vary, Kutná Hora", "CY": "Ayia Napa/CA, Kyrenia",
    "DE": """Garmisch-Partenkirchen, Rothenburg ob der Tauber, Füssen, Berchtesgaden, Oberammergau, Oberstdorf, Baden-Baden,
        Bayreuth, Meißen, Dachau, Wittenberg, Weimar, Lindau, Cochem, Bacharach, Quedlinburg""",
    "DK": "Skagen, Ribe, Billund", "EC": "Baños, Otavalo, Puerto Ayora", "EG": "Dahab, Sharm el-Sheikh, Abu Simbel, Sīwah",
    "ES": """Ronda, Cadaqués, Sitges, Nerja, Benidorm, Tarifa, Mérida, Cuenca, Segovia, Ávila, Toledo, Guernica, Alhambra,
        Santillana del Mar, Altea, Tossa de Mar""",
    "FI": "Rovaniemi, Levi, Ivalo, Inari, Porvoo", "FO": "Tórshavn",
    "FR": """Chamonix-Mont-Blanc, Annecy, Carcassonne, Saint-Malo, Honfleur, Colmar, Avignon, Arles, Biarritz, Saint-Tropez,
        Antibes, Menton, Èze, Giverny, Versailles, Lourdes, Bayeux, Cassis, Courchevel, Megève, Val d'Isère, Val-d'Isère, Tignes,
        Les Gets, Morzine, Deauville, Étretat, Rocamadour, Le Mont-Saint-Michel, Calvi, Porto-Vecchio, Bonifacio, Beaune, Vézelay""",
    "GB": """Bath, Saint Ives, St Ives, Penzance, Stratford-upon-Avon, Windsor, Whitby, Glastonbury, Keswick, Windermere, Ambleside,
        Bakewell, Llandudno, Conwy, Tenby, Aviemore, Fort William, Portree, Oban, Saint Andrews, St Andrews, Pitlochry, Inverness,
        Dover, Rye, Salisbury, Lerwick, Kirkwall, Stornoway, Hay-on-Wye, Greenwich, Wimbledon""",
    "GR": "Mykonos, Fira, Oia, Nafplio, Delphi, Kalambaka, Meteora, Lindos, Parga, Olympia, Hydra, Sparta, Sparti, Monemvasía",
    "GT": "Antigua Guatemala, Panajachel, Flores, Chichicastenango", "HN": "Copán", "HR": "Hvar, Rovinj, Korčula, Trogir, Makarska, Cavtat, Poreč",
    "HU": "Szentendre, Eger, Tihany", "ID": "Ubud, Kuta, Labuan Bajo, Senggigi, Canggu, Sanur, Seminyak, Uluwatu",
    "IE": "Dingle, Killarney, Kinsale, Westport, Doolin, Cobh, Galway",
    "IN": """Hampi, Rishikesh, Leh, Manali, Jaisalmer, Pushkar, Darjeeling, Khajurāho, Munnar, Shimla, Dharamsala, Ooty, Udaipur,
        McLeod Ganj, Panjim, Panaji, Varkala""",
    "IS": "Akureyri, Húsavík, Vík, Höfn, Selfoss, Keflavík", "IL": "Nazareth, Eilat, Safed, Acre, Masada", "IR": "Persepolis",
    "IT": """Positano, Amalfi, Ravello, Sorrento, Capri, Taormina, Cefalù, Portofino, Siena, Assisi, Pisa, Lucca, San Gimignano,
        Montepulciano, Cortona, Orvieto, Cortina d'Ampezzo, Bellagio, Como, Sirmione, Matera, Alberobello, Polignano a Mare, Tropea,
        Vernazza, Monterosso al Mare, Riomaggiore, Manarola, Courmayeur, Bormio, Livigno, Portovenere, Ravenna, Pompei, Stresa,
        Alghero, Porto Cervo, Tivoli, Volterra, Urbino, Burano, Murano, Merano, Bressanone, Ortisei, Riva del Garda""",
    "JP": "Nikkō, Hakone, Takayama, Shirakawa, Kamakura, Hakuba, Niseko, Nara-shi, Nara, Miyajima, Karuizawa, Naoshima",
    "KH": "Siem Reap, Kampot, Sihanoukville, Angkor", "LA": "Luang Prabang, Vang Vieng, Pakse", "LK": "Galle, Ella, Sigiriya, Kandy",
    "LU": "Vianden", "MA": "Chefchaouen, Essaouira, Merzouga, Ouarzazate, Aït Benhaddou", "MC": "Monaco, Monte-Carlo",
    "ME": "Kotor, Budva, Perast", "MK": "Ohrid", "ML": "Timbuktu, Djenné", "MM": "Bagan", "MT": "Valletta, Mdina, Sliema",
    "MX": """Tulum, San Miguel de Allende, Puerto Vallarta, Puerto Escondido, San Cristóbal de las Casas, Cabo San Lucas, Taxco,
        Playa del Carmen, Sayulita, Cozumel, Valladolid, Guanajuato, Palenque, Bacalar, Chichén Itzá, Isla Mujeres""",
    "NA": "Swakopmund, Lüderitz, Sossusvlei", "NI": "San Juan del Sur", "NL": "Delft, Giethoorn, Volendam, Gouda, Edam",
    "NO": "Tromsø, Ålesund, Flåm, Geiranger, Voss, Svolvær, Longyearbyen, Narvik, Lillehammer, Røros, Honningsvåg, Kirkenes, Odda",
    "NP": "Pokhara, Lukla, Namche Bazaar, Lumbini, Bandipur",
    "NZ": "Queenstown, Wanaka, Te Anau, Kaikoura, Rotorua, Taupo, Picton, Milford Sound, Franz Josef, Paihia, Twizel",
    "PE": "Machu Picchu, Aguas Calientes, Ollantaytambo, Pisac, Puno, Nazca, Máncora, Huaraz, Urubamba", "PH": "El Nido, Coron, Boracay, Banaue, Siargao",
    "PL": "Zakopane, Oświęcim, Malbork, Sopot", "PS": "Bethlehem, Jericho, Hebron",
    "PT": "Sintra, Cascais, Lagos, Óbidos, Fátima, Albufeira, Nazaré, Évora, Ericeira, Tavira, Sagres, Funchal, Ponta Delgada",
    "RO": "Sinaia, Sighişoara, Sighișoara, Bran, Braşov", "SE": "Kiruna, Visby, Åre, Sigtuna, Abisko, Ystad, Jukkasjärvi, Marstrand",
    "SI": "Bled, Piran, Bohinjska Bistrica, Kranjska Gora, Postojna", "SK": "Bratislava, Poprad, Banská Štiavnica",
    "SY": "Palmyra, Tadmur", "TH": "Pai, Krabi, Patong, Hua Hin, Ayutthaya, Ko Samui, Ban Karon, Kanchanaburi, Ao Nang",
    "TR": "Göreme, Bodrum, Ölüdeniz, Fethiye, Kaş, Marmaris, Selçuk, Cappadocia, Pamukkale, Çeşme, Alaçatı, Ürgüp", "TZ": "Moshi, Arusha, Bagamoyo",
    "US": """Aspen/CO, Vail/CO, Telluride/CO, Park City/UT, Key West, Moab/UT, Sedona/AZ, Savannah/GA, Santa Fe/NM, Carmel-by-the-Sea, Sausalito, Malibu/CA,
        Beverly Hills, Hollywood/CA, Niagara Falls/NY, Gettysburg/PA, Salem/MA, Provincetown, Nantucket, Bar Harbor, Roswell/NM, Jackson/WY, Princeton/NJ,
        Breckenridge, Estes Park, Lake Placid/NY, Woodstock/NY, Monterey/CA, Napa, Palm Springs/CA, Taos/NM, Cupertino, Mountain View/CA, Palo Alto,
        Palm Beach/FL, Miami Beach, Santa Monica, Tombstone/AZ, Big Sur, Juneau/AK, Ketchikan, Sitka/AK, Hana/HI, Lahaina, Kailua-Kona, Hilo, Los Alamos""",
    "UY": "Colonia del Sacramento, Punta del Este", "VN": "Hội An, Hoi An, Sa Pá, Sapa, Dalat, Da Lat, Nha Trang, Mũi Né",
    "ZA": "Stellenbosch, Franschhoek, Knysna, Hermanus, Plettenberg Bay", "ZM": "Livingstone", "ZW": "Victoria Falls",
}
RESORT = 1.3
MOST_PEOPLE = 300_000


def familiar(cities):
    """Numbers of the cities that RESORTS names: of several called so the one with the most names."""
    wanted = {(code, fold(name.partition("/")[0])): name.partition("/")[2].strip()
              for code, names in RESORTS.items() for name in names.split(",")}
    found = {}
    for city in cities:
        key = city["countrycode"], fold(city["name"])
        if key in wanted and wanted[key] in ("", city["admin1code"]) and city["population"] < MOST_PEOPLE:
            if key not in found or len(city["alternatenames"]) > len(found[key]["alternatenames"]):
                found[key] = city
    return {city["geonameid"] for city in found.values()}


class Fame:
    """Reads the lists of names of all languages."""

    def __init__(self, root, cities):
        self.familiar = familiar(cities)
        self.votes = defaultdict(Counter)
        for path in sorted((Path(root) / LOCALE).glob("*/LC_MESSAGES/geonames.mo")):
            with path.open("rb") as file:
                for number, name in gettext.GNUTranslations(file)._catalog.items():
                    if str(number).isdigit():
                        self.votes[number][fold(name)] += 1
        counts = defaultdict(list)
        for city in cities:
            if 2000 <= city["population"] < LISTED:
                counts[city["countrycode"]].append(len(city["alternatenames"]))
        # Lists of alternates are longer in some countries for all places alike.
        self.usual = {code: sum(those) / len(those) for code, those in counts.items()}

    def of_city(self, city):
        """What being known is worth beside a power of ten of people; some is taken from sections of cities."""
        languages = self.votes[str(city["geonameid"])].total()
        if languages or city["population"] >= LISTED:
            fame = 1.8 * (languages / 100) ** 0.75 if languages else -0.4
        else:
            extra = len(city["alternatenames"]) - self.usual.get(city["countrycode"], 0)
            fame = min(max(0.03 * extra, -0.2), 0.8)
        return fame + RESORT * (city["geonameid"] in self.familiar)

    def rank(self, city, name):
        """0 for a name that several languages use, 1 for one that may be local, 2 for one out of use."""
        votes = self.votes[str(city["geonameid"])]
        if not votes:
            return 1 if is_latin(name) else 0
        return 0 if not is_latin(name) or votes[fold(name)] > 1 else 1 if votes[fold(name)] else 2
