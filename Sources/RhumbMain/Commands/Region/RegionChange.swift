internal import Rhumb

/// The differences between a stored region and a new definition with the same id.
struct RegionChange {
    let old: RegionRecord
    let plan: RegionProposal
    private var definition: RegionDefinition { plan.definition }

    /// The differences as sentences; empty if there are none.
    var lines: [String] {
        guard let before = old.definition else {
            return [
                "the old definition can't be read; the region is created "
                    + "again"
            ]
        }
        let zooms = (before.zooms, definition.zooms)
        let changes = [
            zooms.0 == zooms.1
                ? nil
                : "zooms change from \(zooms.0.lowest)–\(zooms.0.highest) to "
                    + "\(zooms.1.lowest)–\(zooms.1.highest)",
            before.geometry == definition.geometry ? nil : "the area changes",
            before.packing == definition.packing
                ? nil
                : definition.packing == .exact
                    ? "only tiles in the area, not whole packs" : "whole packs, not only tiles in the area",
        ]
        return changes.compactMap(\.self) + sourceLines
    }

    private var sourceLines: [String] {
        let gone = old.parts.filter { part in
            !plan.sources.contains { $0.origin.isSameSource(as: part.origin) }
        }
        let new = plan.sources.map(\.origin).filter { origin in
            !old.parts.contains { $0.origin.isSameSource(as: origin) }
        }
        return gone.map { part in
            "\(RegionChange.name(part.origin)) is removed: its \(AmountText.count(part.tiles, "tile")) "
                + "(\(AmountText.bytes(part.bytes))) are deleted, except those used by other regions"
        } + new.map { "\(RegionChange.name($0)) is added" }
    }

    private static func name(_ origin: TileOrigin) -> String {
        SafeText.sanitised("source \(origin.source) (\(origin.address))", limit: 300)
    }
}
