import RhumbCore
import RhumbEngine
import RhumbHTTP
@testable import RhumbOpening
import RhumbStore
import RhumbTestSupport
import Testing

/// Tests GeoTIFF files on servers that state less than others.
struct GeoTIFFServerTests {
    private let folder = TemporaryFolder()

    @Test func `a file is read from a server that does not state its size`() async throws {
        var fixture = GeoTIFFFixture()
        fixture.side = 512
        fixture.overviews = 2
        let bytes = fixture.bytes
        let http = try HTTPFixture(clock: .machine) { request in
            LoopbackReply.part(of: bytes, request, control: "max-age=60").with { reply in
                reply.headers = reply.headers.map { name, value in
                    let range = value.split(separator: "/").first ?? ""
                    return (name, name == "Content-Range" ? "\(range)/*" : value)
                }
            }
        }
        let resource = WebResource(document: HTTPAddress(http.server.url("/ortho.tif")))
        let file = RemoteFile(resource: resource, loader: DocumentLoader(http.client, store: MemoryStore()))
        let source = try await RemoteArchive.open(
            file, probe: nil, prefersStored: false, isReload: false, definition: nil, onChange: nil)
        let expected = try GeoTIFFArchive(folder.write(bytes, to: "a.tif"), name: "ortho")
        let tiles = [GeoTIFFFixture.tile, try #require(TileID(zoom: 5, x: 17, y: 10))]
        // Archives are read by threads that may block.
        let found = try await BlockingExecutor.run { () throws -> (size: Int?, bodies: [[UInt8]?]) in
            let archive = try source.archive(probe: nil)
            return (archive.remoteSize, try tiles.map { try archive.storedBody($0) })
        }
        #expect(found.size == nil)
        #expect(try found.bodies == tiles.map { try expected.storedBody($0) })
    }
}
