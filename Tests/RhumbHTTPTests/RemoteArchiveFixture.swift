import Rhumb
import RhumbCore
import RhumbEngine
import RhumbHTTP
@testable import RhumbOpening
import RhumbStore
import RhumbTestSupport
import Synchronization

/// An archive on a loopback server, which tests may replace, and a response store.
struct RemoteArchiveFixture {
    /// The content of the server.
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

    /// - Parameters:
    ///   - change: Changes the server's replies.
    ///   - onProblem: Receives problems of the server.
    init(
        _ fixture: PMTilesFixture,
        _ change: @escaping @Sendable (LoopbackRequest, inout LoopbackReply) -> Void = { _, _ in },
        onProblem: (@Sendable (ServerProblem) -> Void)? = nil
    ) throws {
        let disk = Disk(fixture.bytes)
        self.disk = disk
        http = try HTTPFixture({ $0.onServerProblem = onProblem }, clock: .machine) { request in
            let content = disk.now
            var reply = LoopbackReply.part(
                of: content.bytes, request, etag: content.etag, control: content.lifetime)
            change(request, &reply)
            return reply
        }
    }

    var resource: WebResource {
        WebResource(document: HTTPAddress(http.server.url("/maps/town.pmtiles?key=MARKER")))
    }

    /// Opens the archive a number of seconds from now. The date then stops.
    func open(
        after seconds: Int64 = 0, prefersStored: Bool = false, onChange: (@Sendable () -> Void)? = nil
    ) async throws -> RemoteArchive {
        let date = UnixSeconds.now.adding(seconds)
        return try await RemoteArchive.open(
            resource, loader: DocumentLoader(http.client, store: store) { date }, probe: imageProbe,
            prefersStored: prefersStored, onChange: onChange)
    }

    /// The requested ranges.
    var ranges: [String] { http.server.record.requests.map { $0.header("Range") ?? "all" } }
}

extension RemoteArchive {
    /// Returns the engine's response to a request for a tile.
    func answer(_ tile: TileID) async -> Result<TileAnswer, TileFailure> {
        do throws(TileFailure) {
            return .success(try await body(of: tile).map { .bitmap(.encoded($0)) } ?? .absent)
        } catch {
            return .failure(error)
        }
    }
}
