internal import RhumbBase

/// The names and attributes of ships by MMSI, which arrive in separate messages from the positions.
struct ShipList: Sendable {
    private struct Ship { var name = "", facts: [(name: String, value: String)] = [] }
    private var ships: [String: Ship] = [:]
    private static let limit = 20_000

    /// Stores the contents of a message about a ship. Ignores empty texts.
    mutating func update(_ id: String, name: String = "", _ facts: [(name: String, value: String)] = []) {
        guard ships[id] != nil || ships.count < Self.limit else { return }
        var ship = ships[id] ?? Ship()
        if !name.isEmpty { ship.name = SafeText.sanitised(name, limit: 40) }
        for fact in facts where !fact.value.isEmpty {
            ship.facts.removeAll { $0.name == fact.name }
            ship.facts.append(fact)
        }
        ships[id] = ship
    }

    /// Returns a ship at a position, with its stored attributes.
    /// - Parameter heading: Degrees clockwise from north; nil if unknown.
    func feature(
        _ id: String, _ longitude: Double, _ latitude: Double, heading: Double?,
        _ facts: [(name: String, value: String)]
    ) throws(InputFault) -> OverlayFeature {
        let ship = ships[id]
        var packed: [UInt8] = []
        for fact in facts + (ship?.facts ?? []) where !fact.value.isEmpty {
            OverlayAttributes.append(fact.name.utf8, fact.value.utf8, to: &packed)
        }
        let name = ship?.name ?? ""
        return OverlayFeature(
            .point(try GeoJSONFeatures.world(longitude, latitude)), id: "mmsi \(id)",
            name: name.isEmpty ? id : name,
            heading: heading ?? .nan, attributes: OverlayAttributes(packed: packed))
    }
}
