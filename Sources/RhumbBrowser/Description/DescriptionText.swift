public import RhumbCore

/// The next step of a route from a place.
public struct RouteAhead: Equatable, Sendable {
    /// The distance along the route in metres; nil if the place is not on the route, or at its end.
    let metres: Double?
    /// A sentence without its full stop.
    let instruction: String
}

/// The description of a place as lines of text, most important first. Each is useful alone.
public struct DescriptionText {
    private let description: PlaceDescription
    private let units: Settings.Units
    /// The direction that the user faces, in degrees clockwise from north; nil to use compass points.
    private let heading: Double?
    private let nextStep: RouteAhead?
    private let isSpoken: Bool
    private typealias Item = PlaceDescription.Item
    private typealias Topic = PlaceDescription.Topic

    /// The beginning of the sentence about a height that is unknown.
    static let unknownHeight = "The height is unknown:"
    /// The maximum size of a text in bytes.
    private static let sizeLimit = 1950
    /// The angle in degrees from the heading within which things are ahead.
    private static let ahead = 40.0
    /// The distance in metres within which a peak of the list of places is the place itself.
    static let summit = 100.0
    private static let lists: [(Topic, one: String, many: String)] = [
        (.crossing, "Crossing street", "Crossing streets"), (.near, "Street nearby", "Streets nearby"),
        (.quarter, "Quarter", "Quarters"), (.station, "Railway station", "Railway stations"),
        (.stop, "Stop", "Stops"), (.sight, "Sight", "Sights"),
        (.worship, "Place of worship", "Places of worship"), (.park, "Park", "Parks"),
        (.harbour, "Harbour", "Harbours"), (.service, "Service", "Services"), (.peak, "Peak", "Peaks"),
        (.town, "Next town", "Next towns"), (.shop, "Shop", "Shops"),
        (.food, "Food and drink", "Food and drink"), (.airport, "Airport", "Airports"),
    ]
    /// The entries that lists keep when there is no room for all, in the order in which they are shortened.
    private static let shorter: [(Topic, Int)] = [
        (.shop, 2), (.near, 3), (.shop, 1), (.near, 2), (.crossing, 6), (.food, 1), (.park, 1), (.town, 2),
        (.crossing, 5), (.near, 1), (.station, 1), (.crossing, 4), (.town, 1),
    ]
    /// Some topics that only maps have.
    private static let ofTiles: Set<Topic> = [.stop, .sight, .worship, .park, .service, .shop, .food]
    /// The kinds of ground that a person names without a name.
    private static let grounds: Set<String> = [
        "aerodrome", "cemetery", "golf course", "heliport", "hospital", "military", "stadium", "university",
        "zoo",
    ]

    /// Creates the text of a description.
    /// - Parameters:
    ///   - heading: The direction that the user faces, in degrees clockwise from north; nil to use compass
    ///     points.
    ///   - nextStep: The next step of the shown route; nil without a route.
    ///   - isSpoken: True to spell out units, because a screen reader says "180 em" for "180 m".
    public init(
        _ description: PlaceDescription, units: Settings.Units = .metric, heading: Double? = nil,
        nextStep: RouteAhead? = nil, isSpoken: Bool = true
    ) {
        self.description = description
        self.units = units
        self.heading = heading
        self.nextStep = nextStep
        self.isSpoken = isSpoken
    }

    /// The street at the place, those that cross it and those nearby.
    public var streetLines: [String] {
        [introduction] + Self.lists.prefix(2).compactMap { list($0.0, $0.one, $0.many, .max) }
    }

