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
    /// - Parameter more: Members to add to the metadata.
    /// - Throws: `ArchiveFailure`, `ArchiveCopyFailure`, `ExportFailure`; `TileFailure` for a damaged tile,
    ///   `CancellationError` if the task is cancelled.
    public func convert(adding more: JSONObject = JSONObject()) throws -> ExportSummary {
        try input.archive.checkDrawing()
        var omissions = ArchiveOmissions()
        let tiles = try input.tiles { omissions.add($0) }
        omissions.add(repeatedIn: tiles)
        var metadata = ArchiveMetadata(input.archive)
        for name in more.names { metadata.members[name] = more[name] }
        var summary = try copy(tiles, to: try writer(metadata.label(for: input), for: tiles))
        summary.omissions = omissions
        return summary
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
        let (tiles, range, omissions) = try tiles(in: area, zooms)
        guard !tiles.runs.isEmpty else {
            throw ArchiveCopyFailure(
                input.path, .outside, "no tile of zooms \(range) is in the area",
                "choose an area and zooms within the archive")
        }
        if input.archive.remoteSize != nil {
            let list = tiles.runs.flatMap { $0.compactMap { TileID(hilbertID: $0) } }
            if let plan = try input.archive.plan(list) { onPlan(list.count, plan) }
        }
        var summary = try copy(tiles, to: try writer(label(area.bounds, of: tiles), for: tiles))
        summary.omissions = omissions
        return summary
    }

    /// Maximum number of tiles that are looked up in the directories. For larger areas, all tiles are listed.
    private static let lookupLimit = 4 << 20

    private func tiles(
        in area: RegionGeometry, _ zooms: ClosedRange<Int>?
    ) throws -> (tiles: TileRuns, zooms: ZoomRange, omissions: ArchiveOmissions) {
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
                return (try archive.tiles(among: wanted), range, ArchiveOmissions())
            }
        }
        let all = try input.tiles()
        try input.checkCount(of: all)
        let range = try limited(to: all.zooms ?? 0...0), cover = RegionTileSet(area, zooms: range)
        // Positions that no tile has are not in the area.
        var omissions = ArchiveOmissions()
        omissions.add(repeatedIn: all) { cover.contains($0) }
        return (try all.filtered { cover.contains($0) }, range, omissions)
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

/// Copies with correct metadata, counts, bounds and directories. Bodies are copied unchanged, even damaged
/// ones, but compressed as the writer of the new archive does.
extension ArchiveCopy {
    /// The result of a repair.
    public struct Repair: Equatable, Sendable {
        /// The new archive.
        public let archive: ExportSummary
        /// The number of parts without a usable body: NULL or empty tiles, invalid positions, and damaged
        /// directories.
        public let omitted: Int
    }

    /// Copies the tiles that can be read. Of several bodies of a tile, the first one is copied.
    /// - Parameter found: The faults of the archive. They decide which metadata is computed from the tiles.
    /// - Throws: `ArchiveFailure`, `ExportFailure`; `CancellationError` if the task is cancelled.
    public func repair(_ found: ArchiveVerification) throws -> Repair {
        if let refusal = input.archive.refusal, refusal.reason != .vectorTiles { throw refusal }
        let writer = try destination.writer(label(found))
        let omitted = try copy(to: writer)
        try input.checkUnchanged()
        return Repair(archive: try writer.finish(), omitted: omitted)
    }

    private func label(_ found: ArchiveVerification) -> ExportLabel {
        var label = ArchiveMetadata(input.archive).label(for: input)
        if found.has(.layers) { label.vectorLayerList = nil }
        if found.has(.bounds) {
            label.bounds = nil
            label.center = nil
        }
        if found.has(.zooms) { label.centerZoom = nil }
        return label
    }

    /// Copies the tiles of a walk, because a lookup in a disordered directory may fail. Uses 48 bytes of
    /// memory for each run.
    /// - Returns: The number of parts without a usable body.
    private func copy(to writer: any ArchiveWriter) throws -> Int {
        var runs: [(ids: Range<UInt64>, bytes: Int, location: UInt64?)] = [], omitted = 0
        try input.archive.walk(.sizes) { run in
            if case .failure = run.body {
                omitted += 1
            } else {
                runs.append((run.ids, run.bytes, run.location))
            }
        }
        // Sorting is stable, so the first of equal runs stays first.
        runs.sort { $0.ids.lowerBound < $1.ids.lowerBound }
        if !destination.storesRuns {
            var tiles = TileRuns()
            for run in runs { tiles.insert(run.ids) }
            tiles.settle()
            try input.checkCount(of: tiles)
        }
        var next: UInt64 = 0
        for (index, (ids, bytes, location)) in runs.enumerated() {
            WorkProgress.report(index, of: runs.count)
            guard let stored = try? stored(ids, bytes, location), !stored.isEmpty else {
                omitted += 1
                continue
            }
            try Task.checkCancellation()
            let rest = max(ids.lowerBound, next)..<max(ids.upperBound, next)
            if !rest.isEmpty { try writer.add(rest, input.writable(stored)) }
            next = rest.upperBound
        }
        return omitted
    }

    private func stored(
        _ ids: Range<UInt64>, _ bytes: Int, _ location: UInt64?
    ) throws(TileFailure) -> [UInt8]? {
        if let archive = input.archive as? PMTilesArchive, let location {
            return try archive.storedBody(ids, bytes: bytes, at: location)
        }
        guard let tile = TileID(hilbertID: ids.lowerBound) else { return nil }
        return try input.archive.storedBody(tile)
    }
}

/// The reason why archives can't be copied, merged or compared.
public struct ArchiveCopyFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The category of a failure.
    public enum Reason: String, Sendable {
        /// The extension of the destination names no archive format.
        case format
        /// The destination is also an input.
        case sameFile
        /// The destination is a folder with contents.
        case folderExists
        /// The inputs have different types of tiles.
        case mixedInputs
        /// A tile is in more than one input.
        case duplicate
        /// No tile is in the requested area and zooms.
        case outside
        /// An input has no tiles.
        case empty
        /// An archive has more tiles than a patch can describe.
        case tooLarge
        /// A file is no patch, or a damaged one.
        case notPatch
        /// A patch was made for another archive.
        case otherBase
        /// A tile that was listed can't be found.
        case missing
        /// An input changed while it was being read.
        case changed
    }

    /// The category of the failure.
    public let reason: Reason
    /// The path of the archive concerned, sanitised for terminal output.
    public let file: String
    /// The problem.
    public let problem: String
    /// The suggested remedy.
    public let advice: String

    init(_ file: String, _ reason: Reason, _ problem: String, _ advice: String) {
        self.file = SafeText.sanitised(file)
        self.reason = reason
        self.problem = SafeText.sanitised(problem)
        self.advice = advice
    }

    public var description: String { "\(file): \(problem); \(advice)" }
}
