internal import RhumbCore

/// The order in which the editions of sources are searched for a tile.
struct EditionOrder {
    private var orders: [String: [TileEdition]] = [:]

    /// - Parameters:
    ///   - editions: The available editions: the source's own, then the others, newest first.
    ///   - isWhole: Returns true if all tiles in view are stored in an edition, or can be fetched.
    mutating func note(_ origin: TileOrigin, _ editions: [TileEdition], isWhole: (TileEdition) -> Bool) {
        let first = editions.first(where: isWhole) ?? editions.first
        orders[origin.key] = [first].compactMap(\.self) + editions.filter { $0 != first }
    }

    /// Returns the editions in order; only the source's own unless others are available.
    func order(for origin: TileOrigin) -> [TileEdition] {
        guard let order = orders[origin.key] else { return [origin.edition] }
        return order.contains(origin.edition) ? order : [origin.edition] + order
    }
}
