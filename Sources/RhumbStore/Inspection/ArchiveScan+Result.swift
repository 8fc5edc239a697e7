internal import RhumbCore
internal import RhumbEngine

extension ArchiveScan {
    /// Returns the result. Must be called after all tiles were added.
    mutating func result(_ archive: any TileArchive) -> ArchiveInspection {
        tiles.settle()
        for example in tiles.repeatedExamples { add(.repeated, ArchiveScan.name(example), count: 0) }
        if tiles.repeated > 0 { add(.repeated, "", count: tiles.repeated) }
        let figures = zooms.keys.sorted().compactMap { self.figures($0, first: zooms.keys.min() ?? 0) }
        let declared = archive.declaredContent
        checkMetadata(archive, declared, figures)
        return ArchiveInspection(
            file: archive.path, format: archive.format, name: archive.info.name,
            attribution: archive.info.attribution, declaredZooms: declared.zooms,
            declaredBounds: declared.bounds, metadata: archive.metadata,
            foundBounds: figures.last.flatMap { Bounds(zoom: $0.zoom, columns: $0.columns, rows: $0.rows) },
            zooms: figures, bodies: bodies(figures), kinds: kindCounts, sizes: sizeCounts,
            blankTiles: decode == nil ? nil : blankTiles, oversizedTiles: oversized,
            largest: largest.compactMap { item in
                TileID(pmtilesID: item.tile).map { .init(tile: $0, bytes: item.bytes) }
            },
            faults: faults.map { fault in
                var fault = fault
                fault.examples.removeAll(where: \.isEmpty)
                return fault
            })
    }

    private func figures(_ zoom: Int, first: Int) -> ZoomStatistics? {
        guard let totals = zooms[zoom], let rectangle = tiles.rectangle(zoom: zoom),
            let largestTile = TileID(pmtilesID: totals.largestTile)
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

    private func bodies(_ figures: [ZoomStatistics]) -> ArchiveInspection.BodyFigures {
        let tileCount = figures.reduce(0) { $0 + $1.tiles }, bytes = figures.reduce(0) { $0 + $1.bytes }
        let (distinct, distinctBytes) = known.total(\.bytes)
        return .init(
            distinct: distinct, distinctBytes: distinctBytes, stored: counts.bodies,
            storedBytes: storedBytes, repeats: max(0, tileCount - distinct),
            savedBytes: max(0, bytes - storedBytes), wastedBytes: max(0, storedBytes - distinctBytes))
    }

    private var kindCounts: [ArchiveInspection.KindCount] {
        kinds.map { .init(kind: $0.key, tiles: $0.value) }
            .sorted { ($0.tiles, $1.kind.rawValue) > ($1.tiles, $0.kind.rawValue) }
    }

    private var sizeCounts: [ArchiveInspection.SizeCount] {
        sizes.map { .init(width: Int($0.key.width), height: Int($0.key.height), tiles: $0.value) }
            .sorted { ($0.tiles, $0.width, $0.height) > ($1.tiles, $1.width, $1.height) }
    }

    private mutating func checkMetadata(
        _ archive: any TileArchive, _ declared: DeclaredContent, _ figures: [ZoomStatistics]
    ) {
        for problem in archive.metadataProblems(counts) { add(.metadata, problem) }
        if let kind = declared.kind, !kinds.isEmpty, kinds[kind] == nil {
            add(.metadata, "the declared format is \(kind.rawValue), but no tile has that format")
        }
        guard let first = figures.first?.zoom, let last = figures.last?.zoom else {
            return add(.metadata, "the archive has no tiles")
        }
        if let problem = declared.zoomProblem(first...last) { add(.metadata, problem) }
        if let bounds = declared.bounds, let deepest = figures.last,
            let found = Bounds(zoom: last, columns: deepest.columns, rows: deepest.rows),
            !bounds.overlaps(found)
        {
            add(.metadata, "the declared bounds do not include the tiles of zoom \(last)")
        }
    }
}
