/// Words of local languages for a kind of feature, which names contain: "Fiume" in "Fiume Arno".
enum LocalKind {
    private static let words: [(kinds: String, words: String)] = [
        (
            "river,stream,canal",
            "fiume torrente rio río rivo fosso botro canale naviglio fleuve rivière ruisseau torrent fluss bach strom kanal arroyo ribeira rzeka potok řeka reka река ручей nehri çayı dere älv joki rivier gracht"
        ),
        ("lake", "lago lac lacul laguna étang see ozero jezioro jezero озеро järvi gölü tó meer"),
        ("station", "stazione gare bahnhof estación estació estação stacja dworzec nádraží станция вокзал"),
        ("airport,aerodrome", "aeroporto aéroport flughafen aeropuerto lotnisko letiště аэропорт havalimanı"),
        ("motorway", "autostrada autoroute autobahn autopista autovía autoestrada dálnice"),
        ("museum", "museo musée museu muzeum museet музей galleria"),
        (
            "church,place of worship",
            "church chiesa église kirche iglesia igreja kościół kostel basilica basilique cattedrale cathédrale duomo"
        ),
        ("park,garden", "parco parc parque giardino jardin garten jardín"),
        ("castle", "castello château schloss burg castillo"),
        ("hotel", "hôtel albergo"), ("library", "biblioteca bibliothèque bibliothek"),
        ("theatre", "teatro théâtre theater"), ("restaurant", "ristorante trattoria osteria"),
        ("school", "scuola école schule escuela"), ("hospital", "ospedale hôpital krankenhaus"),
    ]
    private static let byKind = Dictionary(
        words.flatMap { entry in
            entry.kinds.split(separator: ",").map { kind in
                (String(kind), Set(entry.words.split(separator: " ").map(String.init)))
            }
        }
    ) { first, _ in first }
    private static let englishWaters: Set<String> = [
        "river", "creek", "brook", "stream", "burn", "beck", "canal", "lake", "loch", "lough",
    ]
    /// Words after such a word in names that are none without it, such as "Rio Grande".
    private static let adjectives: Set<String> = [
        "grande", "negro", "verde", "blanco", "branco", "tinto", "colorado", "rosso", "bianco", "nero",
        "noir",
        "blanc", "vert",
    ]

    private static func words(of name: String) -> [String] { name.split(separator: " ").map(String.init) }

    /// Returns true if a name contains a word for its kind, in English or a local language.
    static func isStated(_ kind: String, in name: String) -> Bool {
        let local = byKind[kind] ?? [], isWater = ["river", "stream", "canal", "lake"].contains(kind)
        return words(of: name).contains { word in
            let word = word.lowercased()
            return word == kind || local.contains(word) || isWater && englishWaters.contains(word)
        }
    }

    /// Returns a name without the local word for its kind; nil if it has none, or is no name without it, such
    /// as "Rio Grande" and "Gare de Lyon".
    static func stripped(_ name: String, of kind: String) -> String? {
        guard let local = byKind[kind] else { return nil }
        var rest = words(of: name)[...]
        if let first = rest.first, local.contains(first.lowercased()) {
            rest.removeFirst()
        } else if let last = rest.last, local.contains(last.lowercased()) {
            rest.removeLast()
        } else {
            return nil
        }
        if kind == "lake" {
            if ["di", "de", "do", "da"].contains(rest.first) { rest.removeFirst() }
            for article in ["d'", "d’"] where rest.first?.hasPrefix(article) == true {
                rest[rest.startIndex].removeFirst(2)
            }
        }
        guard let first = rest.first?.first, !first.isLowercase,
            rest.count > 1 || !adjectives.contains(rest.joined().lowercased()) || kind == "lake"
        else { return nil }
        return rest.joined(separator: " ")
    }
}

extension PlaceDescription.Item {
    /// The name in a list of its kind, such as "Zürich" for "Flughafen Zürich" among airports.
    public var nameInList: String {
        let kind = topic == .station || topic == .airport ? topic.rawValue : kind
        return LocalKind.stripped(name, of: kind) ?? name
    }

    /// The name with its kind, such as "Galileo (museum)"; without it if the name says it.
    public var nameWithKind: String {
        let isClear = kind.isEmpty || kind == "place" || LocalKind.isStated(kind, in: name)
        return isClear ? name : "\(name) (\(kind))"
    }

    /// A water in a sentence, with the English word for its kind instead of the local one: "the river Arno"
    /// for "Fiume Arno", "Lake Como" for "Lago di Como", and "the Rio Grande".
    public var waterPhrase: String {
        let isLake = kind == "lake"
        if name.isEmpty { return "the \(kind)" }
        if ["water", "pond"].contains(kind) { return name }
        if let rest = LocalKind.stripped(name, of: kind) {
            return isLake ? "Lake \(rest)" : "the \(kind) \(rest)"
        }
        guard LocalKind.isStated(kind, in: name) else { return "the \(kind) \(name)" }
        return isLake ? name : "the \(name)"
    }
}
