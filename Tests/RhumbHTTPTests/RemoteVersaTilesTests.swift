import Rhumb
import RhumbCore
import RhumbEngine
import RhumbHTTP
@testable import RhumbOpening
import RhumbStore
import RhumbTestSupport
import Testing

/// Tests VersaTiles containers on servers.
@Suite(.enabled(if: Compression.brotli.missingPackage == nil, "libbrotli is missing"))
struct RemoteVersaTilesTests {
    private static let tile = TileID(zoom: 3, x: 5, y: 2)!
    private let disk = RemoteArchiveFixture.Disk(Self.container(side: 8))
    private let store = MemoryStore()
    private let http: HTTPFixture

    init() throws {
        http = try HTTPFixture { [disk] in .part(of: disk.now.bytes, $0, etag: disk.now.etag) }
    }

    /// Returns a container whose tiles are larger than the first bytes of the file.
    private static func container(side: Int) -> [UInt8] {
        let end = [UInt8](repeating: 7, count: 500)
        return VersaTilesFixture(TileID.pyramid(0...3).map { ($0, fakePicture($0, side: side) + end) }).bytes
    }

    private func open() async throws -> RemoteArchive {
        try await RemoteArchive.open(
            WebResource(document: HTTPAddress(http.server.url("/town.versatiles"))),
            loader: DocumentLoader(http.client, store: store))
    }

    @Test func `a container that is replaced while open shows the tiles of the new one`() async throws {
        let archive = try await open()
        disk.change { ($0.bytes, $0.etag) = (Self.container(side: 9), "\"2\"") }
        #expect(try await archive.body(of: Self.tile)?.starts(with: fakePicture(Self.tile, side: 9)) == true)
    }

    @Test func `shown tiles of a container are shown without its server`() async throws {
        let body = try await open().body(of: Self.tile)
        http.server.stop()
        let offline = try await RemoteArchive.open(
            WebResource(document: HTTPAddress(http.server.url("/town.versatiles"))),
            loader: DocumentLoader(http.client, store: store), prefersStored: true)
        #expect(try await offline.body(of: Self.tile) == body)
    }
}
