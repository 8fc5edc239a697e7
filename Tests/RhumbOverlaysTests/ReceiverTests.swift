@testable import RhumbOverlays
import RhumbCore
import RhumbTestSupport
import Testing

struct ReceiverTests {
    private static func sentence(_ body: String) -> String {
        let sum = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
        return "$\(body)*\(sum.count < 2 ? "0" : "")\(sum)"
    }

    static let sentences =
        [
            sentence("GPGGA,123519,4807.038,N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,"),
            sentence("GPRMC,123519,A,4807.038,N,01131.000,E,022.4,084.4,230394,003.1,W"),
            sentence("GPRMC,123520,V,,,,,,,230394,,"),
            "$GPRMC,123521,A,4807.100,N,01131.100,E,022.4,084.4,230394,003.1,W*00",
            sentence("GPRMC,123522,A,4807.200,N,01131.200,W,022.4,084.4,230394,003.1,W"),
        ].joined(separator: "\r\n") + "\r\n"

    @Test
    func `NMEA contains positions with speed, heading, height and time, and a wrong checksum is counted`()
        throws
    {
        var reader = FeatureReader(isLive: true)
        reader.read(Array(Self.sentences.utf8))
        let fixes = reader.takeFixes()
        #expect(fixes.map { $0.place == nil } == [false, true, false])
        #expect(try #require(fixes[0].place).isNear(48.1173, 11.516666666))
        #expect(fixes[0].height == 545.4)
        #expect(fixes[0].heading == 84.4)
        #expect(abs((fixes[0].speed ?? 0) - 11.5235) < 0.001)
        #expect(fixes[0].time == 764_426_119)
        #expect(reader.faults.first.map { "\($0)" } == ["line 4: sentence with a wrong checksum"])
    }

    @Test(arguments: ["1e308", "9.3e18", "-3.5e38"])
    func `an impossible course of a receiver counts as unknown`(number: String) {
        var reader = FeatureReader(isLive: true)
        reader.read(
            Array(
                #"{"class":"TPV","mode":3,"lat":60.1,"lon":22.2,"track":\#(number),"speed":3.0,"altMSL":\#(number)}"#
                    .utf8 + [10]))
        #expect(reader.takeFixes().map { [$0.heading, $0.height] } == [[nil, nil]])
    }

    @Test func `a log of NMEA is a track`() {
        let read = ReadFeatures(Self.sentences)
        #expect(read.features.map(\.kind) == [.line])
        #expect(read.features[0].paths[0].points.count == 2)
    }

