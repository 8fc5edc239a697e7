"""Seas, mountains and deserts that orient on a map of the world: written by hand, in the middle of what they name.

Each is told by a number that counts like people on the map: powers of ten, 9 for an ocean, 5 for a mountain range of a
country.
"""
WATER, LAND = "water", "land"

# name, latitude, longitude, importance, other names
WATERS = """
Pacific Ocean|8|-150|9|Pazifik, Pacifique, Pacífico, Тихий океан, 太平洋
Atlantic Ocean|27|-42|9|Atlantik, Atlantique, Atlántico, Атлантический океан, 大西洋
Indian Ocean|-22|78|9|Indischer Ozean, Océan Indien, Océano Índico, Индийский океан, インド洋
Southern Ocean|-62|20|8.2|Antarctic Ocean, Südlicher Ozean, Océan Austral
Arctic Ocean|81|-150|8.2|Nordpolarmeer, Océan Arctique, Северный Ледовитый океан
Mediterranean Sea|34.2|19.5|7.2|Mittelmeer, Méditerranée, Mar Mediterráneo, Mar Mediterraneo, البحر المتوسط
Caribbean Sea|14.8|-75.5|6.9|Karibik, Mer des Caraïbes, Mar Caribe
Gulf of Mexico|25.2|-90.2|6.8|Golf von Mexiko, Golfo de México
Hudson Bay|59.8|-85.5|6.6|Baie d'Hudson
Gulf of Alaska|57|-146|6.1|
Bering Sea|57.8|-176|6.6|Beringmeer, Берингово море
Sea of Okhotsk|54|150|6.4|Охотское море
Sea of Japan|40|134.8|6.3|East Sea, 日本海, 동해
Yellow Sea|36|123.2|5.9|黄海, 황해
East China Sea|29.5|125.3|6.1|东海
South China Sea|13.5|114.5|6.7|南海, Biển Đông
Philippine Sea|19|132|6.5|
Coral Sea|-17.5|155|6.6|
Tasman Sea|-39|160|6.6|
Arabian Sea|15|63.5|6.8|بحر العرب
Bay of Bengal|14.5|88|6.7|
Andaman Sea|10.5|95.8|5.8|
Persian Gulf|26.8|51.6|6|Arabian Gulf, خلیج فارس, الخليج العربي
Gulf of Aden|12.3|48|5.7|
Red Sea|20|38.7|6.3|Rotes Meer, Mer Rouge, البحر الأحمر
Black Sea|43.2|34.2|6.6|Schwarzes Meer, Mer Noire, Чёрное море, Karadeniz
Caspian Sea|41.8|50.6|6.6|Kaspisches Meer, Каспийское море, دریای خزر
Sea of Azov|46.1|36.6|5.3|Азовское море
Baltic Sea|57.5|19.5|6.4|Ostsee, Mer Baltique, Östersjön, Itämeri, Morze Bałtyckie, Балтийское море
Gulf of Bothnia|62.3|19.6|5.7|Pohjanlahti, Bottniska viken
Gulf of Finland|59.9|25.7|5.1|Suomenlahti, Finska viken, Финский залив
North Sea|56.2|3.2|6.5|Nordsee, Mer du Nord, Noordzee, Nordsjøen
Norwegian Sea|67|2|6.4|Norskehavet
Greenland Sea|76|-6|6.2|
Barents Sea|74|37|6.4|Barentshavet, Баренцево море
Kara Sea|76|72|6.2|Карское море
Laptev Sea|76.5|125|6.1|море Лаптевых
East Siberian Sea|73.5|164|6.1|
White Sea|65.6|38|5.3|Белое море
Labrador Sea|58.5|-54|6.2|
Baffin Bay|73.5|-67|6.2|
Beaufort Sea|72.5|-138|6.1|
English Channel|50.1|-1.6|5.7|La Manche, Ärmelkanal
Irish Sea|53.8|-5|5.3|
Celtic Sea|50|-8.3|5.5|
Bay of Biscay|45.3|-4.6|6|Golfe de Gascogne, Golfo de Vizcaya
Adriatic Sea|42.9|15.2|5.9|Adria, Mare Adriatico, Jadransko more
Tyrrhenian Sea|39.9|12.2|5.8|Mar Tirreno
Ionian Sea|37.8|18.8|5.7|Mar Ionio, Ιόνιο Πέλαγος
Aegean Sea|38.4|25.2|5.8|Ägäis, Αιγαίο Πέλαγος, Ege Denizi
Ligurian Sea|43.4|8.9|5.1|Mar Ligure
Gulf of Guinea|1.5|2.8|6.3|Golfe de Guinée
Mozambique Channel|-18.5|41.2|6|Canal de Moçambique
Gulf of California|27|-111.3|5.6|Golfo de California
Gulf of Saint Lawrence|48.2|-61.8|5.7|Golfe du Saint-Laurent
Sargasso Sea|28.5|-64|6.2|
Java Sea|-4.8|111.5|5.8|Laut Jawa
Banda Sea|-5.8|127|5.7|
Timor Sea|-11|127.5|5.6|
Arafura Sea|-9.3|134.5|5.8|
Gulf of Carpentaria|-14|139|5.7|
Gulf of Thailand|9.8|101.6|5.7|อ่าวไทย
Great Australian Bight|-34.2|130.5|6|
Bass Strait|-39.7|145.9|5|
Weddell Sea|-73|-45|6|
Ross Sea|-75|-175|6|
Lake Superior|47.6|-87.6|5.9|Lac Supérieur
Lake Michigan|43.6|-87|5.8|
Lake Huron|44.9|-82.4|5.6|
Lake Erie|42.2|-81.2|5.4|
Lake Ontario|43.7|-77.9|5.4|
Lake Victoria|-1.2|32.9|5.8|
Lake Tanganyika|-6.3|29.5|5.5|
Lake Malawi|-11.8|34.5|5.5|Lake Nyasa, Niassa
Lake Baikal|53.6|108.2|5.9|Baikalsee, озеро Байкал
Lake Ladoga|60.8|31.5|5.4|Ладожское озеро
Lake Onega|61.8|35.4|5.1|Онежское озеро
Lake Balkhash|46.3|74.5|5.3|Балқаш
Vänern|58.9|13.3|5.1|
Saimaa|61.3|28.2|4.6|
Lake Geneva|46.45|6.55|4.7|Lac Léman, Genfersee
Lake Constance|47.62|9.38|4.6|Bodensee
Lake Garda|45.65|10.68|4.6|Lago di Garda, Gardasee
Balaton|46.85|17.75|4.7|Plattensee
Lake Titicaca|-15.8|-69.4|5.4|Lago Titicaca
Great Bear Lake|66|-121|5.4|
Great Slave Lake|61.7|-114|5.4|
Lake Winnipeg|52.4|-97.8|5.3|
Great Salt Lake|41.2|-112.6|5|
"""

