import RhumbCore
import Testing

struct HTTPDateTests {
    static let now = UnixSeconds(1_790_000_000)  // 2026-09-21

    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777),
            ("sun, 06 nov 1994 08:49:37 gmt", 784_111_777),
            ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Sun Nov  6 08:49:37 1994", 784_111_777),
            ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Thu, 29 Feb 2024 23:59:60 GMT", 1_709_251_200),
            ("Wed, 31 Dec 1969 23:59:59 GMT", -1),
            ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
        ] as [(String, Int64)])
    func `every form of a date is read`(text: String, seconds: Int64) {
        #expect(HTTPDate.parse(text, now: Self.now) == UnixSeconds(seconds))
    }

    @Test(arguments: [("76", 2076), ("77", 1977), ("00", 2000), ("99", 1999), ("26", 2026)])
    func `a two-digit year more than fifty years ahead is in the past`(year: String, full: Int) {
        let read = HTTPDate.parse("Sunday, 06-Nov-\(year) 08:49:37 GMT", now: Self.now)
        let text = read.map(HTTPDate.text) ?? ""
        #expect(text.contains(" \(full) "), "\(text)")
    }

    @Test(arguments: [
        "", "0", "-1", "now", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET",
        "Sun, 31 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 25:49:37 GMT", "Sun, 06 Nov 94 08:49:37 GMT",
        "Sun, 06 Nov 99999999999999999999 08:49:37 GMT", "Thu, 29 Feb 2023 00:00:00 GMT",
        "Sun, 06 Nov 1994 8 GMT", "Sun Nov 6 1994 08:49:37", "Mon, ٠6 Nov 1994 08:49:37 GMT",
    ])
    func `a text that is not a date is not read`(text: String) {
        #expect(HTTPDate.parse(text, now: Self.now) == nil)
    }

    @Test func `writing and reading a date returns the same time`() {
        for seconds in stride(from: Int64(-62_135_596_800), through: 253_402_300_799, by: 86_400 * 997 + 3661)
        {
            let text = HTTPDate.text(of: UnixSeconds(seconds))
            #expect(HTTPDate.parse(text, now: Self.now) == UnixSeconds(seconds), "\(text)")
        }
    }

    @Test func `the standard's example is written as in the standard`() {
        #expect(HTTPDate.text(of: UnixSeconds(784_111_777)) == "Sun, 06 Nov 1994 08:49:37 GMT")
    }

    @Test func `sums and differences of times are clamped`() {
        #expect(UnixSeconds(.max).adding(1) == UnixSeconds(.max))
        #expect(UnixSeconds(.min).adding(-1) == UnixSeconds(.min))
        #expect(UnixSeconds(.max).seconds(since: UnixSeconds(-5)) == .max)
        #expect(UnixSeconds(.min).seconds(since: UnixSeconds(5)) == .min)
    }

    @Test(arguments: [
        (0, "1970-01-01T00:00:00Z"), (1_795_500_309, "2026-11-24T06:05:09Z"), (-1, "1969-12-31T23:59:59Z"),
        (Int64.max, "9999-12-31T23:59:59Z"),
    ])
    func `a time is written in ISO 8601`(seconds: Int64, text: String) {
        #expect(UnixSeconds(seconds).iso8601 == text)
    }
}
