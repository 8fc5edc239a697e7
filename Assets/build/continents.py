"""Which continent a country or territory lies on, by the three letters of its code."""

CONTINENTS = ["Africa", "Antarctica", "Asia", "Europe", "North America", "Oceania", "South America"]

# Codes that Natural Earth has otherwise than ISO 3166, and leased places that go with the land round them.
MEMBERS = {
    "ALD": ("ALA", "Åland"), "KOS": ("XKX", "Kosovo"), "SDS": ("SSD", "South Sudan"), "PSX": ("PSE", "Palestine"),
    "SAH": ("ESH", "Western Sahara"), "KAB": ("KAZ", "Kazakhstan"), "USG": ("CUB", "Cuba"), "NLD": ("NLD", "Netherlands"),
}

_CODES = {
    "Africa": """
        AGO BDI BEN BFA BWA CAF CIV CMR COD COG COM CPV DJI DZA EGY ERI ESH ETH GAB GHA GIN GMB GNB GNQ KEN LBR LBY LSO
        MAR MDG MLI MOZ MRT MUS MWI NAM NER NGA RWA SDN SEN SHN SLE SOL SOM SSD STP SWZ SYC TCD TGO TUN TZA UGA ZAF ZMB
        ZWE""",
    "Antarctica": "ATA ATF HMD SGS",
    "Asia": """
        AFG ARE ARM AZE BGD BHR BRN BTN CHN CYN CYP ESB GEO HKG IDN IND IOA IOT IRN IRQ ISR JOR JPN KAS KAZ KGZ KHM KOR
        KWT LAO LBN LKA MAC MDV MMR MNG MYS NPL OMN PAK PGA PHL PRK PSE QAT SAU SGP SYR THA TJK TKM TLS TUR TWN UZB VNM
        WSB YEM""",
    "Europe": """
        ALA ALB AND AUT BEL BGR BIH BLR CHE CZE DEU DNK ESP EST FIN FRA FRO GBR GGY GIB GRC HRV HUN IMN IRL ISL ITA JEY
        LIE LTU LUX LVA MCO MDA MKD MLT MNE NLD NOR POL PRT ROU RUS SMR SRB SVK SVN SWE UKR VAT XKX""",
    "North America": """
        ABW AIA ATG BHS BLM BLZ BMU BRB CAN CLP CRI CUB CUW CYM DMA DOM GRD GRL GTM HND HTI JAM KNA LCA MAF MEX MSR NIC
        PAN PRI SLV SPM SXM TCA TTO USA VCT VGB VIR""",
    "Oceania": """
        ASM ATC AUS COK FJI FSM GUM KIR MHL MNP NCL NFK NIU NRU NZL PCN PLW PNG PYF SLB TON TUV UMI VUT WLF WSM""",
    "South America": "ARG BOL BRA CHL COL ECU FLK GUY PER PRY SUR URY VEN",
}

CONTINENT_OF = {code: name for name, codes in _CODES.items() for code in codes.split()}
