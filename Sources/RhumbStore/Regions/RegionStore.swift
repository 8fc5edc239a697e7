internal import Glibc
public import RhumbCore
public import RhumbEngine
internal import Synchronization

/// The durable store of regions and their tiles. Nothing is evicted. Only one process writes at a time, while
/// any number of processes read.
public final class RegionStore: PinnedResponses {
    /// The layout of the store, with application ID "RhuR".
    static let layout = StoreSchema(
        applicationID: 0x5268_7552, version: 4, tables: RegionSchema.self, isDurable: true)

    /// The path of the store.
    public let path: String
    private let room: Mutex<Int?>
    /// The numbers of the regions that this store has claimed.
    let claimed = Mutex<Set<Int>>([])
    let observers = Broadcast<OfflineEvent>()
    private let hasReportedDamage = Mutex(false)
    /// The reasons of failed regions, by number, whose state could not be written.
    let unwrittenFailures = Mutex<[Int: String]>([:])
    private let reader: RegionReader
    private let writer: Mutex<RegionWriter?>
    /// The reason why the store is read-only; nil if it can be written.
    let unwritable: RegionStoreFailure?

    /// Opens the store, creating it if it is missing. A store that can't be written, such as on a full or
    /// read-only disk, is opened for reading.
    /// - Throws: `RegionStoreFailure`. A damaged file is left unchanged.
    public init(
        _ path: String, quota: Int? = nil, lockTimeout: LockTimeout = LockTimeout()
    ) throws(RegionStoreFailure) {
        self.path = path
        room = Mutex(quota)
        let (writer, failure) = try RegionStore.makeWriter(path, lockTimeout)
        reader = try converting(RegionReader(path, isUnwritable: failure != nil, lockTimeout)) {
            (error: RegionStoreFailure) in failure ?? error
        }
        self.writer = Mutex(writer)
        unwritable = failure
    }

    private static func makeWriter(
        _ path: String, _ lockTimeout: LockTimeout
    ) throws(RegionStoreFailure) -> sending (RegionWriter?, RegionStoreFailure?) {
        do {
            return (try RegionWriter(layout.open(path, lockTimeout)), nil)
        } catch {
            let failure = RegionStoreFailure(error, path)
            guard case .store = failure else { throw failure }
            return (nil, failure)
        }
    }

    /// Opens another connection, which reads at the same time as those before.
    /// - Throws: `RegionStoreFailure`
    package func makeReader() throws(RegionStoreFailure) -> RegionReader {
        try RegionReader(path, isUnwritable: unwritable != nil, LockTimeout())
    }

    /// The maximum size on disk in bytes; nil for no limit. Regions are never evicted: a smaller quota only
    /// refuses further tiles, and 0 further regions.
    public var quota: Int? {
        get { room.withLock { $0 } }
        set { room.withLock { $0 = newValue } }
    }

    // MARK: Tiles

    /// Returns the stored response for a key, or the newest one if several regions store a document; nil also
    /// if the store is unreadable. The body of a vector tile may be gzip.
    public func response(for key: ResourceKey) -> StoredResponse? {
        try? read { (table) throws(StoreFailure) in
            if case .document(let address) = key { return try table.newestDocument(address) }
            return try table.response(for: key)?.0
        } ?? nil
    }

    /// Returns the stored responses for tiles of an origin; nil for each that is missing or unreadable.
    package func responses(for tiles: [TileID], of origin: TileOrigin) -> [StoredResponse?] {
        let found = reader.responses(for: tiles[...], of: origin, upTo: .max)
        return found + tiles.dropFirst(found.count).map { response(for: .tile(origin: origin, $0)) }
    }

    /// Returns the shown editions of a source in all regions, the most recently changed region first.
    public func editions(of origin: TileOrigin) -> [TileEdition] {
        (try? read { (table) throws(StoreFailure) in
            let statement = try table.connection.prepare(
                """
                SELECT DISTINCT \(TileOrigin.columns) FROM parts JOIN regions ON number = region
                WHERE stage = 0 AND \(TileOrigin.isEdition) ORDER BY changed DESC
                """, to: "find the editions of a source")
            try statement.bind(origin.sourceValues)
            return try statement.all { TileOrigin(row: $0).edition }
        }) ?? []
    }

    /// Writes tiles and the progress of their region in one transaction.
    /// - Throws: `RegionStoreFailure.quota` if the tiles exceed the quota, or `.lost` if another process has
    ///   taken over the region. Nothing is written then.
    public func commit(_ batch: RegionBatch, at now: UnixSeconds) throws(RegionStoreFailure) {
        if let quota {
            let live = try write { (writer) throws(StoreFailure) in try writer.liveBytes() }
            guard batch.bytes <= quota - min(live, quota) else { throw .quota(bytes: quota) }
        }
        let attempt = "store a region's tiles"
        try write { (writer) throws(StoreFailure) in
            try writer.connection.requireSpace(for: batch.bytes, to: attempt)
        }
        try write(region: batch.region, to: attempt) { (writer) throws(StoreFailure) in
            try writer.commit(batch, at: now)
        }
    }

