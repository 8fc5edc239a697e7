import RhumbCore
import RhumbEngine
@testable import RhumbHTTP
@testable import RhumbOpening
import RhumbStore
import RhumbTestSupport
import Synchronization

/// A PMTiles archive on a web server that is replaced while its tiles are read, over a faulty network.
struct FaultyArchiveScenario {
    /// The versions of an archive.
    private struct Archive {
        /// The tiles of each version, and its file.
        let bodies: [[TileID: [UInt8]]]
        let files: [[UInt8]]
        /// True if only the tiles differ.
        let isTwin: Bool

        static let url = "http://maps.example/town.pmtiles"
        static let tiles = TileID.pyramid(0...2)
        static let count = 6
        /// Archives with the root directory only. Each lacks another tile.
        static let flat = Archive(hasLeaves: false, isTwin: false)
        /// Archives with leaf directories, which are not in the first bytes.
        static let deep = Archive(hasLeaves: true, isTwin: false)
        /// Archives that have the same first bytes, directories and length. Only the tiles differ.
        static let twins = Archive(hasLeaves: true, isTwin: true)

        private init(hasLeaves: Bool, isTwin: Bool) {
            self.isTwin = isTwin
            bodies = (1...Archive.count).map { version in
                let missing = isTwin ? nil : Archive.tiles[version * 5 % Archive.tiles.count]
                return Dictionary(
                    uniqueKeysWithValues: Archive.tiles.filter { $0 != missing }.map { tile in
                        (tile, Archive.body(tile, version, length: isTwin ? 0 : version))
                    })
            }
            files = bodies.map { Archive.bytes($0.map { ($0.key, $0.value) }, hasLeaves: hasLeaves) }
        }

        private static func bytes(_ bodies: [(TileID, [UInt8])], hasLeaves: Bool) -> [UInt8] {
            var fixture = PMTilesFixture(bodies)
            guard hasLeaves else { return fixture.bytes }
            fixture.isPacked = false
            fixture.leafSize = 5
            let name = String(repeating: "x", count: PMTilesIndex.startLength)
            fixture.metadata = Array(#"{"name":"\#(name)"}"#.utf8)
            return fixture.bytes
        }

        /// Returns a tile that repeats its name and its version.
        private static func body(_ tile: TileID, _ version: Int, length: Int) -> [UInt8] {
            let count = 60 + (tile.x * 7 + tile.y * 5 + length * 11) % 40
            return fakePicture(tile)
                + Array(repeating: Array("\(tile) of version \(version), ".utf8), count: count).joined()
        }
    }

    private let clock = ManualClock()
    private let store = MemoryStore()
    private let origin: SimulatedOrigin
    private let transport: FaultyTransport
    private let life: SimulatedOrigin.Life
    private var generator: SplitMix
    private let archives: Archive
    /// The dates at which the client noticed changes since the archive was opened.
    private let changes = ChangeDates()
    /// The times when the versions were published, by the clock without skew.
    private var published = [Duration.zero]
    /// The time of the last fault.
    private var lastFault: Duration?
    /// The dates of the client during all attempts to revalidate the archive.
    private var attempts: [UnixSeconds] = []

    private static let steps = 20
    /// The seconds for which an archive that must always be revalidated is used.
    private static let pause: Int64 = 60

    init(seed: UInt64) {
        generator = SplitMix(seed: seed)
        archives = [.flat, .deep, .twins].randomElement(using: &generator) ?? .flat
        life = [.ages, .noCache, .mustRevalidate].randomElement(using: &generator) ?? .ages
        var rules = SimulatedOrigin.Rules(
            life: { [life] _, _ in life },
            content: { [archives] _, version in archives.files[version - 1] })
        rules.validation = [.strongTag, .weakTag, .date, .both].randomElement(using: &generator) ?? .both
        origin = SimulatedOrigin(rules, clock)
        var plan = FaultyTransport.Plan(seed: generator.next())
        plan.share = 0.3
        plan.limit = Int.random(in: 0...12, using: &generator)
        plan.rangeExceptions = NetworkFault.retriedRanges
        plan.setsClock = Bool.random(using: &generator) && !archives.isTwin
        transport = FaultyTransport(origin, clock, plan)
    }

