internal import Rhumb
internal import RhumbBrowser

/// The differences between a stored region and a new definition with the same id.
struct RegionChange {
    let old: RegionRecord
    let plan: RegionProposal
    private var definition: RegionDefinition { plan.definition }

    /// Refuses to replace a region of another area, other zooms or sources, because its tiles would be
    /// deleted.
    /// - Throws: A sentence with the differences.
    func requireSame() throws {
        let differences = differences
        guard !differences.isEmpty else { return }
        throw Notice.Problem(
            "region \(old.id) already exists, and \(differences.joined(separator: "; ")). Choose another id, or "
                + "remove the region first with rhumb region remove \(old.id)")
    }

    /// The differences in tiles as clauses; empty if there are none, or if the old definition can't be read.
    private var differences: [String] {
        guard let before = old.definition else { return [] }
        let zooms = (before.zooms, definition.zooms)
        let isSpan = zooms.0 != zooms.1
        let changes =
            [
                isSpan
                    ? "its zooms are \(zooms.0.lowest)–\(zooms.0.highest), not \(zooms.1.lowest)–\(zooms.1.highest)"
                    : nil,
                before.geometry == definition.geometry ? nil : "its area is another one",
                before.scale == definition.scale
                    ? nil : "its scale is \(before.scale), not \(definition.scale)",
                before.packing == definition.packing
                    ? nil
                    : before.packing == .exact
                        ? "it has the tiles of its area, not whole packs"
                        : "it has whole packs, not only the tiles of its area",
            ].compactMap(\.self) + sourceLines
        // The zooms of single sources can differ within the same range.
        let hasOtherRanges = changes.isEmpty && ranges(of: before) != ranges(of: definition)
        return hasOtherRanges ? ["its sources have other zooms"] : changes
    }

    private func ranges(of definition: RegionDefinition) -> Set<ZoomTileset> {
        let all =
            definition.tilesets.isEmpty
            ? definition.sources.compactMap {
                try? ZoomTileset(source: $0, zooms: definition.zooms, scale: definition.scale)
            } : definition.tilesets
        return Set(
            all.compactMap { try? ZoomTileset(source: $0.source, zooms: $0.zooms, scale: $0.scale) })
    }

    private var sourceLines: [String] {
        // The sources of a recovered region may be lost.
        guard !old.parts.isEmpty else { return [] }
        let gone = old.parts.map(\.origin).filter { origin in
            !plan.sources.contains { $0.origin.isSameSource(as: origin) }
        }
        let new = plan.sources.map(\.origin).filter { origin in
            !old.parts.contains { $0.origin.isSameSource(as: origin) }
        }
        if gone.isEmpty { return new.map { "it has no \(RegionChange.name($0))" } }
        if new.isEmpty { return gone.map { "it also has \(RegionChange.name($0))" } }
        return [
            "it has \(gone.map(RegionChange.name).joined(separator: ", ")), not "
                + new.map(RegionChange.name).joined(separator: ", ")
        ]
    }

    private static func name(_ origin: TileOrigin) -> String {
        SafeText.sanitised("source \(origin.source) (\(origin.address))", limit: 300)
    }
}
