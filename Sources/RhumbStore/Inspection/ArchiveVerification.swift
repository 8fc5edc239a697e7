internal import RhumbCore
internal import RhumbEngine

/// The faults of a tile archive.
public struct ArchiveVerification: Sendable, Equatable {
    /// The faults of one kind.
    public struct Group: Sendable, Equatable {
        /// The kind of the faults.
        public let kind: VerificationFault.Kind
        /// The number of occurrences.
        public internal(set) var count = 0
        /// The first faults, up to the limit.
        public internal(set) var faults: [VerificationFault] = []
    }

    /// The faults by kind, in the order of `Kind.allCases`.
    public let groups: [Group]
    /// The number of tiles.
    public let tileCount: Int
    /// The reason why the contents of the tiles were not checked; nil if they were.
    public let unchecked: Unchecked?

    /// A reason why the contents of tiles are not checked.
    public enum Unchecked: Sendable, Equatable {
        /// The caller did not request it.
        case notRequested
        /// Rhumb can't read the contents, for a reason in words.
        case refused(String)
    }

    /// The number of faults of all kinds.
    public var faultCount: Int { groups.reduce(0) { $0.saturatingAdd($1.count) } }

    /// Returns true if the archive has a fault of a kind.
    func has(_ kind: VerificationFault.Kind) -> Bool { groups.contains { $0.kind == kind } }
}

extension TileArchive {
    /// Returns the faults of the structure, the metadata and every tile; see `inspect`.
    /// - Throws: `ArchiveFailure` if the tiles can't be listed; `CancellationError` if the task is cancelled.
    public func verify(
        limit: Int = 10, probe: TileProbe? = nil, decode: TileDecode? = nil
    ) throws -> ArchiveVerification {
        try inspect(checksContents: true, limit: limit, probe: probe, decode: decode).faults
    }
}

/// Collects the faults of an archive, tile by tile.
struct FaultScan {
    let declared: DeclaredContent
    let metadata: JSON
    let limit: Int
    private var groups: [VerificationFault.Kind: ArchiveVerification.Group] = [:]
    private var tileCount = 0
    private var hasVectorTiles = false
    private var layers: [String: (tiles: Int, first: TileID?)] = [:]
    private var sizes: [ArchiveScan.PixelSize: (tiles: Int, examples: [TileID])] = [:]

    init(declared: DeclaredContent, metadata: JSON, limit: Int) {
        self.declared = declared
        self.metadata = metadata
        self.limit = limit
    }

    mutating func add(_ fault: VerificationFault) {
        var group = groups.removeValue(forKey: fault.kind) ?? .init(kind: fault.kind)
        group.count = group.count.saturatingAdd(fault.count)
        if group.faults.count < limit { group.faults.append(fault) }
        groups[fault.kind] = group
    }

    mutating func add(_ run: StoredTileRun, _ finding: ContentCheck.Finding) {
        for (kind, problem) in finding.faults {
            let location = run.first.map(VerificationFault.Location.tile) ?? .archive
            add(VerificationFault(kind, location, problem, count: max(run.count, 1)))
        }
        guard !run.ids.isEmpty else { return }
        tileCount = tileCount.saturatingAdd(run.count)
        hasVectorTiles = hasVectorTiles || finding.kind?.isVector == true
        for name in finding.layers where layers[name] != nil || layers.count < ArchiveSchema.layerLimit {
            layers[name, default: (0, run.first)].tiles += run.count
        }
        guard let size = finding.size else { return }
        sizes[size, default: (0, [])].tiles += run.count
        if sizes[size]?.examples.count ?? limit < limit, let first = run.first {
            sizes[size]?.examples.append(first)
        }
    }

    /// Returns the faults.
    /// - Parameters:
    ///   - tiles: The tiles that were added, settled.
    ///   - unchecked: The reason why the findings don't include contents; nil if they do.
    mutating func result(
        _ tiles: TileRuns, unchecked: ArchiveVerification.Unchecked?
    ) -> ArchiveVerification {
        checkDuplicates(tiles)
        checkZooms(tiles)
        checkBounds(tiles)
        checkSizes()
        if unchecked == nil { checkLayers() }
        return ArchiveVerification(
            groups: VerificationFault.Kind.allCases.compactMap { groups[$0] }, tileCount: tileCount,
            unchecked: unchecked)
    }

    private mutating func checkDuplicates(_ tiles: TileRuns) {
        var rest = tiles.repeated
        for id in tiles.repeatedExamples {
            guard let tile = TileID(hilbertID: id) else { continue }
            rest -= 1
            add(VerificationFault(.duplicate, .tile(tile), "it occurs more than once"))
        }
        if rest > 0 { add(VerificationFault(.duplicate, "further tiles occur more than once", count: rest)) }
    }

