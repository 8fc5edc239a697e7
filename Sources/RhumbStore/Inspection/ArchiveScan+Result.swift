internal import RhumbCore
internal import RhumbEngine

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
