internal import Glibc
internal import RhumbBase
internal import RhumbCells
internal import RhumbGeo

/// The nodes of a Meshtastic network. Names and positions arrive in separate messages.
struct MeshNodes: Sendable {
    /// A position in a message.
    struct Report: Sendable {
        /// Ten-millionths of a degree.
        var latitude: Int32?, longitude: Int32?
        /// Metres above sea level.
        var height: Int32?
        /// Kilometres per hour.
        var speed: UInt32?
        /// Hundredths of a degree in the specification; the firmware sends hundred-thousandths.
        var track: UInt32?
        /// Seconds since 1970; 0 if unknown.
        var time: UInt32 = 0
        /// The number of leading bits of both coordinates that the sender discloses; 0 or 32 for all.
        var precision: UInt32 = 0
    }

    private struct Node: Sendable {
        var name = "", shortName = "", hops: UInt32?
        var trail: [SIMD2<Double>] = [], times: [Double] = []
        var isCoarse = false
        /// The last position.
        var report: Report?
    }

    private var nodes: [UInt32: Node] = [:]
    private static let limit = 5000, trailLimit = 1000
    /// The age in seconds from which a position is drawn in grey.
    private static let oldAge = 3600.0
    private static let oldStyle = OverlayStyle(ink: RGB(0x888888))
    private static let coarseStyle = OverlayStyle(symbol: "○")
    private static let oldCoarseStyle = OverlayStyle(ink: RGB(0x888888), symbol: "○")
    private static let areaStyle = OverlayStyle(opacity: 0.5, fillOpacity: 0.12)

    /// Stores the names of a node. Empty ones are ignored.
    /// - Returns: The mark of the node; nil if it is unchanged, or has no position yet.
    mutating func name(
        _ number: UInt32, _ long: String, _ short: String
    ) throws(InputFault) -> OverlayFeature? {
        let before = nodes[number]
        change(number) { node in
            if !long.isEmpty { node.name = SafeText.sanitised(long, limit: 40) }
            if !short.isEmpty { node.shortName = SafeText.sanitised(short, limit: 8) }
        }
        guard let node = nodes[number], let report = node.report,
            (node.name, node.shortName) != (before?.name, before?.shortName)
        else { return nil }
        return try mark(number, node, report)
    }

    /// Stores the number of radios that relay messages of a node.
    mutating func reach(_ number: UInt32, hops: UInt32) { change(number) { $0.hops = hops } }

    private mutating func change(_ number: UInt32, _ body: (inout Node) -> Void) {
        makeRoom(for: number)
        body(&nodes[number, default: Node()])
    }

    /// Removes all nodes if there are too many. Networks are much smaller.
    private mutating func makeRoom(for number: UInt32) {
        if nodes[number] == nil, nodes.count >= Self.limit { nodes = [:] }
    }

    /// Returns a node at a new position: its mark, its trail, and the area in which a coarse position may be.
    mutating func features(_ number: UInt32, _ report: Report) throws(InputFault) -> [OverlayFeature] {
        guard let latitude = report.latitude, let longitude = report.longitude,
            (latitude, longitude) != (0, 0)
        else { return [] }
        makeRoom(for: number)
        var node = nodes[number] ?? Node()
        let (x, y) = (Double(longitude) / 1e7, Double(latitude) / 1e7)
        let place = try GeoJSONFeatures.world(x, y), point = SIMD2(place.x, place.y)
        let time = report.time > 0 ? Double(report.time) : .nan, id = "mesh \(Self.id(number))"
        let open = Self.open(report)
        var features: [OverlayFeature] = []
        if node.trail.last != point {
            node.trail.append(point)
            node.times.append(time)
            if node.trail.count > Self.trailLimit {
                node.trail.removeFirst(Self.trailLimit / 4)
                node.times.removeFirst(Self.trailLimit / 4)
            }
            if node.trail.count > 1 {
                let path = OverlayPath(node.trail, times: node.times)
                features.append(OverlayFeature(.line([path]), id: "\(id) trail", isTrack: true))
            }
        }
        if open > 0 || node.isCoarse {
            // A square of no size replaces that of an earlier position.
            let corners = [(-open, -open), (open, -open), (open, open), (-open, open)]
            var ring: [SIMD2<Double>] = []
            for corner in corners {
                let point = try GeoJSONFeatures.world(x + corner.0, min(max(y + corner.1, -90), 90))
                ring.append(SIMD2(point.x, point.y))
            }
            features.append(
                OverlayFeature(.area([[OverlayPath(ring)]]), id: "\(id) area", style: Self.areaStyle))
        }
        node.isCoarse = open > 0
        node.report = report
        nodes[number] = node
        features.append(try mark(number, node, report))
        return features
    }

