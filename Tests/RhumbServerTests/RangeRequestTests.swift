import Testing

@testable import RhumbServer

struct RangeRequestTests {
    @Test(
        arguments: [
            (nil, .whole), ("bytes=0-9", .part(offset: 0, count: 10)),
            ("bytes=90-", .part(offset: 90, count: 10)),
            ("bytes=-10", .part(offset: 90, count: 10)), ("bytes=-1000", .part(offset: 0, count: 100)),
            ("bytes=99-1000", .part(offset: 99, count: 1)), ("bytes=100-", .unsatisfiable),
            ("bytes=-0", .unsatisfiable), ("bytes=9-0", .whole), ("bytes=-", .whole), ("bytes=a-b", .whole),
            ("bytes=0-1,5-6", .whole), ("items=0-1", .whole), ("bytes=0-1-2", .whole), ("bytes=+1-2", .whole),
            ("bytes=99999999999999999999-", .unsatisfiable),
            ("bytes=0-99999999999999999999", .part(offset: 0, count: 100)),
        ] as [(String?, RangeRequest)])
    func `ranges are read as RFC 9110 states`(field: String?, range: RangeRequest) {
        #expect(RangeRequest(field, size: 100) == range)
    }

    @Test func `an empty file has no ranges`() {
        #expect(RangeRequest("bytes=0-", size: 0) == .unsatisfiable)
        #expect(RangeRequest("bytes=-5", size: 0) == .unsatisfiable)
    }
}
