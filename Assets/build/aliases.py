"""Short and everyday names that no list above carries."""

COUNTRIES = {
    "AE": ["UAE", "Emirates"], "AU": ["AUS", "Oz"], "BA": ["BiH", "Bosnia"], "CA": ["CAN"], "CD": ["DRC", "DR Congo", "Zaire", "Congo-Kinshasa"],
    "CF": ["CAR"], "CG": ["Congo-Brazzaville"], "CH": ["CH", "Swiss"], "CI": ["Côte d'Ivoire"], "CN": ["PRC"], "CV": ["Cape Verde"],
    "CZ": ["Czech"], "DE": ["GER", "BRD"], "DO": ["Dom Rep"], "ES": ["ESP"], "FR": ["FRA"], "GB": ["UK", "GB"], "IT": ["ITA"],
    "JP": ["JPN"], "KP": ["DPRK", "N Korea"], "KR": ["ROK", "Korea", "S Korea"], "LK": ["Ceylon"], "MK": ["FYROM"],
    "NZ": ["NZ", "Aotearoa"], "PG": ["PNG"], "PR": ["PR"], "RU": ["Russian Federation"], "SA": ["KSA"], "SV": ["El Salvador"],
    "TH": ["Siam"], "TL": ["East Timor"], "TT": ["T&T"], "TW": ["ROC", "Formosa"], "US": ["USA", "US", "States"], "VA": ["Vatican City", "Holy See"],
    "VN": ["Viet Nam"], "ZA": ["RSA", "SA"], "IR": ["Persia"], "SZ": ["Eswatini"], "TR": ["Türkiye"],
}
# Of the largest place of a name in a country.
CITIES = {
    ("US", "New York City"): ["NYC", "NY", "Big Apple"], ("US", "Los Angeles"): ["LA", "L.A."], ("US", "San Francisco"): ["SF", "Frisco"],
    ("US", "Washington"): ["DC", "D.C.", "Washington DC"], ("US", "Philadelphia"): ["Philly", "PHL"], ("US", "Las Vegas"): ["Vegas", "LV"],
    ("US", "New Orleans"): ["NOLA"], ("US", "Atlanta"): ["ATL"], ("US", "Salt Lake City"): ["SLC"], ("US", "Oklahoma City"): ["OKC"],
    ("US", "Kansas City"): ["KC", "KCMO"], ("US", "Minneapolis"): ["Mpls"], ("US", "Fort Lauderdale"): ["FLL"],
    ("US", "San Antonio"): ["San Antone"], ("US", "Nashville"): ["Nashvegas"], ("US", "Indianapolis"): ["Indy"],
    ("CA", "Vancouver"): ["YVR", "Van"], ("CA", "Toronto"): ["TO", "YYZ"], ("CA", "Montréal"): ["MTL"],
    ("MX", "Mexico City"): ["CDMX", "DF", "México DF"], ("BR", "Rio de Janeiro"): ["Rio"], ("BR", "São Paulo"): ["SP", "Sampa"],
    ("BR", "Belo Horizonte"): ["BH"], ("AR", "Buenos Aires"): ["BsAs", "BA"], ("GB", "London"): ["LDN"], ("NL", "Amsterdam"): ["AMS"],
    ("NL", "The Hague"): ["Den Haag", "'s-Gravenhage"], ("DE", "Frankfurt am Main"): ["Frankfurt", "FFM"], ("DK", "Copenhagen"): ["CPH"],
    ("ES", "Barcelona"): ["BCN", "Barna"], ("ZA", "Johannesburg"): ["Joburg", "Jozi", "JHB"], ("ZA", "Cape Town"): ["CPT"],
    ("MY", "Kuala Lumpur"): ["KL"], ("TH", "Bangkok"): ["BKK"], ("VN", "Ho Chi Minh City"): ["HCMC", "HCM", "Saigon"],
    ("HK", "Hong Kong"): ["HK"], ("SG", "Singapore"): ["SG"], ("ID", "Jakarta"): ["JKT"], ("MM", "Yangon"): ["Rangoon"],
    ("TR", "Istanbul"): ["Constantinople", "Byzantium"], ("AE", "Dubai"): ["DXB"], ("IN", "Mumbai"): ["Bombay"],
    ("IN", "Chennai"): ["Madras"], ("CN", "Beijing"): ["Peking"], ("CN", "Guangzhou"): ["Canton"], ("CN", "Xi’an"): ["Xian"],
    ("RU", "Saint Petersburg"): ["St. Petersburg", "Leningrad", "SPb", "Питер"], ("PL", "Gdańsk"): ["Danzig"], ("PL", "Wrocław"): ["Breslau"],
    ("AU", "Melbourne"): ["Melb"], ("AU", "Brisbane"): ["Brissie"], ("AU", "Alice Springs"): ["The Alice"],
    ("MA", "Marrakesh"): ["Marrakech"], ("MA", "Fes"): ["Fez"], ("PE", "Cusco"): ["Cuzco"], ("FR", "Chamonix-Mont-Blanc"): ["Chamonix"],
    ("IT", "Cortina d'Ampezzo"): ["Cortina"], ("ES", "Donostia / San Sebastián"): ["Donostia", "San Sebastián"], ("GB", "Newcastle upon Tyne"): ["Newcastle"],
    ("IN", "Bengaluru"): ["Bangalore"],
}
REGIONS = {
    ("AU", "New South Wales"): ["NSW"], ("AU", "Queensland"): ["QLD"], ("AU", "Tasmania"): ["Tassie"], ("AU", "Western Australia"): ["WA"],
    ("CA", "British Columbia"): ["BC", "B.C."], ("CA", "Prince Edward Island"): ["PEI"], ("CA", "Newfoundland and Labrador"): ["Newfoundland", "Labrador"],
    ("US", "California"): ["Cali", "Calif"], ("US", "Massachusetts"): ["Mass"], ("US", "Pennsylvania"): ["Penn"],
    ("DE", "North Rhine-Westphalia"): ["NRW"], ("IT", "Trentino-Alto Adige"): ["South Tyrol", "Südtirol", "Trentino"],
    ("FR", "Provence-Alpes-Côte-d’Azur"): ["Provence", "PACA"], ("FR", "Nouvelle-Aquitaine"): ["Aquitaine"], ("FR", "Grand-Est"): ["Alsace", "Lorraine"],
    ("FR", "Occitanie"): ["Languedoc"], ("ES", "Balearic Islands"): ["Baleares", "Balearics"], ("IN", "Uttar Pradesh"): ["UP"], ("RU", "Sakha"): ["Yakutia"],
}
# Codes that people write after a town. Those of the United States and of Switzerland are GeoNames' own.
POSTAL = {
    "CA": {
        "Alberta": "AB", "British Columbia": "BC", "Manitoba": "MB", "New Brunswick": "NB",
        "Newfoundland and Labrador": "NL", "Northwest Territories": "NT", "Nova Scotia": "NS", "Nunavut": "NU",
        "Ontario": "ON", "Prince Edward Island": "PE", "Quebec": "QC", "Québec": "QC", "Saskatchewan": "SK",
        "Yukon": "YT",
    },
    "AU": {
        "Australian Capital Territory": "ACT", "New South Wales": "NSW", "Northern Territory": "NT",
        "Queensland": "QLD", "South Australia": "SA", "Tasmania": "TAS", "Victoria": "VIC",
        "Western Australia": "WA",
    },
}
OWN_CODES = ("US", "CH")
