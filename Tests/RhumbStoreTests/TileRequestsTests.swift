import RhumbCore
@testable import RhumbStore
import Testing

struct TileRequestsTests {
    private func requests(_ text: String) throws -> TileRequests { try TileRequests(Array(text.utf8)) }

    private func count(_ requests: TileRequests, _ zoom: Int, _ x: Int, _ y: Int) throws -> Int {
        let id = try #require(TileID(zoom: zoom, x: x, y: y)).hilbertID
        return requests.requests(for: id..<id + 1)
    }

    @Test(arguments: [
        "z\tx\ty\tloads\n0\t0\t0\t5\n2\t3\t1\t7\n", "2/3/1 7\n0/0/0 5", "0,0,0,2\r\n2,3,1,7\r\n0,0,0,3\r\n",
    ]) func `columns have any separator, and lines of one tile are added`(text: String) throws {
        for bytes in [Array(text.utf8), Gzip.packed(Array(text.utf8))] {
            let requests = try TileRequests(bytes)
            #expect(try requests.total == 12 && count(requests, 0, 0, 0) == 5)
            #expect(try count(requests, 2, 3, 1) == 7 && count(requests, 2, 1, 3) == 0)
            #expect(requests.requests(for: 0..<100) == 12)
        }
    }

    @Test(arguments: ["0/0/0 1\n1/5/0 2", "0 0 0 1\n3 1 1", "0 0 0 1\n1 1 1 -4", "0 0 0 1\n1 1 1 4 x"])
    func `an invalid line is named`(text: String) {
        #expect(
            throws: TileRequests.Failure(line: 2, description: "line 2 is not zoom, column, row and requests")
        ) {
            try requests(text)
        }
    }

    @Test func `damaged gzip data is an error`() {
        #expect(throws: TileRequests.Failure.self) { try TileRequests([0x1F, 0x8B, 8, 0, 1, 2]) }
    }
}