    /// Returns the mark of a node at a position.
    private func mark(
        _ number: UInt32, _ node: Node, _ report: Report
    ) throws(InputFault) -> OverlayFeature {
        let place = try GeoJSONFeatures.world(
            Double(report.longitude ?? 0) / 1e7, Double(report.latitude ?? 0) / 1e7)
        let time = report.time > 0 ? Double(report.time) : .nan, open = Self.open(report)
        let isOld = time < Double(Glibc.time(nil)) - Self.oldAge
        let style =
            isOld ? (open > 0 ? Self.oldCoarseStyle : Self.oldStyle) : open > 0 ? Self.coarseStyle : nil
        return OverlayFeature(
            .point(place), id: "mesh \(Self.id(number))",
            name: node.name.isEmpty ? Self.id(number) : node.name,
            style: style, time: time, heading: Self.heading(report),
            attributes: facts(number, node, report, open))
    }

    /// Returns half the side of the square that the disclosed bits leave open, in degrees; 0 for an exact
    /// position.
    private static func open(_ report: Report) -> Double {
        (1...31).contains(report.precision) ? scalbn(1e-7, 31 - Int(report.precision)) : 0
    }

    private static func heading(_ report: Report) -> Double {
        guard let track = report.track, let speed = report.speed, speed > 0 else { return .nan }
        return Double(track) / (track > 36_000 ? 100_000 : 100)
    }

    private func facts(
        _ number: UInt32, _ node: Node, _ report: Report, _ open: Double
    ) -> OverlayAttributes {
        let kilometres = open * 111.32
        let reach =
            kilometres < 0.95 ? "\((kilometres * 1000).decimals(0)) m" : "\(kilometres.decimals(1)) km"
        let facts: [(String, String)] = [
            ("node", Self.id(number)), ("short name", node.shortName),
            ("position", open > 0 ? "coarse, within \(reach)" : ""),
            ("height", report.height.map { (metres: Int32) in "\(metres) m" } ?? ""),
            ("speed", report.speed.map { (speed: UInt32) in "\(speed) km/h" } ?? ""),
            ("hops", node.hops.map { (hops: UInt32) in "\(hops)" } ?? ""),
        ]
        var packed: [UInt8] = []
        for (name, value) in facts where !value.isEmpty {
            OverlayAttributes.append(name.utf8, value.utf8, to: &packed)
        }
        return OverlayAttributes(packed: packed)
    }

    /// Returns the id of a node, such as "!0a1b2c3d".
    static func id(_ number: UInt32) -> String { "!" + number.digits(8, radix: 16) }

    /// Reads a line of Meshtastic's JSON messages, as its MQTT gateways publish them.
    /// - Returns: False if the line is something else.
    mutating func read(_ text: Bytes, into sink: inout FeatureSink) throws(InputFault) -> Bool {
        let beginnings: [StaticString] = ["{\"channel\":", "{\"from\":", "{\"id\":"]
        guard beginnings.contains(where: text.begins(with:)) else { return false }
        let members = try Self.members(text)
        guard let kind = members["type"]?.jsonWords, let payload = members["payload"],
            let from = members["from"]?.jsonNumber.flatMap(UInt32.init(exactly:))
        else { return false }
        guard payload.first == UInt8(ascii: "{") else { return true }
        let values = try Self.members(payload)
        func whole<Number: FixedWidthInteger>(_ name: String) -> Number? {
            values[name]?.jsonNumber.flatMap { Number(exactly: $0.rounded()) }
        }
        switch kind {
        case "position":
            var report = Report()
            report.latitude = whole("latitude_i")
            report.longitude = whole("longitude_i")
            report.height = whole("altitude")
            report.speed = whole("ground_speed")
            report.track = whole("ground_track")
            report.precision = whole("precision_bits") ?? 0
            report.time =
                whole("timestamp") ?? whole("time")
                ?? members["timestamp"]?.jsonNumber.flatMap(UInt32.init(exactly:)) ?? 0
            sink.features += try features(from, report)
        case "nodeinfo":
            let names = (values["longname"]?.jsonWords ?? "", values["shortname"]?.jsonWords ?? "")
            if let mark = try name(from, names.0, names.1) { sink.features.append(mark) }
        default: break
        }
        return true
    }

    private static func members(_ text: Bytes) throws(InputFault) -> [String: Bytes] {
        var members: [String: Bytes] = [:], cursor = JSONCursor(text)
        try cursor.members { cursor, name throws(InputFault) in members[name.text] = try cursor.value() }
        return members
    }
}