    /// Returns the lines, at most some number. The last ones name unknown facts, if there are any.
    public func lines(limit: Int = .max) -> [String] {
        let unknown = unknownLines
        var room = Self.sizeLimit - unknown.reduce(0) { $0 + $1.utf8.count + 1 }
        var most: [Topic: Int] = [:], all = knownLines(most)
        for (topic, count) in Self.shorter where all.reduce(0, { $0 + $1.utf8.count + 1 }) >= room {
            most[topic] = count
            all = knownLines(most)
        }
        // A long line that has no room doesn't hide those after it.
        let known = all.prefix(max(limit - unknown.count, 1)).filter { line in
            let isShort = line.utf8.count < room
            if isShort { room -= line.utf8.count + 1 }
            return isShort
        }
        return Array((known + unknown).prefix(limit))
    }

    /// - Parameter most: The maximum number of entries of lists.
    private func knownLines(_ most: [Topic: Int]) -> [String] {
        let step = nextStep.map { step in
            step.metres.map { "Ahead in \(distance($0)): \(step.instruction)." } ?? "\(step.instruction)."
        }
        let here = [introduction, step].compactMap(\.self) + aheadLine + poleLines + natureLines
        let waters = waterLines + coastLines
        let lists = Self.lists.compactMap { list($0.0, $0.one, $0.many, most[$0.0] ?? .max) }
        let around = overlayLines + lists + railLines + borderLines
        return here + waters + around + [groundLine, heightLine].compactMap(\.self)
    }

    // MARK: Here

    /// The thing at the place: a feature, a summit, or an area with a name such as a park or an airport.
    private var thing: Item? {
        if let thing = description.first(.thing) { return thing }
        let summit = description.first(.peak).flatMap { ($0.metres ?? 0) < Self.summit ? $0 : nil }
        return summit ?? area
    }

    /// The area around the place that has a name or needs none, such as a park or a cemetery.
    private var area: Item? {
        let grounds = description.all(.ground).filter { $0.kind != "building" }
        return grounds.first { !$0.name.isEmpty } ?? grounds.first { Self.grounds.contains($0.kind) }
    }

    private var introduction: String {
        let thing = thing, street = description.first(.street)
        let isThing = thing.map { $0.metres == nil || $0.topic == .peak } ?? false
        let thingText = thing.map { thing in
            switch thing.topic {
            case .peak: return "at the summit of \(thing.name)"
            case .ground: return inArea(thing)
            default:
                guard thing.kind == "building" else { return (isThing ? "" : "by ") + thing.nameWithKind }
                return (isThing ? "in " : "by ") + thing.name
            }
        }
        let corner = description.first(.crossing).flatMap { ($0.metres ?? .infinity) < 15 ? $0.name : nil }
        let way =
            description.first(.address)?.name
            ?? street.flatMap { street in
                street.metres == nil ? named(street) + (corner.map { " at the corner of \($0)" } ?? "") : nil
            }
        let far = way == nil ? street.map { "near \(entry($0))" } : nil
        let around = area.flatMap { $0 == thing || $0.name == thing?.name ? nil : inArea($0) }
        let here =
            isThing ? [thingText, around, way.map { "at \($0)" }, far] : [way, thingText, around, far]
        let isAtSea = description.first(.sea) != nil
        let lake =
            onLake.map { ["on \($0.name.hasSuffix(" Sea") ? "the \($0.name)" : $0.waterPhrase)"] } ?? []
        let land = land.map { ["on \($0.landPhrase)"] } ?? []
        let parts = (isAtSea ? [] : lake + land + here.compactMap(\.self)) + whereabouts
        return sentence(parts.isEmpty ? Self.coordinate(description.place) : parts.joined(separator: ", "))
    }

    /// The island or peninsula of the place, unless something nearer is known.
    private var land: Item? {
        let isIn = description.first(.settlement).map { $0.metres == nil } ?? false
        let nearer: [Topic] = [.sea, .street, .address]
        let isKnown = onLake != nil || thing != nil || nearer.contains { description.first($0) != nil }
        return isIn || isKnown ? nil : description.land
    }

