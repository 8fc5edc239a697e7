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

    private func open() async throws -> VersaTilesArchive {
        let resource = WebResource(document: HTTPAddress(http.server.url("/town.versatiles")))
        let file = RemoteFile(resource: resource, loader: DocumentLoader(http.client, store: store))
        let beginning = try await file.start(prefersStored: true, isReload: false)
        return try await BlockingExecutor.run { () throws(ArchiveFailure) in
            try VersaTilesArchive(beginning, of: file, probe: nil)
        }
    }

    /// Returns a tile's body, or the message of the failure.
    private func body(_ archive: VersaTilesArchive) async -> Result<[UInt8]?, TileFailure> {
        await BlockingExecutor.run {
            Result { () throws(TileFailure) in try archive.storedBody(Self.tile) }
        }
    }

    @Test func `a container that is replaced while open is reported, and the next opening reads the new one`()
        async throws
    {
        let archive = try await open()
        disk.change { ($0.bytes, $0.etag) = (Self.container(side: 9), "\"2\"") }
        guard case .failure(let failure) = await body(archive) else {
            Issue.record("a tile of a file that is gone")
            return
        }
        #expect(failure.message.contains("was replaced on its server; open it again"))
        let again = await body(try await open())
        #expect(try again.get()?.starts(with: fakePicture(Self.tile, side: 9)) == true)
    }
}
