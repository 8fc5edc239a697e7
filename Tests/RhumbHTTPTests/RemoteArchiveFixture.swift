@testable import Rhumb
import RhumbCore
import RhumbEngine
import RhumbHTTP
import RhumbStore
import RhumbTestSupport
import Synchronization

/// An archive on a loopback server, which tests may replace, and a store of answers.
struct RemoteArchiveFixture {
    /// What the server has.
    final class Disk: Sendable {
        struct Content {
            var bytes: [UInt8]
            var etag: String?
            var lifetime: String? = "max-age=60"
        }
        private let content: Mutex<Content>

        init(_ bytes: [UInt8]) { content = Mutex(Content(bytes: bytes, etag: "\"1\"")) }

        var now: Content { content.withLock { $0 } }

        func change(_ change: (inout Content) -> Void) { content.withLock { change(&$0) } }
    }

    let disk: Disk
    let http: HTTPFixture
    let store = MemoryStore()

    /// - Parameter change: what the server does otherwise than it should.
    init(
        _ fixture: PMTilesFixture,
        _ change: @escaping @Sendable (LoopbackRequest, inout LoopbackReply) -> Void = { _, _ in }
    ) throws {
        let disk = Disk(fixture.bytes)
        self.disk = disk
        http = try HTTPFixture(clock: .machine) { request in
            var reply = RemoteArchiveFixture.reply(request, disk.now)
            change(request, &reply)
            return reply
        }
    }

    private static func reply(_ request: LoopbackRequest, _ content: Disk.Content) -> LoopbackReply {
        var headers: [(name: String, value: String)] = []
        if let etag = content.etag { headers.append(("ETag", etag)) }
        if let lifetime = content.lifetime { headers.append(("Cache-Control", lifetime)) }
        if let etag = content.etag, request.header("If-None-Match") == etag {
            return LoopbackReply(304).with { $0.headers = headers }
        }
        let ends = (request.header("Range") ?? "").dropFirst(6).split(separator: "-").compactMap { Int($0) }
        guard ends.count == 2, ends[0] < content.bytes.count else { return LoopbackReply(416) }
        let last = min(ends[1], content.bytes.count - 1)
        headers.append(("Content-Range", "bytes \(ends[0])-\(last)/\(content.bytes.count)"))
        return LoopbackReply(206, Array(content.bytes[ends[0]...last])).with { $0.headers = headers }
    }

    var resource: WebResource {
        WebResource(document: HTTPAddress(http.server.url("/maps/town.pmtiles?key=MARKER")))
    }

    /// Opens the archive so many seconds from now, on a date that then stands still.
    func open(
        after seconds: Int64 = 0, prefersStored: Bool = false, onChange: (@Sendable () -> Void)? = nil
    ) async throws -> RemotePMTiles {
        let date = UnixSeconds.now.adding(seconds)
        return try await RemotePMTiles.open(
            resource, loader: DocumentLoader(http.client, store: store) { date }, probe: imageProbe,
            prefersStored: prefersStored, onChange: onChange)
    }

    /// The ranges that were asked for.
    var ranges: [String] { http.server.record.requests.map { $0.header("Range") ?? "all" } }
}

extension RemotePMTiles {
    /// What the engine gets when it asks for a tile.
    func answer(_ tile: TileID) async -> Result<TileAnswer, TileFailure> {
        do throws(TileFailure) {
            return .success(try await body(of: tile).map { .bitmap(.encoded($0)) } ?? .absent)
        } catch {
            return .failure(error)
        }
    }
}