    private func inArea(_ area: Item) -> String {
        guard area.name.isEmpty else { return "in \(area.nameWithKind)" }
        return "in \(["a", "e", "i", "o"].contains(area.kind.prefix(1)) ? "an" : "a") \(area.kind)"
    }

    /// Returns coordinates in words, for places without names.
    public static func coordinate(_ place: Coordinate) -> String {
        func degrees(_ value: Double, _ positive: String, _ negative: String) -> String {
            "\(abs(value).decimals(2)) degrees \(value < 0 ? negative : positive)"
        }
        return
            "at \(degrees(place.latitude, "north", "south")), \(degrees(place.longitude, "east", "west"))"
    }

    private var whereabouts: [String] {
        if let pole = description.first(.pole), pole.metres == nil {
            let way = description.place.latitude > 0 ? "south" : "north"
            return ["at the \(pole.name), where every direction is \(way)"]
        }
        var parts: [String] = []
        if let sea = description.first(.sea) {
            if isAtOpenSea {
                return ["at sea"] + (sea.name.isEmpty ? [] : ["in \(sea.name.seaWithArticle)"])
            }
            parts.append("in the sea")
        }
        if let town = description.first(.settlement) {
            let isCentral = town.kind == "centre", isAtSea = !parts.isEmpty
            if let metres = town.metres, let degrees = town.degrees {
                // Near the poles, the way back is not the opposite direction.
                let back = town.coordinate?.way(to: description.place).bearing ?? degrees + 180
                let way = PlaceBearing.compassWord(back)
                parts.append("\(distance(metres)) \(way) of \(town.name)")
            } else {
                parts.append((isAtSea ? "off " : isCentral ? "in the centre of " : "in ") + town.name)
            }
        }
        let areas = [description.first(.region)?.name, description.first(.country)?.name]
        let names = areas.compactMap { $0 == land?.name ? nil : $0 }
        for name in names where !parts.contains(where: { $0 == name || $0.hasSuffix(" \(name)") }) {
            parts.append(name)
        }
        let hasTown = description.first(.settlement) != nil
        return hasTown || parts.isEmpty ? parts : ["in " + parts.joined(separator: ", ")]
    }

    private var poleLines: [String] {
        description.all(.pole).filter { $0.metres != nil }.map { "The \(entry($0, is: true))." }
    }

    private var natureLines: [String] {
        let islands = description.all(.island).filter { $0 != land }.map { "On \($0.landPhrase)." }
        let town = description.first(.settlement), isWild = town == nil || town?.metres != nil
        let landscapes = description.all(.nature).filter { $0 != land }.map(\.name)
        guard isWild, !landscapes.isEmpty, description.first(.sea) == nil else { return islands }
        return islands + ["Landscape here or nearby: \(landscapes.joined(separator: "; "))."]
    }

    // MARK: Around

    /// The nearest things within the angle ahead.
    private var aheadLine: [String] {
        guard let heading else { return [] }
        let topics: Set<Topic> = [.settlement, .region, .country, .pole]
        let items = description.items.filter { item in
            guard let degrees = item.degrees, !topics.contains(item.topic), !item.name.isEmpty
            else { return false }
            return abs((degrees - heading).remainder(dividingBy: 360)) <= Self.ahead
        }.sorted { ($0.metres ?? 0) < ($1.metres ?? 0) }
        var seen: Set<String> = []
        let near = items.filter { seen.insert($0.name).inserted }.prefix(5).map {
            "\($0.name) \(distance($0.metres ?? 0))"
        }
        return [near.isEmpty ? "Nothing known ahead." : "Ahead: \(near.joined(separator: "; "))."]
    }

    /// The lake on which the place is, if nothing else is known there.
    private var onLake: Item? {
        description.hasMap ? nil : description.all(.water).first { $0.metres == nil && $0.kind == "lake" }
    }

