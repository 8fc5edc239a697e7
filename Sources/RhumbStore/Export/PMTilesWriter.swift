public import RhumbCore

/// Writes PMTiles version 3: clustered, with equal bodies stored once and each run as one entry. The first 16
/// KiB are reserved for the header and root directory. Metadata and leaf directories follow the tiles. Memory
/// use is constant for any number of tiles.
///
/// Tiles must be added in the order of their ids: zoom by zoom, and along a Hilbert curve within each.
public final class PMTilesWriter: ArchiveWriter {
    /// The number of bytes that a reader's first request fetches, which contain the header and root
    /// directory.
    static let start = 16_384

    private let file: PartFile
    private let label: ExportLabel
    private var data: BufferedPart
    private var directory: PMTilesDirectoryWriter
    private var extent = ExportExtent()
    private var sections = BodyIndex<(offset: UInt64, length: UInt32)>()
    private var bodies = 0
    private var last: (id: UInt64, tile: TileID)?
    private var lastBody: [UInt8] = []
    private var content: ExportContent
    private var isFinished = false
    /// Bytes to write after the archive.
    var trailer: [UInt8] = []

    /// Creates the file.
    /// - Parameter isReplacing: If true, an existing file may be replaced.
    /// - Throws: `ExportFailure`.
    public init(_ path: String, label: ExportLabel, isReplacing: Bool = false) throws(ExportFailure) {
        file = try PartFile(path, isReplacing: isReplacing)
        self.label = label
        content = ExportContent(label)
        data = BufferedPart(file, from: PMTilesWriter.start)
        directory = try PMTilesDirectoryWriter(besides: path)
    }

    /// Adds a tile.
    public func add(_ tile: TileID, _ body: [UInt8]) throws(ExportFailure) {
        try add(tile.hilbertID..<tile.hilbertID + 1, body)
    }

    /// Adds the tiles as one entry.
    public func add(_ ids: Range<UInt64>, _ body: [UInt8]) throws(ExportFailure) {
        guard let first = TileID(hilbertID: ids.lowerBound),
            let final = TileID(hilbertID: ids.upperBound &- 1)
        else { return }
        let body = content.stored(body)
        try check(first, ids.lowerBound, body)
        let section = try section(of: body)
        var next = ids.lowerBound
        while next < ids.upperBound {
            let run = UInt32(clamping: ids.upperBound - next)
            try directory.add(.init(id: next, run: run, length: section.length, offset: section.offset))
            next += UInt64(run)
        }
        extent.add(ids)
        last = (ids.upperBound - 1, final)
    }

    private func check(_ tile: TileID, _ id: UInt64, _ body: [UInt8]) throws(ExportFailure) {
        guard !isFinished else {
            throw ExportFailure(
                file.destination, .disk, "the archive is already finished", "start another one")
        }
        if let last, id <= last.id {
            if id == last.id { throw .repeated(tile, file.destination) }
            throw ExportFailure(
                file.destination, .order, "tile \(tile) was added after \(last.tile)",
                "sort tiles by their PMTiles "
                    + "number")
        }
        guard !body.isEmpty, body.count <= Int(UInt32.max) else {
            throw ExportFailure(
                file.destination, .body, "tile \(tile) has \(body.count) bytes", "omit such tiles")
        }
    }

    /// Returns the section of a body, storing it if new. Bodies with equal hashes are compared.
    private func section(of body: [UInt8]) throws(ExportFailure) -> (offset: UInt64, length: UInt32) {
        let hash = ContentHash(body)
        if let section = sections.location(of: hash), isStored(body, at: section) { return section }
        let section = (offset: UInt64(data.count), length: UInt32(body.count))
        try data.append(body)
        bodies += 1
        content.inspect(body)
        lastBody = body
        sections.remember(section, for: hash)
        return section
    }

    private func isStored(_ body: [UInt8], at section: (offset: UInt64, length: UInt32)) -> Bool {
        guard Int(section.length) == body.count else { return false }
        if Int(section.offset) + body.count == data.count { return body == lastBody }
        return data.read(at: Int(section.offset), count: body.count) == body
    }

    /// Completes the archive and moves it to its destination.
    public func finish() throws(ExportFailure) -> ExportSummary {
        guard let zooms = extent.zooms, !isFinished else {
            throw ExportFailure(file.destination, .empty, "no tiles to write", "check what you export")
        }
        isFinished = true
        let root = try directory.finish(rootLimit: PMTilesWriter.start - PMTilesHeader.length)
        var header = header(zooms)
        header.tiles = .init(offset: UInt64(PMTilesWriter.start), length: UInt64(data.count))
        let metadata = Gzip.packed(Array(metadata.text.utf8))
        header.metadata = .init(
            offset: header.tiles.offset + header.tiles.length, length: UInt64(metadata.count))
        try data.append(metadata)
        let leaves = directory.leaves
        header.leaves = .init(offset: UInt64(PMTilesWriter.start + data.count), length: UInt64(leaves.count))
        for piece in leaves.pieces { try data.append(piece) }
        try data.append(trailer)
        try data.flush()
        header.root = .init(offset: UInt64(PMTilesHeader.length), length: UInt64(root.count))
        try file.write(root, at: PMTilesHeader.length)
        try file.write(header.bytes, at: 0)
        return ExportSummary(tiles: extent.tiles, bodies: bodies, bytes: try file.publish(), zooms: zooms)
    }

    private func header(_ zooms: ClosedRange<Int>) -> PMTilesHeader {
        func whole(_ degrees: Double) -> Int32 { Int32(clamping: degrees * 1e7) }
        var header = PMTilesHeader()
        header.addressedTiles = UInt64(extent.tiles)
        header.tileEntries = UInt64(directory.entryCount)
        header.tileContents = UInt64(bodies)
        header.tileCompression = content.kind.isVector ? .gzip : .none
        header.tileType = content.kind.headerType
        header.minZoom = UInt8(zooms.lowerBound)
        header.maxZoom = UInt8(zooms.upperBound)
        header.bounds = extent.edges(label.bounds).map(whole)
        header.centerZoom = label.centerZoom.map { UInt8(clamping: $0) } ?? header.minZoom
        let center = label.center ?? extent.center(label.bounds)
        header.center = [whole(center.longitude), whole(center.latitude)]
        return header
    }

    private var metadata: JSON {
        var members = label.more
        members["name"] = .string(label.name)
        members["type"] = members["type"] ?? (label.isOverlay ? "overlay" : "baselayer")
        if !label.attribution.isEmpty { members["attribution"] = .string(label.attribution) }
        if !label.summary.isEmpty { members["description"] = .string(label.summary) }
        if !label.generator.isEmpty { members["generator"] = .string(label.generator) }
        if let layers = content.vectorLayers { members["vector_layers"] = layers }
        return .object(members)
    }
}

extension TileKind {
    fileprivate var headerType: PMTilesHeader.TileType {
        switch self {
        case .png: .png
        case .jpeg: .jpeg
        case .webp: .webp
        case .avif: .avif
        case .vector: .mvt
        case .mapLibre: .mlt
        case .gif, .text, .unknown: .unknown
        }
    }
}
