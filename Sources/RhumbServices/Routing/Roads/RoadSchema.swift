internal import RhumbBase
internal import RhumbVector

/// The roads of a schema of vector tiles: the layer, and the names of its attributes. Another schema is
/// another value in `all`.
struct RoadSchema: Sendable {
    /// The layer of the lines.
    let layer: String
    /// The attributes with the class, the most specific first.
    let classes: [String]
    /// Words of a class that mean something else than in OpenStreetMap.
    var words: [String: RoadClass] = [:]
    let link: [String]
    let oneway: [String]
    /// An attribute that states that the line is one-way against its direction.
    var reverse: String?
    let bridge: [String]
    let tunnel: [String]
    var level: [String] = []
    /// The layer with names; nil if the lines have them.
    var labels: String?

    static let all = [
        RoadSchema(
            layer: "transportation", classes: ["subclass", "class"],
            words: ["path": .footway, "motorway_construction": .motorway], link: ["ramp"],
            oneway: ["oneway"], bridge: ["brunnel"], tunnel: ["brunnel"], level: ["layer", "level"],
            labels: "transportation_name"),
        RoadSchema(
            layer: "roads", classes: ["kind_detail", "kind"], words: protomaps, link: ["is_link"],
            oneway: ["oneway"], bridge: ["is_bridge"], tunnel: ["is_tunnel"], level: ["level"]),
        RoadSchema(
            layer: "roads", classes: ["highway", "pmap:kind"], words: protomaps, link: ["link"],
            oneway: ["oneway"], bridge: ["bridge"], tunnel: ["tunnel"], level: ["layer", "pmap:level"]),
        RoadSchema(
            layer: "streets", classes: ["kind"], link: ["link"], oneway: ["oneway"],
            reverse: "oneway_reverse", bridge: ["bridge"], tunnel: ["tunnel"], labels: "street_labels"),
    ]

    private static let protomaps: [String: RoadClass] = [
        "highway": .motorway, "major_road": .primary, "medium_road": .tertiary, "minor_road": .minor,
    ]

    /// The classes of OpenStreetMap. Other words, such as those of railways and of roads under construction,
    /// are no roads.
    private static let usual: [String: RoadClass] = [
        "motorway": .motorway, "trunk": .trunk, "primary": .primary, "secondary": .secondary,
        "tertiary": .tertiary, "minor": .minor, "unclassified": .minor, "residential": .minor, "road": .minor,
        "living_street": .living, "service": .service, "track": .track, "cycleway": .cycleway, "path": .path,
        "footway": .footway, "pedestrian": .pedestrian, "steps": .steps, "bridleway": .bridleway,
        "platform": .footway, "pier": .footway, "corridor": .footway, "ferry": .ferry, "busway": .service,
    ]

    /// Returns the schema of a tile and its layer; nil if no schema fits.
    static func found(in tile: VectorTile) -> (RoadSchema, VectorLayer)? {
        for schema in all {
            guard let layer = (try? tile.layer(named: schema.layer)).flatMap(\.self) else { continue }
            if schema.classes.contains(where: layer.keys.contains) { return (schema, layer) }
        }
        return nil
    }

    /// Returns the traits of a line, its level, and whether it is one-way against its direction; nil if it is
    /// no road.
    func road(_ values: [String: VectorValue]) -> (traits: RoadTraits, level: Int, isReversed: Bool)? {
        guard !values.contains(where: { $0.key.hasSuffix("construction") && $0.value.isSet }) else {
            return nil
        }
        guard let (kind, isLink) = kind(values) else { return nil }
        var traits = RoadTraits(kind)
        traits[.link] = isLink || link.contains { values[$0]?.isSet == true }
        let way = oneway.firstNonNil { values[$0]?.text } ?? ""
        let isReversed = ["-1", "reverse"].contains(way) || reverse.flatMap { values[$0]?.isSet } == true
        let isForward = ["yes", "1", "true"].contains(way)
        traits[.forward] = isForward || isReversed || kind == .motorway && way.isEmpty && !traits[.link]
        traits[.bridge] = bridge.contains { values[$0]?.isSet(as: "bridge") == true }
        traits[.tunnel] = tunnel.contains { values[$0]?.isSet(as: "tunnel") == true }
        traits[.roundabout] = ["roundabout", "circular"].contains(values["junction"]?.text)
        traits[.slow] =
            ["alley", "parking", "parking_aisle", "driveway", "drive-through"].contains(
                values["service"]?.text)
        setAccess(of: &traits, values)
        let level = level.firstNonNil { key in values[key].flatMap { $0.double ?? Double($0.text) } } ?? 0
        let usual = traits[.bridge] ? 1 : traits[.tunnel] ? -1 : 0
        return (traits, level == 0 ? usual : max(-9, min(9, Int(clamping: level))), isReversed)
    }

    /// Returns the class, and true for a ramp.
    private func kind(_ values: [String: VectorValue]) -> (RoadClass, isLink: Bool)? {
        // A railway or an aerialway may have a class of roads beside its own.
        guard classes.allSatisfy({ !["rail", "transit", "aerialway", "railway"].contains(values[$0]?.text) })
        else { return nil }
        for (at, word) in classes.map({ values[$0]?.text }).enumerated() {
            guard let word else { continue }
            let isLink = word.hasSuffix("_link"), base = isLink ? String(word.dropLast(5)) : word
            // A subclass "path" is a path; a class "path" is any way that is not for cars.
            let isSpecific = at < classes.count - 1
            if let kind = (isSpecific ? nil : words[base]) ?? RoadSchema.usual[base] { return (kind, isLink) }
        }
        return nil
    }

    private func setAccess(of traits: inout RoadTraits, _ values: [String: VectorValue]) {
        let refused = ["no", "private", "false", "0"]
        func word(_ keys: String...) -> String? { keys.firstNonNil { values[$0]?.text } }
        let isClosed = word("access").map(refused.contains) ?? false
        traits[.noFoot] = word("foot").map(refused.contains) ?? isClosed
        traits[.noBicycle] = word("bicycle").map(refused.contains) ?? isClosed
        traits[.noCar] = word("motorcar", "motor_vehicle").map(refused.contains) ?? isClosed
        traits[.bicycle] = ["yes", "designated", "true", "official"].contains(word("bicycle"))
        traits[.contraflow] = word("oneway:bicycle", "oneway_bicycle").map(refused.contains) ?? false
        traits[.toll] = word("toll").map { !refused.contains($0) } ?? false
    }
}

extension VectorValue {
    /// True unless the value means no.
    fileprivate var isSet: Bool { !["", "0", "no", "false"].contains(text) }

    /// True if the value means yes. The word of another kind of structure means no.
    fileprivate func isSet(as word: String) -> Bool {
        isSet && (text == word || !["bridge", "tunnel", "ford"].contains(text))
    }
}