    private var waterLines: [String] {
        description.all(.water).filter { $0 != onLake }.map { item in
            let name = item.waterPhrase
            guard item.metres != nil, let degrees = item.degrees else {
                return sentence(
                    name == item.name && item.kind != "lake" ? "on the water of \(name)" : "on \(name)")
            }
            let hasBanks = ["river", "stream", "canal"].contains(item.kind) && !item.name.isEmpty
            let side = PlaceBearing.compassWord(degrees + 180)
            return sentence("\(name) is \(way(item))\(hasBanks ? "; this is its \(side) side" : "")")
        }
    }

    private var coastLines: [String] {
        description.all(.coast).map {
            if $0.metres == nil, let degrees = $0.degrees {
                let way = heading == nil ? "to the \(PlaceBearing.compassWord(degrees))" : clock(degrees)
                return "The \($0.kind) is nearby, \(way)."
            }
            // Unlike the shore in tiles, the outlines of countries are coarse.
            if $0.kind == "sea" { return "The sea is about \(way($0))." }
            return $0.name.isEmpty
                ? "The \($0.kind.isEmpty ? "sea" : $0.kind) is \(way($0))."
                : "The coast of \($0.name.withArticle) is about \(way($0))."
        }
    }

    private var railLines: [String] { description.all(.rail).map { "A \($0.kind) is \(way($0))." } }

    /// The borders. Those without a distance come from outlines that are about as coarse as the distance.
    private var borderLines: [String] {
        description.all(.border).map { item in
            let other = item.name.isEmpty ? "The border" : "The border with \(item.name.withArticle)"
            let isOutline = item.metres.map { $0 > description.radius } ?? true
            guard item.metres != nil else { return "Near the border with \(item.name.withArticle)." }
            return "\(other) is \(isOutline ? "about " : "")\(way(item))."
        }
    }

    private var overlayLines: [String] {
        var lines: [String] = [], names: [String] = []
        for item in description.all(.overlay) where !names.contains(item.kind) {
            names.append(item.kind)
            let items = description.all(.overlay).filter { $0.kind == item.kind }
            lines.append("In \(item.kind): \(items.map { entry($0) }.joined(separator: "; ")).")
        }
        return lines
    }

    /// True at sea, where the introduction doesn't name the nearest settlement.
    private var isAtOpenSea: Bool {
        description.first(.sea) != nil && description.first(.coast)?.kind != "shore"
    }

    private func list(_ topic: Topic, _ one: String, _ many: String, _ most: Int) -> String? {
        let unnamed = topic == .town && isAtOpenSea ? description.all(.settlement) : []
        let items = (unnamed + description.all(topic)).filter { topic != .peak || $0 != thing }.prefix(most)
        guard !items.isEmpty else { return nil }
        var title = items.count == 1 ? one : many
        if topic == .crossing, let street = description.first(.street), street.metres != nil {
            title = "Streets that cross \(street.name)"
        }
        return "\(title): \(items.map { entry($0) }.joined(separator: "; "))."
    }

    private var groundLine: String? {
        let items = description.all(.ground).filter { $0 != thing && $0 != area }.map(named)
        return items.isEmpty || description.first(.sea) != nil
            ? nil : "Ground: \(items.joined(separator: "; "))."
    }

    private var heightLine: String? { description.height.map { "Height: \(height($0))." } }

    /// The sentences about facts that are not known, because nothing is stored or it can't be read.
    private var unknownLines: [String] {
        let isAtSea = description.first(.sea) != nil, isPole = description.first(.pole) != nil
        let unknown = "streets, stations, shops and sights are unknown; download the area for them."
        var lines = Array(description.problems.prefix(3))
        if !description.hasMap, !isAtSea, !isPole {
            let pictures = description.pictures.prefix(2).joined(separator: " and ")
            let isBeside = description.items.contains { Self.ofTiles.contains($0.topic) }
            lines.append(
                !pictures.isEmpty
                    ? "Of \(pictures), only pictures are stored here, which can't be described, so \(unknown)"
                    : isBeside
                        ? "A map is stored only beside this place, so streets and nearer things are unknown; download the area for them."
                        : "No map is stored here, so \(unknown)")
        }
        // A problem with the source of heights already says so.
        if description.height == nil, thing?.height == nil, !isAtSea,
            !lines.contains(where: { $0.hasPrefix(Self.unknownHeight) })
        {
            lines.append("\(Self.unknownHeight) none is stored here.")
        }
        return lines
    }