    private mutating func checkZooms(_ tiles: TileRuns) {
        guard let first = tiles.runs.first, let last = tiles.runs.last else {
            return add(VerificationFault(.metadata, "the archive has no tiles"))
        }
        let found =
            TileID.zoom(hilbertID: first.lowerBound)...TileID.zoom(hilbertID: last.upperBound - 1)
        if let problem = declared.zoomProblem(found) { add(VerificationFault(.zooms, problem)) }
    }

    /// Finds tiles outside of the declared bounds. A margin of one tile is allowed, because many archives
    /// have it.
    private mutating func checkBounds(_ tiles: TileRuns) {
        guard let bounds = declared.bounds else { return }
        let boxes = bounds.worldBoxes.sorted { $0.minX < $1.minX }
        for zoom in 0...TileID.maximumZoom {
            let runs = tiles.runs(zoom: zoom)
            guard !runs.isEmpty else { continue }
            let allowed = boxes.map { TileRectangle($0, zoom: zoom, margin: 1) }, end = (1 << zoom) - 1
            // Bounds across the antimeridian are two boxes, each with a part of the world around it.
            let middle =
                boxes.count < 2 ? end : (allowed[0].columns.upperBound + allowed[1].columns.lowerBound) / 2
            let parts = [0...middle, min(middle + 1, end)...end]
            for square in runs.lazy.flatMap({ TileRuns.squares($0, zoom: zoom) }) {
                for (allowed, columns) in zip(allowed, parts) {
                    square.clamped(to: TileRectangle(columns: columns, rows: square.rows)).map {
                        check($0, within: allowed, zoom: zoom)
                    }
                }
            }
        }
    }

    private mutating func check(_ square: TileRectangle, within allowed: TileRectangle, zoom: Int) {
        let inside = square.clamped(to: allowed)?.tileCount ?? 0
        guard inside < square.tileCount, let tile = square.firstTile(outside: allowed, zoom: zoom) else {
            return
        }
        add(
            VerificationFault(
                .bounds, .tile(tile), "it is outside of the declared bounds",
                count: square.tileCount - inside))
    }

    private mutating func checkSizes() {
        let sorted = sizes.sorted { ($0.value.tiles, $0.key.width) > ($1.value.tiles, $1.key.width) }
        guard let usual = sorted.first?.key else { return }
        for (size, found) in sorted.dropFirst() {
            let problem =
                "it has \(size.width) × \(size.height) pixels, most have \(usual.width) × \(usual.height)"
            for (index, tile) in found.examples.enumerated() {
                let isLast = index == found.examples.count - 1
                add(
                    VerificationFault(
                        .size, .tile(tile), problem, count: isLast ? found.tiles - index : 1))
            }
        }
    }

    private mutating func checkLayers() {
        guard hasVectorTiles else { return }
        let declared = DeclaredLayers(metadata)
        guard let fields = declared.fields else {
            return add(VerificationFault(.layers, "the metadata has no list of layers (vector_layers)"))
        }
        for (name, found) in layers.sorted(by: { $0.key < $1.key }) where fields[name] == nil {
            let text = "layer \"\(SafeText.sanitised(name, limit: 40))\" is not declared"
            let location = found.first.map(VerificationFault.Location.tile) ?? .archive
            add(VerificationFault(.layers, location, text, count: found.tiles))
        }
        for name in declared.names where layers[name] == nil {
            let text = "layer \"\(SafeText.sanitised(name, limit: 40))\" is declared, but in no tile"
            add(VerificationFault(.layers, text))
        }
    }
}

extension TileRectangle {
    /// Creates the rectangle of the tiles that a box touches, with a margin in tiles.
    fileprivate init(_ box: WorldBox, zoom: Int, margin: Int) {
        let side = Double(1 << zoom)
        func range(_ low: Double, _ high: Double) -> ClosedRange<Int> {
            let first = Int((low * side).rounded(.down)) - margin
            return first...max(first, Int((high * side).rounded(.up)) - 1 + margin)
        }
        self.init(columns: range(box.minX, box.maxX), rows: range(box.minY, box.maxY))
    }

    /// Returns the first tile, row by row, that another rectangle doesn't contain; nil if there is none.
    fileprivate func firstTile(outside other: TileRectangle, zoom: Int) -> TileID? {
        for y in rows {
            if !other.rows.contains(y) { return TileID(zoom: zoom, x: columns.lowerBound, y: y) }
            if !other.columns.contains(columns.lowerBound) {
                return TileID(zoom: zoom, x: columns.lowerBound, y: y)
            }
            if columns.upperBound > other.columns.upperBound {
                return TileID(zoom: zoom, x: max(columns.lowerBound, other.columns.upperBound + 1), y: y)
            }
        }
        return nil
    }
}