    mutating func run() async throws {
        var archive: RemoteArchive?
        for step in 0..<Self.steps {
            let count = transport.exchanges.count
            do {
                guard let opened = archive else {
                    archive = try await open()
                    continue
                }
                if try await act(opened) { archive = nil }
                try checkStore()
            } catch {
                let exchanges = transport.exchanges[count...].map { "\n\($0)" }.joined()
                throw Violation(description: "step \(step): \(error) after\(exchanges)")
            }
        }
    }

    /// - Returns: True to open the archive again.
    private mutating func act(_ archive: RemoteArchive) async throws -> Bool {
        switch Int.random(in: 0..<20, using: &generator) {
        case 0..<11: try await read(Archive.tiles.randomElement(using: &generator) ?? .world, archive)
        case 11...13: publish()
        case 14, 15: clock.advance(by: .seconds(Int.random(in: 1...200, using: &generator)))
        case 16: if !archives.isTwin { transport.setClock(using: &generator) }
        case 17: try await readOffline(archive)
        case 18: return true
        default: clock.advance(by: .seconds(Int.random(in: 1000...100_000, using: &generator)))
        }
        return false
    }

    private mutating func publish() {
        guard published.count < Archive.count else { return }
        // Changes without other first bytes or another length are noticed only after ever longer periods.
        if archives.isTwin {
            clock.advance(by: .seconds((FileVersion.period + 1) << (2 * published.count - 2)))
        }
        origin.publish(Archive.url)
        published.append(clock.now)
    }

    /// Opens the archive; nil if the network fails.
    private mutating func open() async throws -> RemoteArchive? {
        let count = transport.exchanges.count, refusals = transport.refusals
        let resource = WebResource(document: HTTPAddress(Archive.url))
        do throws(ArchiveFailure) {
            let archive = try await RemoteArchive.open(
                resource, loader: DocumentLoader(transport, store: store, date: { [clock] in clock.date }),
                probe: imageProbe, prefersStored: Bool.random(using: &generator)
            ) { [changes, clock] in changes.add(clock.date) }
            changes.reset()
            _ = noteFaults(since: count, refusals)
            return archive
        } catch {
            try hold(noteFaults(since: count, refusals), "not opened without a fault: \(error)")
            return nil
        }
    }

    /// - Returns: True if there was a fault since a request.
    private mutating func noteFaults(since count: Int, _ refusals: Int) -> Bool {
        let isFaulty =
            transport.refusals > refusals || transport.exchanges[count...].contains { $0.fault != nil }
        if isFaulty { lastFault = clock.now }
        let exchanges = transport.exchanges[count...]
        if transport.refusals > refusals || exchanges.contains(where: { $0.request.range?.offset == 0 }) {
            attempts += exchanges.flatMap { [$0.sentAt, $0.receivedAt] } + [clock.date]
        }
        return isFaulty
    }

    // MARK: Tiles

    private mutating func read(_ tile: TileID, _ archive: RemoteArchive) async throws {
        let count = transport.exchanges.count, refusals = transport.refusals, before = attempts
        let isDue =
            life == .noCache
            // A clock that was set back says nothing about the time of the last attempt.
            && before.allSatisfy { !(0..<Self.pause).contains(clock.date.seconds(since: $0)) }
        let response: StoredResponse
        do throws(TileFailure) {
            guard let found = try await archive.response(for: tile, urgency: .prefetch) else {
                throw TileFailure(.sourceFailed, "no response")
            }
            response = found
        } catch {
            let isExplained = noteFaults(since: count, refusals) || changes.areMany(at: clock.date)
            return try hold(isExplained, "\(tile) not read without a fault: \(error)")
        }
        let isFaulty = noteFaults(since: count, refusals)
        try hold(!isDue || attempts != before, "\(tile) is used without the due revalidation")
        let versions = Set(versions(of: response.body, tile)).intersection(labelled(response.dataVersion))
        try hold(!versions.isEmpty, "\(tile) of \(response.dataVersion ?? "no version") has another body")
        try checkCurrency(versions, tile)
        guard life == .ages, !isFaulty else { return }
        let again = transport.exchanges.count
        _ = try await archive.response(for: tile, urgency: .prefetch)
        try hold(transport.exchanges.count == again, "\(tile) is requested again")
    }