    // MARK: Words

    private func entry(_ item: Item, is isSentence: Bool = false) -> String {
        let height = item.height.map { " (\(self.height($0)))" } ?? ""
        guard item.metres != nil else { return named(item) + height }
        return "\(named(item))\(height) \(isSentence ? "is " : "")\(way(item))"
    }

    private func named(_ item: Item) -> String {
        switch item.topic {
        case .shop where item.kind != "shop": return item.nameWithKind
        case .station, .airport: return item.nameInList
        case .ground where ["residential", "commercial", "industrial", "retail"].contains(item.kind):
            return [item.kind, "area", item.name].filter { !$0.isEmpty }.joined(separator: " ")
        case .service, .ground: return [item.kind, item.name].filter { !$0.isEmpty }.joined(separator: " ")
        case .street where item.kind == "motorway", .near where item.kind == "motorway":
            return item.name.hasPrefix("motorway ") ? item.name : "motorway \(item.nameInList)"
        default: return item.name.isEmpty ? item.kind : item.name
        }
    }

    /// Returns a distance and a direction, such as "180 metres south" or "180 metres at 6 o'clock".
    private func way(_ item: Item) -> String {
        guard let metres = item.metres, let degrees = item.degrees, metres >= 2.5 else { return "here" }
        guard heading != nil else { return "\(distance(metres)) \(PlaceBearing.compassWord(degrees))" }
        return "\(distance(metres)) \(clock(degrees))"
    }

    /// Returns a direction as on a clock whose 12 is ahead.
    private func clock(_ degrees: Double) -> String {
        let hours = Int(((degrees - (heading ?? 0)) / 30).rounded()) % 12
        return "at \(hours <= 0 ? hours + 12 : hours) o'clock"
    }

    private func height(_ metres: Double) -> String {
        let isMetric = units == .metric
        let amount = AmountText.count(Int(clamping: (isMetric ? metres : metres / 0.3048).rounded()))
        return amount + (isMetric ? isSpoken ? " metres" : " m" : isSpoken ? " feet" : " ft")
    }

    private func distance(_ metres: Double) -> String {
        Self.distance(metres, units, isSpoken: isSpoken)
    }

    /// Returns a distance in the user's units, such as "1.4 kilometres".
    /// - Parameter isSpoken: True to spell out the unit.
    public static func distance(
        _ metres: Double, _ units: Settings.Units, isSpoken: Bool = true
    ) -> String {
        var text = AmountText.metres(metres)
        if units == .imperial {
            let feet = metres / 0.3048, miles = metres / 1609.344
            let long = miles < 9.95 ? miles.decimals(1) : AmountText.count(Int(clamping: miles))
            text = feet < 1000 ? "\(Int((feet / 10).rounded()) * 10) ft" : "\(long) mi"
        }
        guard isSpoken, let space = text.lastIndex(of: " ") else { return text }
        let number = text[..<space].hasSuffix(".0") ? text[..<space].dropLast(2) : text[..<space]
        let words = ["m": ("metre", "metres"), "km": ("kilometre", "kilometres"), "mi": ("mile", "miles")]
        let (one, many) = words[String(text[space...].dropFirst())] ?? ("foot", "feet")
        return "\(number) \(number == "1" ? one : many)"
    }

    private func sentence(_ text: String) -> String {
        text.prefix(1).uppercased() + text.dropFirst() + (text.hasSuffix(".") ? "" : ".")
    }
}
