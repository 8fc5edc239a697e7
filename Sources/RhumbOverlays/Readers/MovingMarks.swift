internal import RhumbBase
internal import RhumbGeo

/// The ships or aircraft of a log or feed by id. Their names and attributes arrive apart from their
/// positions, before or after them.
struct MovingMarks: Sendable {
    typealias Facts = [(name: String, value: String)]

    private struct Mark {
        var name = "", facts: Facts = []
        /// The last position, with the attributes that were sent with it.
        var point: WorldPoint?, heading = Double.nan, motion: Facts = []
    }
    private var marks: [String: Mark] = [:]
    private let prefix: String
    private static let limit = 20_000

    /// - Parameter prefix: The beginning of the features' ids, such as "mmsi ".
    init(_ prefix: String) { self.prefix = prefix }

    /// Stores the name and attributes of a mark. Ignores empty texts.
    /// - Returns: The changed mark; nil if it is unchanged, or has no position yet.
    mutating func update(_ id: String, name: String = "", _ facts: Facts = []) -> OverlayFeature? {
        var mark = mark(id), isChanged = false
        let name = SafeText.sanitised(name, limit: 40)
        if !name.isEmpty, name != mark.name { (mark.name, isChanged) = (name, true) }
        for fact in facts where !fact.value.isEmpty {
            guard !mark.facts.contains(where: { $0 == fact }) else { continue }
            mark.facts.removeAll { $0.name == fact.name }
            mark.facts.append(fact)
            isChanged = true
        }
        marks[id] = mark
        return isChanged ? feature(id, mark) : nil
    }

    /// Moves a mark.
    /// - Parameters:
    ///   - heading: Degrees clockwise from north; nil if unknown.
    ///   - motion: Attributes of this position; empty values are unknown.
    /// - Returns: The mark, with its stored name and attributes.
    mutating func move(
        _ id: String, _ longitude: Double, _ latitude: Double, heading: Double?, _ motion: Facts
    ) throws(InputFault) -> OverlayFeature? {
        var mark = mark(id)
        mark.point = try GeoJSONFeatures.world(longitude, latitude)
        mark.heading = heading ?? .nan
        mark.motion = motion.filter { !$0.value.isEmpty }
        marks[id] = mark
        return feature(id, mark)
    }

    private mutating func mark(_ id: String) -> Mark {
        if let mark = marks[id] { return mark }
        // Names are sent again every few minutes.
        if marks.count >= Self.limit { marks = [:] }
        return Mark()
    }

    private func feature(_ id: String, _ mark: Mark) -> OverlayFeature? {
        guard let point = mark.point else { return nil }
        var packed: [UInt8] = []
        for fact in mark.motion + mark.facts {
            OverlayAttributes.append(fact.name.utf8, fact.value.utf8, to: &packed)
        }
        return OverlayFeature(
            .point(point), id: prefix + id, name: mark.name.isEmpty ? id : mark.name, heading: mark.heading,
            attributes: OverlayAttributes(packed: packed))
    }

    /// Returns a Maritime Mobile Service Identity with its nine digits (ITU-R M.585). Numbers lose leading
    /// zeros, which mark coast stations and groups of ships.
    static func mmsi(_ number: String) -> String {
        guard number.utf8.count < 9, number.utf8.allSatisfy({ $0 &- 0x30 < 10 }) else { return number }
        return String(repeating: "0", count: 9 - number.utf8.count) + number
    }
}
