internal import RhumbCore
internal import RhumbEngine

/// Collects the figures of an archive, tile by tile.
struct ArchiveScan {
    struct PixelSize: Hashable, Sendable {
        var width: UInt32
        var height: UInt32

        init(width: Int, height: Int) {
            self.width = UInt32(clamping: width)
            self.height = UInt32(clamping: height)
        }
    }

    struct ZoomTotals {
        var tiles = 0
        var bytes = 0
        var smallest = Int.max
        var largest = -1
        var largestTile: UInt64 = 0
    }

    /// The tiles in the list, also those that can't be read.
    private(set) var tiles = TileRuns()
    private(set) var zooms: [Int: ZoomTotals] = [:]
    private(set) var kinds: [TileKind: Int] = [:]
    private(set) var sizes: [PixelSize: Int] = [:]
    private(set) var blankTiles = 0
    private(set) var oversized = 0
    private(set) var largest: [(tile: UInt64, bytes: Int)] = []
    private(set) var bodyCount = 0
    private(set) var storedBytes = 0
    private var locations: Set<UInt64> = []

    /// Adds tiles that share a body. Their ids may span several zooms.
    mutating func add(_ run: StoredTileRun, _ finding: ContentCheck.Finding) {
        tiles.insert(run.ids)
        guard let bytes = finding.bytes, !run.ids.isEmpty else { return }
        if run.location.map({ locations.insert($0).inserted }) ?? true {
            bodyCount += 1
            storedBytes += bytes
        }
        for (zoom, ids) in run.zooms { zooms[zoom, default: ZoomTotals()].add(ids, bytes) }
        if let kind = finding.kind { kinds[kind, default: 0] += run.count }
        if let size = finding.size { sizes[size, default: 0] += run.count }
        if finding.isBlank { blankTiles += run.count }
        if bytes > ArchiveInspection.oversize { oversized += run.count }
        guard largest.count < 5 || bytes > largest[4].bytes else { return }
        for id in run.ids.prefix(5) { largest.append((id, bytes)) }
        largest.sort { ($0.bytes, $1.tile) > ($1.bytes, $0.tile) }
        largest.removeLast(max(0, largest.count - 5))
    }

    /// Completes the list of tiles. Must be called before the results are used.
    mutating func settle() { tiles.settle() }

    static func name(_ id: UInt64) -> String { TileID(hilbertID: id)?.description ?? "number \(id)" }
}

extension ArchiveScan.ZoomTotals {
    fileprivate mutating func add(_ ids: Range<UInt64>, _ size: Int) {
        tiles += ids.count
        bytes = bytes.adding(ids.count, times: size)
        smallest = min(smallest, size)
        if size > largest { (largest, largestTile) = (size, ids.lowerBound) }
    }
}

extension Int {
    /// Returns a sum of untrusted counts, limited to 2^56 so that the total of all zooms can't overflow.
    fileprivate func adding(_ count: Int, times size: Int) -> Int {
        let (product, isTooMuch) = count.multipliedReportingOverflow(by: size)
        return isTooMuch ? 1 << 56 : Swift.min(self + Swift.min(product, 1 << 56), 1 << 56)
    }
}

extension ArchiveScan {
    /// Returns the result. Must be called after `settle()`.
    /// - Parameters:
    ///   - faults: The faults of the archive.
    ///   - check: The check of the contents; nil if they were not read.
    func result(
        _ archive: any TileArchive, _ faults: ArchiveVerification, _ check: ContentCheck?
    ) -> ArchiveInspection {
        let figures = zooms.keys.sorted().compactMap { self.figures($0, first: zooms.keys.min() ?? 0) }
        let declared = archive.declaredContent
        return ArchiveInspection(
            file: archive.path, format: archive.format, name: archive.info.name,
            attribution: archive.info.attribution, declaredKind: declared.kind, declaredZooms: declared.zooms,
            declaredBounds: declared.bounds, metadata: archive.metadata,
            foundBounds: figures.last.flatMap { Bounds(zoom: $0.zoom, columns: $0.columns, rows: $0.rows) },
            zooms: figures, bodies: bodies(figures, check?.distinct), kinds: kindCounts, sizes: sizeCounts,
            blankTiles: check?.decodesPictures == true ? blankTiles : nil, oversizedTiles: oversized,
            largest: largest.compactMap { item in
                TileID(hilbertID: item.tile).map { .init(tile: $0, bytes: item.bytes) }
            },
            faults: faults)
    }

    private func figures(_ zoom: Int, first: Int) -> ZoomStatistics? {
        guard let totals = zooms[zoom], let rectangle = tiles.rectangle(zoom: zoom),
            let largestTile = TileID(hilbertID: totals.largestTile)
        else { return nil }
        let present = tiles.runs(zoom: zoom).reduce(0) { $0 + $1.count }
        let holes = rectangle.tileCount - present
        let orphans = zoom == first ? (0, []) : tiles.orphans(zoom: zoom, limit: 3)
        return ZoomStatistics(
            zoom: zoom, tiles: totals.tiles, bytes: totals.bytes, smallest: totals.smallest,
            largest: totals.largest, largestTile: largestTile, columns: rectangle.columns,
            rows: rectangle.rows, holes: holes,
            holeExamples: holes > 0 ? tiles.holes(in: rectangle, zoom: zoom, limit: 3) : [],
            orphans: orphans.0, orphanExamples: orphans.1)
    }

    private func bodies(
        _ figures: [ZoomStatistics], _ distinct: (count: Int, bytes: Int)?
    ) -> ArchiveInspection.BodyFigures {
        let tileCount = figures.reduce(0) { $0 + $1.tiles }, bytes = figures.reduce(0) { $0 + $1.bytes }
        return .init(
            distinct: distinct?.count, distinctBytes: distinct?.bytes, stored: bodyCount,
            storedBytes: storedBytes, repeats: distinct.map { max(0, tileCount - $0.count) },
            savedBytes: max(0, bytes - storedBytes),
            wastedBytes: distinct.map { max(0, storedBytes - $0.bytes) })
    }

    private var kindCounts: [ArchiveInspection.KindCount] {
        kinds.map { .init(kind: $0.key, tiles: $0.value) }
            .sorted { ($0.tiles, $1.kind.rawValue) > ($1.tiles, $0.kind.rawValue) }
    }

    private var sizeCounts: [ArchiveInspection.SizeCount] {
        sizes.map { .init(width: Int($0.key.width), height: Int($0.key.height), tiles: $0.value) }
            .sorted { ($0.tiles, $0.width, $0.height) > ($1.tiles, $1.width, $1.height) }
    }
}