    @Test func `gpsd sends positions and ships, and other messages are ignored`() throws {
        var reader = FeatureReader(isLive: true)
        reader.read(
            Array(
                """
                {"class":"VERSION","release":"3.22","proto_major":3}
                {"class":"TPV","mode":1,"time":"2024-05-01T12:00:00Z"}
                {"class":"TPV","mode":3,"lat":60.1,"lon":22.2,"track":45.0,"speed":3.0,"eph":4.5,"altMSL":12.0}
                {"class":"AIS","type":5,"mmsi":230000001,"shipname":"AURORA\u{1B}"}
                {"class":"AIS","type":1,"mmsi":230000001,"lon":22.0,"lat":60.0,"speed":12.3,"course":90.0,"heading":511}
                {"class":"SKY"}
                nonsense of a server that is none
                {"class":"ERROR","message":"no"}

                """.utf8))
        let fixes = reader.takeFixes(), ships = reader.takeFeatures()
        #expect(fixes.count == 2)
        #expect(fixes[0].place == nil)
        #expect(
            fixes[1]
                == PositionFix(
                    place: Coordinate(latitude: 60.1, longitude: 22.2), accuracy: 4.5, heading: 45, speed: 3,
                    height: 12))
        #expect(ships.map(\.id) == ["mmsi 230000001"])
        #expect(ships.map(\.name) == ["AURORA"])
        #expect(ships[0].heading == 90)
        #expect(reader.faults.count == 2)
    }

    @Test func `aircraft are combined from several messages`() {
        let read = ReadFeatures(
            """
            MSG,1,1,1,4CA2D6,1,2024/05/01,12:00:00.000,2024/05/01,12:00:00.000,FIN123,,,,,,,,,,,0
            MSG,4,1,1,4CA2D6,1,2024/05/01,12:00:00.000,2024/05/01,12:00:00.000,,,420,180,,,,,,,,0
            MSG,3,1,1,4CA2D6,1,2024/05/01,12:00:00.000,2024/05/01,12:00:00.000,,37000,,,60.1,22.2,,,,,,0

            """)
        #expect(read.names == ["FIN123"])
        #expect(read.features[0].heading == 180)
        #expect(read.features[0].attributes["height"] == "37000 ft")
    }

    /// Returns a FIT file of two records, with a header, definitions and checksum.
    static func fit(damaged: Bool = false) -> [UInt8] {
        func word(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        func degrees(_ value: Double) -> [UInt8] {
            word(UInt32(bitPattern: Int32(value * 2_147_483_648 / 180)))
        }
        var body: [UInt8] = [0x40, 0, 0, 20, 0, 4, 253, 4, 0x86, 0, 4, 0x85, 1, 4, 0x85, 2, 2, 0x84]
        for (at, place) in [(60.0, 22.0), (60.001, 22.0)].enumerated() {
            body +=
                [0] + word(1_000_000_000 + UInt32(at) * 10) + degrees(place.0) + degrees(place.1) + [
                    0xC4, 0x09,
                ]
        }
        var file: [UInt8] = [14, 0x10, 0, 0] + word(UInt32(body.count)) + Array(".FIT".utf8) + [0, 0] + body
        let sum = FITReader.checksum(file)
        file += [UInt8(truncatingIfNeeded: sum), UInt8(truncatingIfNeeded: sum >> 8)]
        if damaged { file[file.count - 4] ^= 1 }
        return file
    }

    @Test func `FIT contains a line with heights and times`() throws {
        let read = ReadFeatures(Self.fit(), pieces: 9)
        #expect(read.reader.format == .fit)
        let path = try #require(read.features.first?.paths.first)
        #expect(path.coordinate(0).isNear(60, 22))
        #expect(path.heights == [0, 0])
        #expect(path.times == [1_631_065_600, 1_631_065_610])
        #expect(read.faults == [])
    }

    /// Returns a FIT file of events of the timer and records on a meridian.
    private static func paused(_ messages: [(second: UInt32, event: UInt8?, latitude: Double)]) -> [UInt8] {
        func word(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) } }
        func degrees(_ value: Double) -> [UInt8] {
            word(UInt32(bitPattern: Int32(value * 2_147_483_648 / 180)))
        }
        var body: [UInt8] = [0x40, 0, 0, 20, 0, 3, 253, 4, 0x86, 0, 4, 0x85, 1, 4, 0x85]
        body += [0x41, 0, 0, 21, 0, 3, 253, 4, 0x86, 0, 1, 0, 1, 1, 0]
        for (second, event, latitude) in messages {
            let time = word(1_000_000_000 + second)
            body += event.map { [1] + time + [0, $0] } ?? [0] + time + degrees(latitude) + degrees(22)
        }
        let file: [UInt8] =
            [14, 0x10, 0, 0] + word(UInt32(body.count)) + Array(".FIT".utf8) + [0, 0] + body
        let sum = FITReader.checksum(file)
        return file + [UInt8(truncatingIfNeeded: sum), UInt8(truncatingIfNeeded: sum >> 8)]
    }

    @Test(arguments: [1, 4, 8, 9] as [UInt8])
    func `a pause of the timer in FIT ends a line, so that it is neither distance nor time`(
        stop: UInt8
    ) throws {
        let read = ReadFeatures(
            Self.paused([
                (0, 0, 0), (0, nil, 60), (10, nil, 60.001), (12, stop, 0), (3600, 0, 0), (3600, nil, 60.1),
                (3610, nil, 60.101),
            ]))
        let paths = try #require(read.features.first?.paths)
        #expect(read.features.count == 1 && read.faults == [])
        #expect(paths.map(\.times) == [[1_631_065_600, 1_631_065_610], [1_631_069_200, 1_631_069_210]])
    }

    @Test func `the timer of FIT that starts again without a stop, or stops at the end, ends no line`() throws
    {
        let read = ReadFeatures(
            Self.paused([(0, nil, 60), (5, 0, 0), (10, nil, 60.001), (12, 4, 0), (13, nil, 60.002)]))
        #expect(read.features.first?.paths.map(\.points.count) == [3])
        let chained = Self.paused([(0, nil, 60), (1, 4, 0)]) + Self.paused([(5, 0, 0), (6, nil, 61)])
        #expect(ReadFeatures(chained).features.map(\.paths.count) == [1, 1])
    }

    @Test func `the parts of a chained FIT file are features, also behind a damaged one`() {
        let chained = ReadFeatures(Self.fit() + Self.fit())
        #expect(chained.features.count == 2 && chained.faults == [])
        let damaged = ReadFeatures(Self.fit(damaged: true) + Self.fit() + [0, 0, 0, 0])
        #expect(damaged.features.count == 2 && damaged.reader.faults.count == 1)
        #expect(
            ReadFeatures(Self.fit() + Array("rest of another file".utf8)).faults[0].contains("are not FIT"))
    }

    @Test func `a FIT file that a device has not finished is read to its end`() {
        var file = Self.fit()
        file.replaceSubrange(4..<8, with: [0, 0, 0, 0])
        for bytes in [file, file.dropLast(2) + []] {
            let read = ReadFeatures(bytes)
            #expect(read.features.first?.paths.first?.points.count == 2)
            #expect(read.faults.count == 1 && read.faults[0].contains("says that it is empty"))
        }
        #expect(ReadFeatures(Array(file.prefix(14))).faults == ["the FIT file has no records"])
    }

    @Test func `a FIT file with a wrong size is read to its checksum or to the next part`() {
        var file = Self.fit()
        file.replaceSubrange(4..<8, with: [0xFF, 0xFF, 0xFF, 0xFF])
        let read = ReadFeatures(file)
        #expect(read.features.first?.paths.first?.points.count == 2)
        #expect(read.faults == ["the header of the FIT file has a wrong size; its records are shown"])
        file.replaceSubrange(4..<8, with: [0, 0, 0, 0])
        let chained = ReadFeatures(file + Self.fit())
        #expect(chained.features.count == 2 && chained.reader.faults.count == 1, "\(chained.faults)")
    }

    /// Returns a FIT file of one message.
    private static func fit(
        _ message: UInt8, _ fields: [(number: UInt8, type: UInt8, bytes: [UInt8])]
    ) -> [UInt8] {
        let definition = fields.flatMap { [$0.number, UInt8($0.bytes.count), $0.type] }
        let body: [UInt8] =
            [0x40, 0, 0, message, 0, UInt8(fields.count)] + definition + [0] + fields.flatMap(\.bytes)
        let header: [UInt8] = [14, 0x10, 0, 0, UInt8(body.count), 0, 0, 0]
        let file: [UInt8] = header + Array(".FIT".utf8) + [0, 0] + body
        let sum = FITReader.checksum(file)
        return file + [UInt8(truncatingIfNeeded: sum), UInt8(truncatingIfNeeded: sum >> 8)]
    }

    @Test func `FIT contains the points and the name of a course, and locations`() {
        // 45 degrees each.
        let quarter: [UInt8] = [0, 0, 0, 0x20]
        let summit = Self.fit(
            32, [(2, 0x85, quarter), (3, 0x85, quarter), (5, 0, [1]), (6, 7, Array("Top\0".utf8))])
        let read = ReadFeatures(summit)
        #expect(read.names == ["Top"] && read.features[0].attributes["type"] == "summit")
        #expect(read.places[0].isNear(45, 45) && read.faults == [])
        let location = Self.fit(29, [(0, 7, Array("Hut\0".utf8)), (1, 0x85, quarter), (2, 0x85, quarter)])
        #expect(ReadFeatures(location).names == ["Hut"])
        #expect(ReadFeatures(Self.fit(31, [(5, 7, Array("Loop".utf8))]) + Self.fit()).features.count == 1)
    }

    @Test func `a FIT file with a wrong checksum is read, and reported as damaged`() {
        let read = ReadFeatures(Self.fit(damaged: true))
        #expect(read.features.count == 1)
        #expect(read.faults == ["the checksum of the FIT file is wrong; it may be damaged"])
    }

    @Test func `a FIT file that is cut at any byte is reported as truncated`() {
        let file = Self.fit()
        for start in [[], file] {
            for length in 12..<file.count {
                let read = ReadFeatures(start + Array(file.prefix(length)))
                #expect(read.faults == ["the FIT file is truncated"], "\(length) bytes")
            }
        }
        for length in 0..<12 { _ = ReadFeatures(Array(file.prefix(length))) }
    }

    @Test func `the value of FIT that means a missing one is unknown in every type`() throws {
        let quarter: [UInt8] = [0, 0, 0, 0x20], missing: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF]
        for (time, height) in [(missing, [0xFF, 0xFF]), (missing, missing)] as [([UInt8], [UInt8])] {
            let record = Self.fit(
                20, [(253, 0x86, time), (0, 0x85, quarter), (1, 0x85, quarter), (2, 0x84, height)])
            let path = try #require(ReadFeatures(record).features.first?.paths.first)
            #expect(path.times.isEmpty && path.heights.isEmpty)
        }
        // A time of 0 is missing in a type whose values begin with 1.
        let zero = Self.fit(20, [(253, 0x8C, [0, 0, 0, 0]), (0, 0x85, quarter), (1, 0x85, quarter)])
        #expect(ReadFeatures(zero).features.first?.paths.first?.times.isEmpty == true)
        let largest: [UInt8] = [0xFF, 0xFF, 0xFF, 0x7F]
        #expect(ReadFeatures(Self.fit(20, [(0, 0x85, quarter), (1, 0x85, largest)])).features.isEmpty)
    }

    @Test func `a FIT file with too small a size is read to its checksum`() {
        var file = Self.fit()
        file[4] -= 14
        let read = ReadFeatures(file)
        #expect(read.features.first?.paths.first?.points.count == 2)
        #expect(read.faults == ["the header of the FIT file has a wrong size; its records are shown"])
        #expect(ReadFeatures(file + Self.fit()).features.count == 2)
    }
}
