public import RhumbCore

/// The description of a place as lines of text, most important first. Each is useful alone.
public struct DescriptionText {
    private let description: PlaceDescription
    private let units: Settings.Units
    /// The direction that the user faces, in degrees clockwise from north; nil to use compass points.
    private let heading: Double?
    private typealias Item = PlaceDescription.Item
    private typealias Topic = PlaceDescription.Topic

    /// The maximum size of a text in bytes.
    private static let sizeLimit = 1900
    /// The angle in degrees from the heading within which things are ahead.
    private static let ahead = 40.0
    private static let lists: [(Topic, String)] = [
        (.crossing, "Crossing streets"), (.near, "Streets nearby"), (.quarter, "Quarter"),
        (.station, "Railway station"), (.stop, "Stop"), (.sight, "Sights"), (.shop, "Shops"),
        (.town, "Next towns"), (.food, "Food and drink"), (.service, "Services"), (.peak, "Peaks"),
        (.airport, "Airport"),
    ]

    /// Creates the text of a description.
    public init(_ description: PlaceDescription, units: Settings.Units = .metric, heading: Double? = nil) {
        self.description = description
        self.units = units
        self.heading = heading
    }

    /// The street at the place, those that cross it and those nearby.
    public var streetLines: [String] {
        [introduction]
            + [list(.crossing, "Crossing streets"), list(.near, "Streets nearby")].compactMap(\.self)
    }

    /// Returns the lines, at most some number. The last ones name unknown facts, if there are any.
    public func lines(limit: Int = .max) -> [String] {
        let unknown = unknownLines
        var room = Self.sizeLimit - unknown.reduce(0) { $0 + $1.utf8.count + 1 }
        let known = knownLines.prefix(max(limit - unknown.count, 1)).prefix { line in
            room -= line.utf8.count + 1
            return room >= 0
        }
        return Array((known + unknown).prefix(limit))
    }

    private var knownLines: [String] {
        let isAtSea = description.first(.sea) != nil, border = borderLines
        let here = [introduction] + poleLines + (isAtSea ? border : []) + natureLines + aheadLine + waterLines
        let around = Self.lists.compactMap { list($0.0, $0.1) } + (isAtSea ? [] : border)
        return here + around + [list(.ground, "Ground"), heightLine].compactMap(\.self)
    }

    // MARK: Here

    private var introduction: String {
        let thing = description.first(.thing), street = description.first(.street)
        let thingText = thing.map { $0.kind.isEmpty ? $0.name : "\($0.name), \($0.kind)" }
        let corner = description.first(.crossing).flatMap { ($0.metres ?? .infinity) < 15 ? $0.name : nil }
        let way =
            description.first(.address)?.name
            ?? street.flatMap { street in
                street.metres == nil ? named(street) + (corner.map { " at the corner of \($0)" } ?? "") : nil
            }
        let far = way == nil ? street.map { "near \(entry($0))" } : nil
        let isThing = thing != nil && (thing?.metres == nil || way == nil)
        let here =
            isThing
            ? [thingText, way.map { "at \($0)" }, far]
            : [way, thing.map { $0.kind.isEmpty ? "by \($0.name)" : "by \($0.name) (\($0.kind))" }, far]
        let parts = here.compactMap(\.self) + whereabouts
        let place = PlaceFormat.coordinate(description.place, zoom: 12)
        return sentence(parts.isEmpty ? place : parts.joined(separator: ", "))
    }

    private var whereabouts: [String] {
        if let pole = description.first(.pole), pole.metres == nil {
            let way = description.place.latitude > 0 ? "south" : "north"
            return ["at the \(pole.name), where every direction is \(way)"]
        }
        let country = description.first(.country)?.name
        if let sea = description.first(.sea) {
            guard sea.name.isEmpty else { return ["at sea, in the \(sea.name)"] }
            let near = description.first(.nature).flatMap {
                ($0.metres ?? .infinity) < 300_000 ? $0.name : nil
            }
            return [near.map { "at sea, near the middle of the \($0)" } ?? "at sea"]
        }
        var parts: [String] = []
        if let town = description.first(.settlement) {
            let isCentral = town.kind == "centre"
            if let metres = town.metres, let degrees = town.degrees {
                let way = PlaceBearing.compassWord(degrees + 180)
                parts.append("\(distance(metres)) \(way) of \(town.name)")
            } else {
                parts.append((isCentral ? "in the centre of " : "in ") + town.name)
            }
        }
        parts += [description.first(.region)?.name, country].compactMap(\.self).filter { name in
            !parts.contains { $0.hasSuffix(" \(name)") }
        }
        let hasTown = description.first(.settlement) != nil
        return hasTown || parts.isEmpty ? parts : ["in " + parts.joined(separator: ", ")]
    }

