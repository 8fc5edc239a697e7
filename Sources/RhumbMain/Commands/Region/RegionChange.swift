internal import Rhumb

/// What becomes different of a region that is asked for again with other options.
struct RegionChange {
    private let old: RegionRecord
    private let definition: RegionDefinition
    private let sources: [RegionSource]

    init(_ old: RegionRecord, _ proposal: RegionProposal) {
        (self.old, definition, sources) = (old, proposal.definition, proposal.sources)
    }

    /// A sentence for each difference; none where nothing is different.
    var lines: [String] {
        guard let before = old.definition else { return ["what it was can't be read: it is made anew"] }
        let zooms = (before.zooms, definition.zooms)
        let changes = [
            zooms.0 == zooms.1
                ? nil : "zooms \(zooms.0.lowest)–\(zooms.0.highest) become \(zooms.1.lowest)–\(zooms.1.highest)",
            before.geometry == definition.geometry ? nil : "it covers other ground",
            before.packing == definition.packing
                ? nil : definition.packing == .exact ? "only the tiles touched, not whole packs" : "whole packs, not only the tiles touched",
        ]
        return changes.compactMap(\.self) + sourceLines
    }

    private var sourceLines: [String] {
        let gone = old.parts.filter { part in !sources.contains { $0.origin.isSameSource(as: part.origin) } }
        let new = sources.map(\.origin).filter { origin in !old.parts.contains { $0.origin.isSameSource(as: origin) } }
        return gone.map { part in
            "\(RegionChange.name(part.origin)) is left out: its \(AmountText.count(part.tiles)) tiles "
                + "(\(AmountText.bytes(part.bytes))) are given up, but for those that other regions hold"
        } + new.map { "\(RegionChange.name($0)) comes in" }
    }

    private static func name(_ origin: TileOrigin) -> String {
        SafeText.sanitised("source \(origin.source) (\(origin.address))", limit: 300)
    }
}