    /// The size in bytes of the file and its log on disk.
    public var bytesOnDisk: Int { Folder.size(ofDatabase: path) }

    /// Moves the log into the database as far as possible without waiting. Called before the program ends, so
    /// that the file alone has everything.
    package func finish() {
        try? write { (writer) in writer.connection.finish() }
    }

    // MARK: Access

    func read<Result>(
        _ body: (ResponseTable) throws(StoreFailure) -> sending Result
    ) throws(RegionStoreFailure) -> sending Result {
        do throws(RegionStoreFailure) {
            return try reader.read(body)
        } catch {
            reportDamage(error)
            throw error
        }
    }

    private func reportDamage(_ failure: RegionStoreFailure) {
        guard case .damaged = failure else { return }
        let isNews = hasReportedDamage.withLock { isReported in
            defer { isReported = true }
            return !isReported
        }
        if isNews { post(.damaged(failure)) }
    }

    func write<Result>(
        _ body: (RegionWriter) throws(StoreFailure) -> sending Result
    ) throws(RegionStoreFailure) -> sending Result {
        do throws(StoreFailure) {
            let result = try writer.withLock { (writer) throws(StoreFailure) -> Result? in
                guard let writer else { return nil }
                return try body(writer)
            }
            if let result { return result }
        } catch {
            throw RegionStoreFailure(error, path)
        }
        throw unwritable ?? .store(.foreign(path))
    }
}

extension RegionStoreFailure {
    init(_ error: any Error, _ path: String) {
        if let failure = error as? RegionStoreFailure {
            self = failure
        } else if let newer = error as? StoreSchema.Newer {
            self = .newerSchema(file: path, version: newer.version)
        } else if let failure = error as? StoreFailure {
            self = failure.isAboutContent ? .damaged(file: path, reason: failure.reason) : .store(failure)
        } else {
            self = .store(.foreign(path))
        }
    }
}

extension RegionStore {
    /// Replaces a damaged store by one with its readable rows. The damaged file is renamed.
    /// - Returns: The new path of the damaged file, and sentences about the parts that can't be read.
    /// - Throws: `RegionStoreFailure`. The store is unchanged then.
    package static func recover(
        _ path: String, at now: UnixSeconds
    ) throws(RegionStoreFailure) -> (aside: String, faults: [String]) {
        let aside = "\(path).damaged-\(now.value)"
        let faults = try converting(
            layout.recover(path, movingTo: aside).faults, to: RegionStoreFailure.store)
        return (aside, faults)
    }

    /// Enters the packs of a region that are missing.
    /// - Throws: `RegionStoreFailure`
    package func complete(
        _ region: Int, with packs: [(origin: TileOrigin, packs: any Sequence<TilePack>)]
    ) throws(RegionStoreFailure) {
        try write { (writer) throws(StoreFailure) in
            try writer.connection.transaction(to: "complete a region") { () throws(StoreFailure) in
                try writer.set(packs, of: region)
            }
        }
    }
}

/// New editions of a region's sources, which are stored beside the shown ones and then replace them.
extension RegionStore {
    /// Stores the parts and documents of new editions of a region. The shown ones stay; earlier new editions
    /// are dropped.
    /// - Parameters:
    ///   - parts: The new parts; empty if only documents are new.
    ///   - packs: The packs of the parts.
    /// - Throws: `RegionStoreFailure`
    public func stage(
        _ region: RegionRecord, _ parts: [RegionSourceRecord],
        packs: [(origin: TileOrigin, packs: any Sequence<TilePack>)],
        documents: [RegionDocument], at now: UnixSeconds
    ) throws(RegionStoreFailure) {
        try write(region: region.number, to: "start a new edition") { (writer) throws(StoreFailure) in
            try writer.forgetStage(1, of: region.number, keepingGaps: parts == region.coming)
            try writer.set(parts, of: region.number, isComing: true)
            try writer.set(packs, of: region.number)
            try writer.set(documents, of: region.number, isComing: true, at: now)
            try writer.sweepDocuments()
        }
    }