    private var poleLines: [String] {
        description.all(.pole).filter { $0.metres != nil }.map { "The \(entry($0, is: true))." }
    }

    private var natureLines: [String] {
        let isWild = description.first(.settlement)?.metres != nil || description.first(.settlement) == nil
        let landscapes = description.all(.nature).filter { _ in isWild }.map { item in
            item.metres == nil
                ? "In or at the edge of: \(item.name)\(item.kind.isEmpty ? "" : ", \(item.kind)")."
                : "The middle of the \(item.name) is \(way(item))."
        }
        return description.all(.island).map { "On the island \($0.name)." } + landscapes
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
        let near = items.prefix(5).map { "\($0.name) \(distance($0.metres ?? 0))" }
        return [near.isEmpty ? "Nothing known ahead." : "Ahead: \(near.joined(separator: "; "))."]
    }

    private var waterLines: [String] {
        description.all(.water).map { item in
            let name = item.name.isEmpty ? item.kind : "\(item.kind) \(item.name)"
            guard item.metres != nil, let degrees = item.degrees else { return "On the \(name)." }
            let hasBanks = ["river", "stream", "canal"].contains(item.kind) && !item.name.isEmpty
            let side = PlaceBearing.compassWord(degrees + 180)
            let bank = hasBanks ? "; this is its \(side) side" : ""
            return "The \(name) is \(way(item))\(bank)."
        }
    }

    private var borderLines: [String] {
        description.all(.border).map { "The border with \($0.name) is about \(way($0))." }
            + description.all(.coast).map {
                $0.name.isEmpty ? "The sea is \(way($0))." : "The coast of \($0.name) is about \(way($0))."
            }
    }

    private func list(_ topic: Topic, _ title: String) -> String? {
        let items = description.all(topic)
        guard !items.isEmpty else { return nil }
        var title = title
        if topic == .crossing, let street = description.first(.street), street.metres != nil {
            title = "Streets that cross \(street.name)"
        }
        return "\(title): \(items.map { entry($0) }.joined(separator: "; "))."
    }

    private var heightLine: String? {
        description.height.map { "Height: \(PlaceFormat.height(Int(clamping: $0.rounded()), units))." }
    }

    private var unknownLines: [String] {
        let isAtSea = description.first(.sea) != nil
        let map =
            description.hasMap || isAtSea
            ? nil
            : "No map is stored here, so streets, stations, shops and sights are unknown; "
                + "download the area for them."
        let height =
            description.height == nil && !isAtSea ? "The height is unknown: none is stored here." : nil
        return description.problems.prefix(1) + [map, height].compactMap(\.self)
    }

    // MARK: Words

    private func entry(_ item: Item, is isSentence: Bool = false) -> String {
        guard item.metres != nil else { return named(item) }
        return "\(named(item)) \(isSentence ? "is " : "")\(way(item))"
    }

    private func named(_ item: Item) -> String {
        switch item.topic {
        case .shop where !item.kind.isEmpty: return "\(item.name) (\(item.kind))"
        case .service, .ground: return [item.kind, item.name].filter { !$0.isEmpty }.joined(separator: " ")
        case .street where item.kind == "motorway": return "motorway \(item.name)"
        default: return item.name.isEmpty ? item.kind : item.name
        }
    }

    /// Returns a distance and a direction, such as "180 m south" or "180 m at 6 o'clock".
    private func way(_ item: Item) -> String {
        guard let metres = item.metres, let degrees = item.degrees else { return "here" }
        guard let heading else { return "\(distance(metres)) \(PlaceBearing.compassWord(degrees))" }
        let hours = Int(((degrees - heading) / 30).rounded()) % 12
        return "\(distance(metres)) at \(hours <= 0 ? hours + 12 : hours) o'clock"
    }

    private func distance(_ metres: Double) -> String {
        guard units == .imperial else { return AmountText.metres(metres) }
        let feet = metres / 0.3048
        guard feet < 1000 else {
            let tenths = Int((metres / 160.9344).rounded())
            return tenths < 100
                ? "\(tenths / 10).\(tenths % 10) mi" : "\(AmountText.count((tenths + 5) / 10)) mi"
        }
        return "\(Int((feet / 10).rounded()) * 10) ft"
    }

    private func sentence(_ text: String) -> String {
        text.prefix(1).uppercased() + text.dropFirst() + (text.hasSuffix(".") ? "" : ".")
    }
}
