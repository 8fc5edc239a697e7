internal import RhumbCore
internal import RhumbEngine

extension PMTilesArchive {
    /// Inspects all tiles.
    public func inspect(decode: TileDecode?) throws(ArchiveFailure) -> ArchiveInspection {
        var walk = PMTilesWalk(
            file: file,
            census: ArchiveScan(
                probe: probe, decode: decode, expectsPictures: refusal == nil, compression: compression))
        walk.run()
        if let metadataProblem { walk.census.add(.metadata, metadataProblem) }
        walk.checkCounts()
        let high = Int(file.header.maxZoom), low = Int(file.header.minZoom)
        return walk.census.result(
            .init(
                file: file.name, format: "PMTiles 3", info: info, metadata: metadata,
                declaredZooms: low <= high && high <= TileID.maximumZoom ? low...high : nil,
                declaredBounds: info.bounds))
    }
}

/// Inspects all directories. A body shared by several entries is read once.
private struct PMTilesWalk {
    let file: PMTilesFile
    var census: ArchiveScan
    private var bodies: [UInt64: ArchiveScan.Body] = [:]
    private var entries = 0
    private var addressed = 0

    init(file: PMTilesFile, census: ArchiveScan) {
        self.file = file
        self.census = census
    }

    mutating func run() {
        for found in PMTilesEntries(file) {
            switch found {
            case .tiles(let entry): count(entry)
            case .leaf: break
            case .fault(let problem): census.add(.directory, problem)
            }
        }
    }

    private mutating func count(_ entry: PMTilesDirectory.Entry) {
        let limit = TileID.firstPMTilesID(zoom: TileID.maximumZoom + 1)
        guard entry.id < limit, UInt64(entry.run) <= limit - entry.id else {
            return census.add(.misplaced, "number \(entry.id)")
        }
        entries += 1
        addressed += Int(entry.run)
        WorkProgress.report(addressed, of: Int(exactly: file.header.addressedTiles))
        do throws(TileFailure) {
            census.add(entry.id..<entry.id + UInt64(entry.run), try body(entry))
        } catch {
            census.add(.directory, error.message)
        }
    }

    private mutating func body(_ entry: PMTilesDirectory.Entry) throws(TileFailure) -> ArchiveScan.Body {
        if let known = bodies[entry.offset], known.bytes == Int(entry.length) { return known }
        guard UInt64(census.stored.bytes) + UInt64(entry.length) <= file.header.tiles.length else {
            throw TileFailure(
                .badContent, "the bodies overlap; that of \(ArchiveScan.name(entry.id)) was not checked")
        }
        let body = census.body(try file.stored(entry, ArchiveScan.name(entry.id)))
        bodies[entry.offset] = body
        census.stored.count += 1
        census.stored.bytes += body.bytes
        return body
    }

    /// Compares the counts with those of the header, unless they are 0 (unknown).
    mutating func checkCounts() {
        let header = file.header
        let counts = [
            ("addressed tiles", header.addressedTiles, addressed),
            ("tile entries", header.tileEntries, entries),
            ("tile contents", header.tileContents, census.stored.count),
        ]
        for (name, declared, found) in counts where declared != 0 && declared != UInt64(found) {
            census.add(.metadata, "the header declares \(declared) \(name), but there are \(found)")
        }
    }
}
