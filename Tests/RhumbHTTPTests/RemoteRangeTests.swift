import Rhumb
import RhumbCore
import RhumbEngine
@testable import RhumbOpening
import RhumbStore
import RhumbTestSupport
import Testing

/// Tests servers that send other bytes than those of the requested range.
struct RemoteRangeTests {
    private static let deep = TileID(zoom: 4, x: 9, y: 5)!

    @Test(arguments: [false, true])
    func `a server that compresses ranges is named as the cause`(isOpen: Bool) async throws {
        let fixture = try RemoteArchiveFixture(PMTilesFixture(zooms: 0...4)) { request, reply in
            guard !isOpen || request.header("Range") != "bytes=0-16383" else { return }
            reply.headers.append(("Content-Encoding", "gzip"))
        }
        let message: String
        do {
            let archive = try await fixture.open()
            guard case .failure(let failure) = await archive.answer(Self.deep) else {
                Issue.record("a compressed part")
                return
            }
            message = failure.message
        } catch {
            message = "\(error)"
        }
        #expect(message.contains("range requests wrongly: it compressed"))
    }

    @Test func `without validators, another length shows that another file has replaced the archive`()
        async throws
    {
        let fixture = try RemoteArchiveFixture(PMTilesFixture(zooms: 0...4))
        fixture.disk.change { $0.etag = nil }
        let archive = try await fixture.open()
        let new = PMTilesFixture(TileID.pyramid(0...4).map { ($0, fakePicture($0, side: 4)) })
        fixture.disk.change { $0.bytes = new.bytes }
        #expect(try await archive.body(of: Self.deep) == fakePicture(Self.deep, side: 4))
    }
}
