/// The search for places and things on the map.
extension CommandTable {
    static let search = CommandSpec(
        name: .search, summary: "Search for places, streets, houses and things on stored maps, without a network; on the web, if asked to.",
        operand: OperandSpec(
            placeholder: "TEXT",
            help: "a name in any language, whole or begun, after a comma its region or country; a street, with a house "
                + "number; what a kind is called, such as pharmacy; or coordinates, a tile z/x/y, a geohash, a plus code, a "
                + "link to a map, of which the street, the house and the place are told",
            isRequired: false, isJoined: true),
        options: [
            json,
            OptionSpec(.near, nil, .place, isConfigurable: false, help: "prefer what is near this place; the last view if not given"),
            OptionSpec(
                .searchArea, nil, .text, metavar: "REGION|ARCHIVE", isConfigurable: false,
                help: "only in this region or package, or in this archive of vector tiles"),
            OptionSpec(
                .kind, nil, .text, metavar: "WORD", isConfigurable: false,
                help: "only what is of this kind: pharmacy, charging, street, bakery; without TEXT what is nearest"),
            OptionSpec(.limit, "n", .whole(1...1000), isConfigurable: false, help: "at most so many (10)"),
            OptionSpec(.online, isConfigurable: false, help: "ask a search service, too: one request, and no more"),
            OptionSpec(
                .engine, nil, .text, metavar: "NAME|KIND=URL", isConfigurable: false,
                help: "ask this service: a name that rhumb source list shows, or nominatim= or photon= and an address"),
            OptionSpec(
                .agree, nil, .text, metavar: "NAME", isConfigurable: false,
                help: "agree, once and for all, to the rules of a service that volunteers run"),
        ] + client + [passing, featureList, cachePath, dataPath, config] + common,
        details: [
            "Prints coordinate, kind, name, region and country, and people; of things on the map how far and where to, and "
                + "what is told of them. Best first. Small typing mistakes are forgiven. Exits with 1 when nothing is found.",
            "Streets, houses and things are found in the vector tiles of regions, packages, the shared cache, and archives that "
                + "were opened. What is not in the index yet is indexed first.",
            "With --online a service is asked besides: one of your own from the configuration (a source of kind nominatim or "
                + "photon), else one that you agreed to with --agree. It learns what you search for and where. Never while "
                + "offline, unless the feature onlineSearch passes through. Exits with 3 where it could not be asked and only what is stored was found, with 1 where nothing was.",
            "Places are GeoNames' (geonames.org, CC BY 4.0).",
        ],
        examples: [
            ("rhumb search Åbo", "Turku, under its Swedish name"),
            ("rhumb search springfield --near 42.1,-72.5", "the one in Massachusetts first"),
            ("rhumb search via dei neri 12 --in florence.pmtiles", "a house, in an archive"),
            ("rhumb search --kind pharmacy --near 43.77,11.25", "the nearest pharmacies"),
            ("rhumb search 43.7700,11.2557", "which street and house that is"),
            ("rhumb search 43.7700,11.2557 --online", "what a service of the web knows of that place, too"),
            ("rhumb search --agree nominatim && rhumb search --online osteria del sole", "OpenStreetMap's search, too"),
        ])
}
