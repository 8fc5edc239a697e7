internal import RhumbCore
internal import RhumbEngine

extension PMTilesArchive {
    /// The properties in the header.
    public var declaredContent: DeclaredContent {
        let header = file.header
        var declared = DeclaredContent(metadata)
        declared.kind =
            switch header.tileType {
            case .mvt: .vector
            case .png: .png
            case .jpeg: .jpeg
            case .webp: .webp
            case .avif: .avif
            case .mlt: .mapLibre
            case .unknown: nil
            }
        declared.compression = header.tileCompression
        let (low, high) = (Int(header.minZoom), Int(header.maxZoom))
        declared.zooms = low <= high && high <= TileID.maximumZoom ? low...high : nil
        declared.bounds = ArchiveDescription.bounds(header.bounds.map { Double($0) / 1e7 })
        return declared
    }

    /// Checks the header, the metadata and all directories.
    public func checkStructure(isThorough: Bool, _ report: (VerificationFault) -> Void) throws {
        if let metadataProblem { report(VerificationFault(.metadata, metadataProblem)) }
        checkSections(report)
        checkHeader(report)
        var walk = PMTilesStructure(file)
        try walk.run(report)
    }

    private func checkSections(_ report: (VerificationFault) -> Void) {
        let header = file.header
        let sections = [
            ("header", FileSection(offset: 0, length: UInt64(PMTilesHeader.length))),
            ("root directory", header.root), ("metadata", header.metadata),
            ("leaf directories", header.leaves), ("tile data", header.tiles),
        ].filter { $0.1.claimsBytes }.sorted { $0.1.offset < $1.1.offset }
        for (first, second) in zip(sections, sections.dropFirst()) where first.1.end > second.1.offset {
            report(
                VerificationFault(
                    .header, .byte(second.1.offset), "the \(second.0) and the \(first.0) overlap"))
        }
        if header.root.end > PMTilesIndex.startLength {
            let problem = "the root directory is not in the first \(PMTilesIndex.startLength) bytes"
            report(VerificationFault(.header, .byte(header.root.offset), problem))
        }
    }

    /// Checks the values of the header, each at the offset that the specification gives.
    private func checkHeader(_ report: (VerificationFault) -> Void) {
        let header = file.header, declared = declaredContent
        if declared.zooms == nil {
            let problem = "zooms \(header.minZoom) to \(header.maxZoom) are invalid"
            report(VerificationFault(.zooms, .byte(100), problem))
        }
        if header.tileType == .unknown {
            report(VerificationFault(.header, .byte(99), "the type of the tiles is not declared"))
        }
        if header.tileCompression == .unknown {
            report(VerificationFault(.header, .byte(98), "the compression of the tiles is not declared"))
        }
        guard let bounds = declared.bounds else {
            if ArchiveDescription.areFlat(header.bounds.map { Double($0) / 1e7 }) { return }
            return report(VerificationFault(.bounds, .byte(102), "the bounds are invalid"))
        }
        let center = Coordinate(
            latitude: Double(header.center[1]) / 1e7, longitude: Double(header.center[0]) / 1e7)
        if !bounds.contains(center), header.center != [0, 0] {
            report(VerificationFault(.bounds, .byte(119), "the centre is outside of the bounds"))
        }
    }
}

extension PMTilesHeader {
    /// Compares the counts with those found, unless they are 0 (unknown).
    /// - Returns: The problems, each with its offset in the file.
    fileprivate func wrongCounts(
        tiles: Int, entries: Int, bodies: Int
    ) -> [(offset: UInt64, problem: String)] {
        [
            ("tiles", 72, addressedTiles, tiles), ("entries", 80, tileEntries, entries),
            ("bodies", 88, tileContents, bodies),
        ].filter { $0.2 != 0 && $0.2 != UInt64($0.3) }.map { name, offset, declared, found in
            (offset, "the header declares \(declared) \(name), but there are \(found)")
        }
    }
}

/// Checks the entries of all directories. Uses 16 bytes of memory for each distinct body.
private struct PMTilesStructure {
    private let file: PMTilesFile
    private var bodies = BodyExtents()
    private var entries = 0
    private var addressed: UInt64 = 0
    private var isWhole = true

    init(_ file: PMTilesFile) { self.file = file }

    mutating func run(_ report: (VerificationFault) -> Void) throws {
        // The first tile that may follow, and the offset after the last body.
        var next: UInt64 = 0, end: UInt64 = 0
        for found in PMTilesEntries(file) {
            try Task.checkCancellation()
            switch found {
            // Reported with the runs of tiles.
            case .fault:
                try file.bytes.checkServer(file.name)
                isWhole = false
            case .leaf(let entry, let first):
                guard first != entry.id else { continue }
                let location = VerificationFault.Location.byte(file.header.leaves.offset + entry.offset)
                let problem = "the leaf directory begins with another tile than its entry says"
                report(VerificationFault(.order, location, problem))
            case .tiles(let entry):
                let location = TileID(hilbertID: entry.id).map(VerificationFault.Location.tile) ?? .archive
                if entry.id < next {
                    report(VerificationFault(.order, location, "its entry is not in ascending order"))
                }
                next = max(next, entry.id.clampedSum(UInt64(entry.run)))
                if file.header.isClustered, entry.offset > end {
                    report(
                        VerificationFault(
                            .clustering, location, "its body is not next to that of the last tile")
                    )
                }
                end = max(end, entry.offset.clampedSum(UInt64(entry.length)))
                if entry.length > 0 { bodies.add(entry.offset, entry.length) }
                entries += 1
                addressed = addressed.clampedSum(UInt64(entry.run))
            }
        }
        bodies.settle()
        for offset in bodies.overlaps {
            let location = VerificationFault.Location.byte(file.header.tiles.offset.clampedSum(offset))
            report(VerificationFault(.overlap, location, "the body overlaps the previous one"))
        }
        guard isWhole else { return }
        let wrong = file.header.wrongCounts(
            tiles: Int(clamping: addressed), entries: entries, bodies: bodies.count)
        for (offset, problem) in wrong {
            report(VerificationFault(.count, .byte(offset), problem))
        }
    }
}

/// The distinct sections of bodies in the tile data.
private struct BodyExtents {
    private var settled: [(offset: UInt64, length: UInt32)] = []
    private var pending: [(offset: UInt64, length: UInt32)] = []

    /// The number of distinct sections. Up to date after `settle()`.
    var count: Int { settled.count }

    mutating func add(_ offset: UInt64, _ length: UInt32) {
        if let last = pending.last, last == (offset, length) { return }
        pending.append((offset, length))
        if pending.count > max(65_536, settled.count) { settle() }
    }

    /// Sorts the sections, and removes repeated ones.
    mutating func settle() {
        let all = (settled + pending).sorted { $0 < $1 }
        settled = []
        pending = []
        for section in all where settled.last.map({ $0 != section }) ?? true { settled.append(section) }
    }

    /// The offsets of sections that begin inside of another.
    var overlaps: [UInt64] {
        var end: UInt64 = 0, found: [UInt64] = []
        for (offset, length) in settled {
            if offset < end { found.append(offset) }
            end = max(end, offset.clampedSum(UInt64(length)))
        }
        return found
    }
}

extension UInt64 {
    /// Returns a sum of untrusted numbers, limited to the largest number.
    fileprivate func clampedSum(_ other: UInt64) -> UInt64 {
        let (sum, isTooLarge) = addingReportingOverflow(other)
        return isTooLarge ? .max : sum
    }
}
