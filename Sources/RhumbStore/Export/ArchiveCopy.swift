public import RhumbCore
internal import RhumbEngine

/// Copies of an archive in another format, or of a part of it. Bodies are unchanged, except that vector tiles
/// may be compressed or decompressed. The new archive appears when it is complete.
public struct ArchiveCopy: Sendable {
    let input: ArchiveInput
    let destination: ArchiveDestination

    /// Prepares a copy.
    /// - Parameters:
    ///   - path: The new file, or a folder if it ends in a slash.
    ///   - isReplacing: If true, an existing file may be replaced.
    /// - Throws: `ArchiveCopyFailure`
    public init(
        of input: ArchiveInput, to path: String, isReplacing: Bool = false
    ) throws(ArchiveCopyFailure) {
        self.input = input
        destination = try ArchiveDestination(path, inputs: [input], isReplacing: isReplacing)
    }

    /// Copies all tiles with content, and the metadata.
    /// - Throws: `ArchiveFailure`, `ArchiveCopyFailure`, `ExportFailure`; `TileFailure` for a damaged tile,
    ///   `CancellationError` if the task is cancelled.
    public func convert() throws -> ExportSummary {
        try input.archive.checkDrawing()
        let tiles = try input.tiles()
        return try copy(tiles, to: try writer(ArchiveMetadata(input.archive).label(for: input), for: tiles))
    }

    /// Creates a writer for some tiles.
    private func writer(_ label: ExportLabel, for tiles: TileRuns) throws -> any ArchiveWriter {
        if !destination.storesRuns { try input.checkCount(of: tiles) }
        return try destination.writer(label)
    }

    private func copy(_ tiles: TileRuns, to writer: any ArchiveWriter) throws -> ExportSummary {
        var emptyTiles = 0
        try input.eachRun(of: tiles, spool: destination.orderedPath) { ids, stored in
            guard !stored.isEmpty, let first = TileID(hilbertID: ids.lowerBound) else {
                return emptyTiles += ids.count
            }
            try writer.add(ids, input.content(stored, first).body)
        }
        try input.checkUnchanged()
        var summary = try writer.finish()
        summary.emptyTiles = emptyTiles
        return summary
    }

    /// Copies the tiles that an area touches. The bounds of the copy are the area within the bounds of the
    /// archive. Statistics of the whole archive are omitted.
    /// - Parameters:
    ///   - zooms: The zooms to copy; nil for all.
    ///   - onPlan: Called before tiles are loaded from a server, with their number and the parts to load.
    /// - Throws: As `convert`, and `ZoomRangeFailure` if the archive has none of the zooms.
    public func extract(
        _ area: RegionGeometry, zooms: ClosedRange<Int>? = nil,
        onPlan: (_ tiles: Int, _ plan: ReadPlan) -> Void = { _, _ in }
    ) throws -> ExportSummary {
        let (tiles, range) = try tiles(in: area, zooms)
        guard !tiles.runs.isEmpty else {
            throw ArchiveCopyFailure(
                input.path, .outside, "no tile of zooms \(range) is in the area",
                "choose an area and zooms within the archive")
        }
        if input.archive.remoteSize != nil {
            let list = tiles.runs.flatMap { $0.compactMap { TileID(hilbertID: $0) } }
            if let plan = try input.archive.plan(list) { onPlan(list.count, plan) }
        }
        return try copy(tiles, to: try writer(label(area.bounds, of: tiles), for: tiles))
    }

    /// Maximum number of tiles that are looked up in the directories. For larger areas, all tiles are listed.
    private static let lookupLimit = 4 << 20

    /// Returns the tiles of an area.
    private func tiles(
        in area: RegionGeometry, _ zooms: ClosedRange<Int>?
    ) throws -> (tiles: TileRuns, zooms: ZoomRange) {
        func limited(to available: ClosedRange<Int>) throws -> ZoomRange {
            let wanted = zooms ?? available
            return try ZoomRange(wanted.lowerBound, wanted.upperBound)
                .limited(to: available, source: input.path)
        }
        if let archive = input.archive as? any IndexedArchive {
            let range = try limited(to: archive.info.zooms), cover = RegionTileSet(area, zooms: range)
            if cover.counts().total <= Self.lookupLimit {
                var wanted = TileRuns()
                for tile in cover.tiles() {
                    try Task.checkCancellation()
                    wanted.insert(tile.hilbertID..<tile.hilbertID + 1)
                }
                wanted.settle()
                return (try archive.tiles(among: wanted), range)
            }
        }
        let all = try input.tiles()
        try input.checkCount(of: all)
        let range = try limited(to: all.zooms ?? 0...0), cover = RegionTileSet(area, zooms: range)
        return (try all.filtered { cover.contains($0) }, range)
    }

    private func label(_ area: Bounds, of tiles: TileRuns) -> ExportLabel {
        var metadata = ArchiveMetadata(input.archive)
        metadata.members["tilestats"] = nil
        metadata.bounds = metadata.bounds.map { area.limited(to: $0) } ?? area
        if let center = metadata.center, metadata.bounds?.contains(center) != true {
            metadata.center = nil
            metadata.centerZoom = nil
        }
        if let zoom = metadata.centerZoom, tiles.zooms?.contains(zoom) != true { metadata.centerZoom = nil }
        return metadata.label(for: input)
    }
}

extension Bounds {
    /// Returns the part within another box, or the whole box if one crosses the antimeridian or they don't
    /// overlap.
    fileprivate func limited(to other: Bounds) -> Bounds {
        guard !crossesAntimeridian, !other.crossesAntimeridian, overlaps(other) else { return self }
        let shared = Bounds(
            west: max(west, other.west), south: max(south, other.south), east: min(east, other.east),
            north: min(north, other.north))
        return shared ?? self
    }
}

extension TileRuns {
    /// The lowest and the highest zoom; nil if it has no tiles.
    var zooms: ClosedRange<Int>? {
        guard let first = runs.first, let last = runs.last,
            let low = TileID(hilbertID: first.lowerBound), let high = TileID(hilbertID: last.upperBound - 1)
        else { return nil }
        return low.zoom...high.zoom
    }

    /// Returns the tiles that satisfy a condition.
    fileprivate func filtered(_ isIncluded: (TileID) -> Bool) throws -> TileRuns {
        var kept = TileRuns()
        for run in runs {
            for id in run {
                try Task.checkCancellation()
                if let tile = TileID(hilbertID: id), isIncluded(tile) { kept.insert(id..<id + 1) }
            }
        }
        kept.settle()
        return kept
    }
}
