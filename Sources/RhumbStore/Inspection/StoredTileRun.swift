public import RhumbCore
public import RhumbEngine

/// The parts of tiles that a walk through an archive reads.
public enum TileDetail {
    /// The ids; of a tile with several bodies only once, unless repeats are included.
    case ids(withRepeats: Bool = false)
    /// The ids, and the sizes and locations of the stored bodies.
    case sizes
    /// Everything. The bodies at locations for which `isKnown` returns true may be omitted.
    case bodies(isKnown: (_ location: UInt64) -> Bool = { _ in false })

    /// Returns false for a location whose body may be omitted, and if bodies are not read.
    package func needsBody(at location: UInt64?) -> Bool {
        guard case .bodies(let isKnown) = self else { return false }
        return location.map { !isKnown($0) } ?? true
    }
}

/// Tiles with consecutive PMTiles ids that share one stored body.
public struct StoredTileRun: Sendable {
    /// The PMTiles ids of the tiles, which may span several zooms; empty if they are unknown because a
    /// directory is damaged.
    package let ids: Range<UInt64>
    /// The body as stored, possibly compressed, or the reason why it can't be read. Empty if it was not
    /// needed.
    public let body: Result<[UInt8], TileFailure>
    /// The declared compression of the body.
    public let compression: Compression
    /// The size of the stored body in bytes; 0 if it was not needed.
    public let bytes: Int
    /// A number that is the same for tiles with the same stored body; nil if the archive doesn't know it.
    package let location: UInt64?
    /// The kind of fault if the body can't be read.
    package let fault: VerificationFault.Kind

    /// The number of tiles; 0 if a damaged directory hides them.
    public var count: Int { ids.count }
    /// The first tile; nil if a damaged directory hides it.
    public var first: TileID? { ids.isEmpty ? nil : TileID(hilbertID: ids.lowerBound) }

    /// - Parameters:
    ///   - ids: Ids up to the deepest zoom.
    ///   - bytes: The size of the stored body; nil for that of `body`.
    package init(
        ids: Range<UInt64>, body: Result<[UInt8], TileFailure>, compression: Compression = .unknown,
        bytes: Int? = nil, location: UInt64? = nil, fault: VerificationFault.Kind = .directory
    ) {
        self.ids = ids
        self.body = body
        self.compression = compression
        self.bytes = bytes ?? (try? body.get().count) ?? 0
        self.location = location
        self.fault = fault
    }

    /// Creates a run of one tile.
    package init(
        _ tile: TileID, body: Result<[UInt8], TileFailure> = .success([]),
        compression: Compression = .unknown, bytes: Int? = nil, location: UInt64? = nil,
        fault: VerificationFault.Kind = .directory
    ) {
        self.init(
            ids: tile.hilbertID..<tile.hilbertID + 1, body: body, compression: compression, bytes: bytes,
            location: location, fault: fault)
    }

    /// Creates a run for a damaged part of an archive.
    package init(problem: String, _ fault: VerificationFault.Kind = .directory) {
        self.init(
            ids: 0..<0, body: .failure(TileFailure(.badContent, problem, remedy: .inspectArchive)),
            fault: fault)
    }

    /// Reads a tile of an archive; nil if there is no such tile.
    package init?(_ tile: TileID, of archive: any TileArchive) {
        do throws(TileFailure) {
            guard let bytes = try archive.storedBody(tile) else { return nil }
            self.init(tile, body: .success(bytes), compression: archive.compression)
        } catch {
            self.init(tile, body: .failure(error))
        }
    }

    package var zooms: [(zoom: Int, ids: Range<UInt64>)] { TileRuns.zooms(of: ids) }

    /// Returns the body, decompressed.
    /// - Throws: `TileFailure` if the body can't be read or is damaged.
    package func plain(in file: String) throws(TileFailure) -> [UInt8] {
        let stored = try body.get()
        return try TileBody.unwrapped(stored, first?.description ?? "", in: file, compression)
    }
}

/// The bytes that a walk may read. Damaged directories may let bodies overlap, so that all of them together
/// have far more bytes than the file.
struct BodyBudget {
    private var locations: Set<UInt64> = []
    private var bytesLeft: UInt64

    /// - Parameter bytes: The number of stored bytes.
    init(bytes: UInt64) { bytesLeft = bytes &* 2 }

    /// - Throws: `TileFailure` if the distinct bodies have more than twice the stored bytes.
    mutating func take(
        _ length: UInt64, at location: UInt64, _ tile: @autoclosure () -> String
    ) throws(TileFailure) {
        guard locations.insert(location).inserted else { return }
        guard length <= bytesLeft else {
            throw TileFailure(.badContent, "the bodies overlap; that of \(tile()) was not checked")
        }
        bytesLeft -= length
    }
}