    /// Checks that a version was current while the archive could be used without revalidation. After a fault
    /// it is used until the next attempt.
    private func checkCurrency(_ versions: Set<Int>, _ tile: TileID) throws {
        let seconds: Int64
        switch life {
        case .noCache: seconds = Self.pause
        case .mustRevalidate: seconds = Self.pause + life.seconds
        default: return
        }
        let earliest = clock.now - .seconds(seconds + 1) - transport.setBack
        if let lastFault, lastFault >= earliest { return }
        let isCurrent = versions.contains { $0 == published.count || published[$0] >= earliest }
        try hold(
            isCurrent,
            "\(tile) is of version \(versions) at \(clock.now), published at \(published), \(life), "
                + "clock set back by \(transport.setBack)")
    }

    /// Reads all stored tiles of the current version without a network.
    private mutating func readOffline(_ archive: RemoteArchive) async throws {
        transport.isOffline = true
        defer { transport.isOffline = false }
        let count = transport.exchanges.count, stored = store.responses
        for tile in Archive.tiles {
            let origin = archive.origin
            guard let known = stored[.tile(origin: origin, tile)] else { continue }
            let response = try? await archive.response(for: tile, urgency: .prefetch)
            // The first read may change to a newer version whose beginning is stored.
            let isShown = response?.body == known.body || archive.origin != origin
            try hold(isShown, "\(tile) is stored, but not shown offline")
        }
        try hold(transport.exchanges.count == count, "a request while offline")
        lastFault = clock.now
        attempts.append(clock.date)
    }

    // MARK: Checks

    /// Checks that everything is stored under its own address, range and version.
    private func checkStore() throws {
        for (key, response) in store.responses {
            switch key {
            case .tile(let origin, let tile):
                let versions = labelled(origin.edition.version).intersection(
                    versions(of: response.body, tile))
                try hold(!versions.isEmpty, "\(tile) of \(origin.edition) is stored with another body")
            case .document(let address):
                let versions = labelled(response.headers.fileVersion)
                let isStored = versions.contains { bytes(address, $0) == response.body }
                try hold(isStored, "\(address) of \(response.headers.fileVersion ?? "no version") is wrong")
            }
        }
    }

    /// Returns the versions that a label stands for: all if the label was a fault of the server.
    private func labelled(_ label: String?) -> Set<Int> {
        let all = Set(1...published.count)
        let known = all.filter { origin.validators(Archive.url, $0).fileVersion == label }
        return known.isEmpty ? all : known
    }

    private func versions(of body: [UInt8]?, _ tile: TileID) -> Set<Int> {
        Set(1...published.count).filter { archives.bodies[$0 - 1][tile] == body }
    }

    /// Returns the bytes of a document that is a range of the archive.
    private func bytes(_ address: String, _ version: Int) -> [UInt8]? {
        let ends = address.split(separator: "=").last?.split(separator: "-").compactMap { Int($0) } ?? []
        guard ends.count == 2, let archive = origin.content(Archive.url, version) else { return nil }
        return Array(archive[min(ends[0], archive.count)..<min(ends[1] + 1, archive.count)])
    }
}

/// The dates at which a client noticed changes of an archive.
private final class ChangeDates: Sendable {
    private let dates = Mutex<(changes: [UnixSeconds], refusal: UnixSeconds?)>(([], nil))

    func add(_ date: UnixSeconds) { dates.withLock { $0.changes.append(date) } }

    func reset() { dates.withLock { $0 = ([], nil) } }

    /// Returns true if the client may refuse to read, because there were two changes in the minute before
    /// this or another refusal, which is at most a minute ago.
    func areMany(at date: UnixSeconds) -> Bool {
        dates.withLock { dates in
            func isRecent(_ other: UnixSeconds) -> Bool { (0..<60).contains(date.seconds(since: other)) }
            if dates.changes.count(where: isRecent) >= 2 {
                dates.refusal = date
                return true
            }
            return dates.refusal.map(isRecent) ?? false
        }
    }
}