LANDS = """
Alps|46.6|10.6|6.1|Alpen, Alpes, Alpi, Alpe
Pyrenees|42.7|0.9|5.7|Pyrénées, Pirineos, Pirineus
Apennines|43.3|12.6|5.2|Appennini
Carpathians|47.8|24.6|5.7|Karpaten, Karpaty, Carpați, Карпати
Dinaric Alps|44|17.3|5.1|Dinara
Balkan Mountains|42.8|24.7|5.2|Стара планина
Scandinavian Mountains|64.8|13.6|5.6|Skanderna, Kjølen
Caucasus|42.8|44.2|5.9|Kaukasus, Кавказ
Ural Mountains|60.5|59.3|6.1|Urals, Ural, Уральские горы
Taurus Mountains|37.4|33|5.2|Toros Dağları
Zagros Mountains|32.6|50|5.6|زاگرس
Hindu Kush|35.6|70.6|5.6|
Karakoram|35.8|76.4|5.3|
Pamir Mountains|38.6|73|5.4|
Tian Shan|42|79.5|5.9|Тянь-Шань, 天山
Altai Mountains|48.7|89.5|5.8|Алтай
Himalayas|28.9|83.2|6.6|Himalaya, हिमालय
Tibetan Plateau|33|88|6.4|青藏高原
Western Ghats|14.6|75|5.3|
Atlas Mountains|32|-4.6|5.8|Atlas
Ethiopian Highlands|10.4|38.8|5.5|
Drakensberg|-29.4|29.3|5.2|uKhahlamba
Rocky Mountains|43.9|-109.8|6.5|Rockies
Sierra Nevada|37.6|-119.1|5.4|
Cascade Range|45.3|-121.8|5.3|
Appalachian Mountains|37.8|-80.8|6|Appalachians
Alaska Range|63|-150.8|5.6|
Brooks Range|68.3|-152|5.4|
Sierra Madre Occidental|25.4|-105.8|5.4|
Andes|-15.5|-71.5|6.6|Anden, Cordillera de los Andes
Patagonia|-45|-70|5.8|Patagonien
Guiana Highlands|4.5|-62.5|5.4|
Brazilian Highlands|-15.5|-46|5.6|
Great Dividing Range|-31.2|150.8|5.8|
Southern Alps|-43.7|170.4|5.2|Kā Tiritiri o te Moana
Sahara|23.2|9.5|6.9|Sahara Desert, الصحراء الكبرى
Libyan Desert|25.2|25.3|5.6|
Nubian Desert|20.8|33.3|5.3|
Kalahari|-23|21.8|5.8|Kalahari Desert
Namib|-22.9|14.9|5.3|Namib Desert
Sahel|14.3|6|5.7|
Rub' al Khali|20.2|50.5|5.8|Empty Quarter, الربع الخالي
Syrian Desert|32.6|38.6|5.3|
Dasht-e Kavir|34.6|54.6|5.3|دشت کویر
Karakum|39.3|60.3|5.4|Garagum, Karakum Desert
Kyzylkum|42.6|63.8|5.3|Qizilqum, Kyzylkum Desert
Thar Desert|27.2|71.2|5.4|
Taklamakan|38.8|83|5.7|Taklamakan Desert, 塔克拉玛干
Gobi|42.8|105|6|Gobi Desert, Говь, 戈壁
Siberia|63|105|6.6|Sibirien, Сибирь
Great Plains|43.5|-101|5.9|
Great Basin|39.6|-116.5|5.4|
Sonoran Desert|32.3|-112.8|5.1|
Amazonia|-4.8|-63.5|6.3|Amazonas
Pampas|-35.4|-62.5|5.4|
Gran Chaco|-22.2|-61|5.4|
Atacama|-24.3|-69.3|5.4|Atacama Desert
Congo Basin|0.3|21.5|5.8|
Great Victoria Desert|-29|128.8|5.6|
Great Sandy Desert|-20.6|124.6|5.5|
Simpson Desert|-25|137|5.4|
"""


def read():
    """Each as its kind, name, latitude, longitude, importance and other names."""
    for kind, table in ((WATER, WATERS), (LAND, LANDS)):
        for line in table.strip().splitlines():
            name, latitude, longitude, importance, others = line.split("|")
            yield (kind, name, float(latitude), float(longitude), float(importance),
                   [other.strip() for other in others.split(",") if other.strip()])
