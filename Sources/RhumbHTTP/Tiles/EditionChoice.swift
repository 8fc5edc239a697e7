internal import RhumbCore

/// In which order the editions of sources are looked into for a tile.
struct EditionChoice {
    private var orders: [String: [TileEdition]] = [:]

    /// - Parameters:
    ///   - known: the editions at hand, the source's own first, then the newest first.
    ///   - isWhole: whether all that is looked at is there in an edition, or can be had.
    mutating func note(_ origin: TileOrigin, _ known: [TileEdition], isWhole: (TileEdition) -> Bool) {
        let first = known.first(where: isWhole) ?? known.first
        orders[origin.key] = [first].compactMap(\.self) + known.filter { $0 != first }
    }

    /// The source's own edition alone, unless others are at hand.
    func order(for origin: TileOrigin) -> [TileEdition] {
        guard let order = orders[origin.key] else { return [origin.edition] }
        return order.contains(origin.edition) ? order : [origin.edition] + order
    }
}