    /// Replaces the shown editions with the new ones in one transaction, and removes tiles that no region
    /// uses any more.
    /// - Parameter isHeld: Returns true for tiles that a region uses after the change; this region is
    ///   included.
    /// - Returns: The changed region.
    /// - Throws: `RegionStoreFailure`
    public func commitComing(
        _ region: RegionRecord, isHeld: @escaping TileClaim
    ) throws(RegionStoreFailure) -> RegionRecord {
        let removal = try write(region: region.number, to: "install a new edition") {
            (writer) throws(StoreFailure) in
            let hasDocuments = try writer.hasDocuments(coming: region.number)
            if hasDocuments { try writer.promote("region_documents", of: region.number) }
            try writer.sweepDocuments()
            guard !region.coming.isEmpty else { return RegionRemoval() }
            for table in ["parts", "gaps"] { try writer.promote(table, of: region.number) }
            return try writer.sweep(writer.packs(of: region.number), isHeld: isHeld)
        }
        if removal.tiles > 0 { try compact() }
        return try self.region(region.id)
    }
}

extension RegionWriter {
    fileprivate func forgetStage(_ stage: Int, of region: Int, keepingGaps: Bool) throws(StoreFailure) {
        for table in ["parts", "region_documents"] + (keepingGaps ? [] : ["gaps"]) {
            try connection.run(
                "DELETE FROM \(table) WHERE region = @region AND stage = @stage",
                ["region": region, "stage": stage])
        }
    }

    fileprivate func hasDocuments(coming region: Int) throws(StoreFailure) -> Bool {
        try connection.integer("SELECT count(*) FROM region_documents WHERE stage = 1 AND region = \(region)")
            > 0
    }

    fileprivate func promote(_ table: String, of region: Int) throws(StoreFailure) {
        try connection.run("DELETE FROM \(table) WHERE region = @region AND stage = 0", ["region": region])
        try connection.run("UPDATE \(table) SET stage = 0 WHERE region = @region", ["region": region])
    }
}

/// Sums of stored tiles by zoom, for plans.
extension RegionStore {
    /// Returns the sizes of a source's stored tiles, by zoom.
    /// - Throws: `RegionStoreFailure`
    public func samples(origin: TileOrigin) throws(RegionStoreFailure) -> [Int: ByteSample] {
        try read { (table) throws(StoreFailure) in try table.samples(origin: origin) }
    }

    /// Returns the number of stored and fresh tiles of a zoom for which `isMeant` is true.
    /// - Throws: `RegionStoreFailure`
    public func freshCount(
        origin: TileOrigin, zoom: Int, at now: UnixSeconds, isMeant: @Sendable (TileID) -> Bool
    ) throws(RegionStoreFailure) -> Int {
        try read { (table) throws(StoreFailure) in try table.freshCount(origin, zoom, now, isMeant) }
    }
}

extension SharedCache {
    /// Returns the number of cached and fresh tiles of a zoom for which `isMeant` is true.
    public func freshTiles(
        origin: TileOrigin, zoom: Int, at now: UnixSeconds, isMeant: @Sendable (TileID) -> Bool
    ) -> Int {
        flush()
        return scan { (table) throws(StoreFailure) in try table.freshCount(origin, zoom, now, isMeant) } ?? 0
    }

    /// Returns the sizes of a source's cached tiles, by zoom.
    public func samples(origin: TileOrigin) -> [Int: ByteSample] {
        scan { (table) throws(StoreFailure) in try table.samples(origin: origin) } ?? [:]
    }
}

extension ResponseTable {
    fileprivate func samples(origin: TileOrigin) throws(StoreFailure) -> [Int: ByteSample] {
        let statement = try connection.prepare(
            """
            SELECT z, count(*), sum(size), sum(1.0 * size * size) FROM entries
            WHERE origin IN (SELECT id FROM origins WHERE kind = 0 AND \(TileOrigin.isEdition))
                AND body IS NOT NULL GROUP BY z
            """, to: "learn the sizes of tiles")
        try statement.bind(origin.sourceValues)
        var samples: [Int: ByteSample] = [:]
        while try statement.step() {
            samples[statement.int(0) ?? 0] = ByteSample(
                count: statement.int(1) ?? 0, sum: statement.double(2) ?? 0,
                sumOfSquares: statement.double(3) ?? 0)
        }
        return samples
    }

    fileprivate func freshCount(
        _ origin: TileOrigin, _ zoom: Int, _ now: UnixSeconds, _ isMeant: (TileID) -> Bool
    ) throws(StoreFailure) -> Int {
        guard let id = try originID(origin) else { return 0 }
        let statement = try connection.prepare(
            "SELECT x, y FROM entries WHERE origin = @origin AND z = @zoom AND \(CacheFilter.isFresh)",
            to: "count fresh tiles")
        try statement.bind(["now": Int(now.value), "origin": id, "zoom": zoom])
        var count = 0
        while try statement.step() {
            guard let tile = TileID(zoom: zoom, x: statement.int(0) ?? -1, y: statement.int(1) ?? -1) else {
                continue
            }
            if isMeant(tile) { count += 1 }
        }
        return count
    }
}
