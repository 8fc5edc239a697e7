internal import RhumbCore
internal import RhumbEngine

/// Collects the statistics of an archive, tile by tile. Each distinct body is examined once.
struct ArchiveScan {
    /// The facts about the body of a run, or the fault and its place.
    enum Finding: Sendable {
        case body(Body)
        case fault(ArchiveFault.Kind, String)
    }

    /// The facts about one body.
    struct Body: Sendable {
        var bytes: Int
        var kind = TileKind.unknown
        var size: PixelSize?
        var isBlank = false
        var fault: ArchiveFault.Kind?
    }

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

    let probe: TileProbe?
    let decode: TileDecode?
    /// True if the tiles should be pictures, so that other content is a fault.
    let expectsPictures: Bool

    var tiles = TileRuns()
    private(set) var zooms: [Int: ZoomTotals] = [:]
    private(set) var kinds: [TileKind: Int] = [:]
    private(set) var sizes: [PixelSize: Int] = [:]
    private(set) var blankTiles = 0
    private(set) var oversized = 0
    private(set) var largest: [(tile: UInt64, bytes: Int)] = []
    /// The distinct bodies.
    let known = KnownBodies<Body>()
    private(set) var faults: [ArchiveFault] = []
    private(set) var counts = ArchiveCounts()
    private(set) var storedBytes = 0
    private var places: Set<UInt64> = []

    init(probe: TileProbe?, decode: TileDecode?, expectsPictures: Bool) {
        self.probe = probe
        self.decode = decode
        self.expectsPictures = expectsPictures
    }

    /// Examines the body of a run, unless an equal one was examined before.
    var examine: @Sendable (StoredTileRun) -> Finding {
        { [probe, decode, expectsPictures, known] run in
            do throws(TileFailure) {
                let body = known.finding(try run.body.get()) {
                    Self.examined($0, run.compression, probe, decode, expectsPictures)
                }
                return .body(body)
            } catch {
                return .fault(run.fault, run.fault == .null ? Self.name(run.ids.lowerBound) : error.message)
            }
        }
    }

    private static func examined(
        _ bytes: [UInt8], _ compression: Compression, _ probe: TileProbe?, _ decode: TileDecode?,
        _ expectsPictures: Bool
    ) -> Body {
        var body = Body(bytes: bytes.count)
        guard !bytes.isEmpty else {
            body.fault = .empty
            return body
        }
        guard let plain = try? compression.actual(of: bytes).unpacked(bytes) else {
            body.fault = .damaged
            return body
        }
        // A vector tile without layers is empty.
        body.kind = plain.isEmpty && !expectsPictures ? .vector : TileKind(of: plain)
        guard body.kind.isPicture else {
            body.fault = expectsPictures ? .notAPicture : nil
            return body
        }
        if let probe {
            body.size = probe(plain).map { PixelSize(width: $0.width, height: $0.height) }
            if body.size == nil { body.fault = .undecodable }
        }
        if let decode {
            let raster = decode(plain)
            body.isBlank = raster?.isOneColour == true
            if raster == nil { body.fault = .undecodable }
        }
        return body
    }

    /// Adds tiles that share a body. Their ids may span several zooms.
    mutating func add(_ run: StoredTileRun, _ finding: Finding) {
        if !run.ids.isEmpty {
            counts.entries += 1
            counts.tiles = counts.tiles.saturatingAdd(run.count)
        }
        switch finding {
        case .fault(let kind, let example): add(kind, example)
        case .body(let body):
            if run.place.map({ places.insert($0).inserted }) ?? true {
                counts.bodies += 1
                storedBytes += body.bytes
            }
            tiles.insert(run.ids)
            for (zoom, ids) in run.zooms { zooms[zoom, default: ZoomTotals()].add(ids, body.bytes) }
            note(run.ids, body)
        }
    }

    private mutating func note(_ ids: Range<UInt64>, _ body: Body) {
        kinds[body.kind, default: 0] += ids.count
        if body.isBlank { blankTiles += ids.count }
        if body.bytes > ArchiveInspection.oversize { oversized += ids.count }
        if let size = body.size {
            sizes[size, default: 0] += ids.count
        }
        if let fault = body.fault { add(fault, ArchiveScan.name(ids.lowerBound), count: ids.count) }
        guard largest.count < 5 || body.bytes > largest[4].bytes else { return }
        for id in ids.prefix(5) { largest.append((id, body.bytes)) }
        largest.sort { ($0.bytes, $1.tile) > ($1.bytes, $0.tile) }
        largest.removeLast(max(0, largest.count - 5))
    }

    /// Records a fault. The first five examples of each kind are stored.
    mutating func add(_ kind: ArchiveFault.Kind, _ example: String, count: Int = 1) {
        guard let index = faults.firstIndex(where: { $0.kind == kind }) else {
            return faults.append(ArchiveFault(kind: kind, count: count, examples: [example]))
        }
        faults[index].count += count
        if faults[index].examples.count < 5 { faults[index].examples.append(example) }
    }

    static func name(_ id: UInt64) -> String { TileID(pmtilesID: id)?.description ?? "number \(id)" }
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

extension Raster {
    /// True if all pixels are equal.
    fileprivate var isOneColour: Bool {
        pixels.withUnsafeBytes { bytes in
            let first = bytes.load(as: UInt32.self)
            return stride(from: 4, to: bytes.count, by: 4).allSatisfy {
                bytes.loadUnaligned(fromByteOffset: $0, as: UInt32.self) == first
            }
        }
    }
}
