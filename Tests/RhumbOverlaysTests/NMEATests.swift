@testable import RhumbOverlays
import RhumbCore
import RhumbTestSupport
import Testing

/// Tests logs of NMEA 0183 with any talker and any combination of sentences.
struct NMEATests {
    private static func sentence(_ body: String) -> String {
        let sum = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
        return "$\(body)*\(sum.count < 2 ? "0" : "")\(sum)\r\n"
    }

    /// Positions 0.1 minutes apart, at 10:00:00 and the following seconds.
    private static func log(
        _ seconds: Range<Int>, _ bodies: (_ clock: String, _ place: String) -> [String]
    ) -> String {
        seconds.map { second in
            let place = "4343.\(second)000,N,00725.\(second)000,E"
            return bodies("10000\(second).00", place).map(sentence).joined()
        }.joined()
    }

    private func track(_ text: String) throws -> OverlayPath {
        let read = ReadFeatures(text)
        #expect(read.faults == [])
        return try #require(read.features.first?.paths.first)
    }

    @Test(arguments: ["GP", "GN", "GL", "GA", "GB", "BD", "QZ", "II", "IN", "HC"])
    func `each kind of sentence is a track of its own, with any talker`(talker: String) throws {
        let gga = try track(
            Self.log(0..<5) { ["\(talker)GGA,\($0),\($1),1,08,1.0,1\($0.dropFirst(5).first!),M,0.0,M,,"] })
        #expect(gga.points.count == 5 && gga.heights == [10, 11, 12, 13, 14] && gga.times.isEmpty)
        let gll = try track(Self.log(0..<5) { ["\(talker)GLL,\($1),\($0),A,A"] })
        #expect(
            gll.points.count == 5 && gll.heights.isEmpty
                && gll.coordinate(4).isNear(43 + 43.4 / 60, 7 + 25.4 / 60))
        let gns = try track(
            Self.log(0..<5) {
                ["\(talker)ZDA,\($0),01,05,2024,00,00", "\(talker)GNS,\($0),\($1),AN,12,0.8,10,45.0,,"]
            })
        #expect(
            gns.heights == [10, 10, 10, 10, 10] && gns.times == (0..<5).map { 1_714_557_600 + Double($0) })
        let rmc = try track(Self.log(0..<5) { ["\(talker)RMC,\($0),A,\($1),0.0,0.0,010524,,,A"] })
        #expect(rmc.points.count == 5 && rmc.times.first == 1_714_557_600)
    }

    @Test func `old receivers send GLL without a time and a status`() throws {
        #expect(try track(Self.log(0..<3) { ["GPGLL,\($1)"] }).points.count == 3)
    }

    @Test(arguments: [[0, 1, 2, 3], [3, 2, 1, 0], [1, 0, 3, 2], [2, 0, 3, 1]])
    func `sentences of the same clock time are one fix in any order`(order: [Int]) throws {
        let path = try track(
            Self.log(0..<5) { clock, place in
                let bodies = [
                    "GPRMC,\(clock),A,\(place),0.0,0.0,010124,,,A",
                    "GPGGA,\(clock.prefix(6)),\(place),1,08,1.0,1\(clock.dropFirst(5).first!)0,M,0.0,M,,",
                    "GPGLL,\(place),\(clock),A,A", "GPGSA,A,3,,,,,,,,,,,,,2.1,1.1,1.8",
                ]
                return order.map { bodies[$0] }
            })
        #expect(path.heights == [100, 110, 120, 130, 140])
        #expect(path.times == (0..<5).map { 1_704_103_200 + Double($0) })
    }

    @Test func `positions before the first date have it too, also before midnight`() throws {
        func gga(_ clock: String) -> String { "GPGGA,\(clock),4343.0,N,00725.0,E,1,08,1.0,9,M,0.0,M,," }
        let clocks = ["220000", "235959", "000001", "230000", "010000"]
        let text = clocks.map { Self.sentence(gga($0)) }.joined()
        let rmc = Self.sentence("GPRMC,020000,A,4343.0,N,00725.0,E,0.0,0.0,120324,,,A")
        let hours = [-28.0, -26 - 1.0 / 3600, -26 + 1.0 / 3600, -3, -1, 0]
        let path = try track(text + rmc)
        for (time, hour) in zip(path.times, hours) {
            #expect(abs(time - (1_710_208_800 + hour * 3600)) < 1, "\(hour)")
        }
        #expect(path.times.count == 6)
        // Afterwards, the date continues.
        #expect(
            try track(rmc + Self.sentence(gga("003000"))).times == [
                1_710_208_800, 1_710_208_800 + 22.5 * 3600,
            ])
    }

    @Test func `positions without a fix are left out, and a log of them says so`() {
        let void = [
            "GPRMC,100000,V,,,,,,,010124,,,N", "GPGGA,100001,,,,,0,00,,,M,,M,,",
            "GPGGA,100002,4343.0,N,00725.0,E,0,0,,9,M,,M,,",
            "GNGNS,100003,4343.0,N,00725.0,E,NN,0,,,,,", "GPGLL,4343.0,N,00725.0,E,100004,V,N",
            "GPZDA,100005,01,01,2024,00,00",
        ].map(Self.sentence).joined()
        let read = ReadFeatures(void)
        #expect(
            read.features.isEmpty && read.faults.count == 1 && read.faults[0].contains("no fix"),
            "\(read.faults)")
    }

    @Test(arguments: [
        "GPRMC,100000,A,,,,,0.0,0.0,010124,,,A", "GPGGA,100000,4343.0,,00725.0,E,1,08,1,9,M,0,M,,",
        "GPGLL,4375.0,N,00725.0,E,100000,A", "GPGGA,100000,9943.0,N,00725.0,E,1,08,1,9,M,0,M,,",
        "GPWPL,,N,00725.0,E,HOME", "GPRMC,100000,A,9100.0,N,00725.0,E,0.0,0.0,010124,,,A",
        "GNGNS,100000,4343.0,N,00725.0,X,AA",
    ])
    func `sentences without a whole position are counted`(body: String) {
        let isMissing = ["A,,,", "WPL,,"].contains(where: body.contains)
        let reason = isMissing ? "sentence without a position" : "sentence with an invalid position"
        #expect(ReadFeatures(Self.sentence(body)).faults.contains { $0.contains(reason) })
    }

    @Test func `waypoints are points with names, beside a track`() {
        let text = Self.log(0..<3) { ["GPRMC,\($0),A,\($1),0.0,0.0,010124,,,A"] }
        let read = ReadFeatures(Self.sentence("IIWPL,3558.322,N,08708.082,W,GCEBB") + text)
        #expect(read.names.first == "GCEBB" && read.features.map(\.kind) == [.point, .line])
        #expect(read.places[0].isNear(35.9720333333, -87.1347))
    }

    @Test func `a clock that stands still joins no positions`() throws {
        #expect(try track(Self.log(0..<4) { ["GPRMC,000000,A,\($1),0.0,0.0,,,,A"] }).points.count == 4)
    }

    @Test func `a live fix has its height at once, and a later speed`() {
        var reader = FeatureReader(isLive: true)
        func fixes(_ bodies: String...) -> [PositionFix] {
            reader.read(Array(bodies.map(Self.sentence).joined().utf8))
            return reader.takeFixes()
        }
        let first = fixes(
            "GPRMC,100000,A,4343.0,N,00725.0,E,,,010124,,,A",
            "GPGGA,100000,4343.0,N,00725.0,E,1,8,1,55,M,0,M,,")
        #expect(first.map(\.height) == [55] && first.map(\.time) == [1_704_103_200])
        #expect(fixes("GPVTG,90.0,T,,M,10.0,N,18.5,K,A").map { $0.heading } == [90])
        #expect(fixes("GPGSV,1,1,00").isEmpty)
        #expect(fixes("GPRMC,100001,V,,,,,,,010124,,,N").map { $0.place == nil } == [true])
    }

    @Test(arguments: [false, true])
    func `a log in UTF-16 is read`(isBigEndian: Bool) {
        let text = Self.log(0..<3) { ["GPRMC,\($0),A,\($1),0.0,0.0,010124,,,A"] }
        for mark in ["\u{FEFF}", ""] {
            let bytes = Array((mark + text).utf16).flatMap { unit in
                let bytes = [UInt8(unit >> 8), UInt8(unit & 255)]
                return isBigEndian ? bytes : bytes.reversed()
            }
            for pieces in [1, 7, .max] {
                #expect(ReadFeatures(bytes, pieces: pieces).features.first?.paths.first?.points.count == 3)
            }
        }
    }

    @Test(arguments: ["$IIRMC,1", "$BDGGA,1", "$PUBX,40", "$GPRMC,1", "\u{FEFF}$GNGNS,"])
    func `a file that begins with a sentence is recognised without an extension`(head: String) {
        #expect(FeatureReader.mayHold(Array((head + "\r\n").utf8), isNamedJSON: false) == true)
        #expect(FeatureReader.mayHold(Array("$5 for two\n".utf8), isNamedJSON: false) == false)
    }

    @Test(
        arguments: [Array("$GP*00\n".utf8), Array("$GPRMC*00\n".utf8), [0xB5, 0x62, 0x01, 0, 0x0A]]
            as [[UInt8]])
    func `a log is recognised behind damaged sentences and binary messages`(start: [UInt8]) {
        let body = "IIRMC,1", sum = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
        let sentence = "$\(body)*\(sum.count < 2 ? "0" : "")\(sum)\n"
        #expect(FeatureReader.mayHold(start + Array(sentence.utf8), isNamedJSON: false) == true)
        #expect(FeatureReader.mayHold(start, isNamedJSON: false) == false)
    }

    @Test(arguments: [
        ("NMEA,", ",1714557600000"), ("2024-05-01T10:00:00.123Z ", ""), ("1714557600.5,", " x"),
        ("<14>May  1 10:00:00 boat gps: ", ""), ("[10:00:00.123] ", ""), ("[1714557600] [gps] ", " [end]"),
        ("{10:00} ", ""), ("(1714557600.123456) can0 ", ""), ("> ", ""), ("10:00:00\t", ""),
    ])
    func `a sentence may be within a line of a log`(prefix: String, suffix: String) throws {
        let lines = Self.log(0..<3) { ["GPRMC,\($0),A,\($1),0.0,0.0,010524,,,A"] }.split(separator: "\r\n")
        let text = lines.map { prefix + $0 + suffix + "\n" }.joined(), path = try track(text)
        #expect(FeatureReader.mayHold(Array(text.utf8), isNamedJSON: false) == true)
        #expect(path.points.count == 3 && path.times.first == 1_714_557_600)
        // Not one with a wrong checksum.
        #expect(ReadFeatures(prefix + lines[0].dropLast(2) + "00" + suffix + "\n").features.isEmpty)
    }

    @Test func `a log with all sentences of one type before those of another has each position once`() throws
    {
        let rmc = Self.log(0..<5) { ["GPRMC,\($0),A,\($1),0.0,0.0,010524,,,A"] }
        let gga = Self.log(0..<5) { ["GPGGA,\($0),\($1),1,08,1.0,10,M,0.0,M,,"] }
        let path = try track(gga + rmc)
        #expect(path.points.count == 5 && path.heights == [10, 10, 10, 10, 10])
        #expect(path.times == (0..<5).map { 1_714_557_600 + Double($0) })
        let other = try track(rmc + gga)
        #expect(other.points == path.points && other.heights == path.heights && other.times == path.times)
    }

    @Test func `a log of hours with all sentences of one type before those of another has heights`() throws {
        func log(_ body: (_ clock: String) -> String) -> String {
            ["220000", "230500", "001000", "013000"].map { Self.sentence(body($0)) }.joined()
        }
        let rmc = log { "GPRMC,\($0),A,4343.0,N,00725.0,E,1.0,0.0,\($0 < "2" ? "02" : "01")0524,,,A" }
        let gga = log { "GPGGA,\($0),4343.0,N,00725.0,E,1,08,1.0,10,M,0.0,M,," }
        let path = try track(rmc + gga)
        #expect(path.heights == [10, 10, 10, 10])
        #expect(path.times.map { $0 - path.times[0] } == [0, 3900, 7800, 12600])
    }

    @Test func `sentences in JSON are no log`() {
        let sentence = Self.sentence("GPRMC,1").dropLast(2)
        let text = "[\n{\"raw\": \"\(sentence)\", \"lat\": 1, \"lon\": 2},\n]\n"
        #expect(FeatureReader.mayHold(Array(text.utf8), isNamedJSON: true) != true)
    }

    @Test func `heights may be in feet`() throws {
        let path = try track(Self.log(0..<2) { ["GPGGA,\($0),\($1),1,08,1.0,1000,f,0.0,M,,"] })
        #expect(path.heights.allSatisfy { abs($0 - 304.8) < 0.01 })
    }

    @Test(arguments: [
        "GPRMC,100000.00,V,,,,,,,010524,,,N", "GPGGA,100000.00,,,,,0,00,,,M,,M,,", "GPGLL,,,,,100000.00,V,N",
    ])
    func `a log without a fix is reported as one, and not as sentences that aren't read`(body: String) {
        let read = ReadFeatures(Self.sentence(body))
        #expect(read.faults.contains { $0.contains("no fix") }, "\(read.faults)")
        #expect(read.features.isEmpty)
        #expect(ReadFeatures(Self.sentence("GPGSV,1,1,00")).faults.contains { $0.contains("no position") })
    }

    @Test(arguments: ["$TIME,10:00:00 ", "! 10:00:00 ", "$GPRMC,1000", "2024-05-01T10:00:00Z ", "gps> "])
    func `a sentence is read behind any text of a log`(prefix: String) throws {
        let lines = (0..<3).map { second in
            prefix + Self.log(second..<second + 1) { ["GPGGA,\($0),\($1),1,08,1.0,10,M,0.0,M,,"] }
        }
        #expect(try track(lines.joined()).points.count == 3, "\(lines)")
    }
}
