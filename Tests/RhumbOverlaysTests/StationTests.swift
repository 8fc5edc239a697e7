@testable import RhumbOverlays
import RhumbCore
import RhumbTestSupport
import Testing

/// Tests ships in AIS sentences, stations in APRS packets, and encoded lines.
struct StationTests {
    private func ais(_ body: String) -> String {
        let sum = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
        return "!\(body)*\(sum.count < 2 ? "0" : "")\(sum)\n"
    }

    private func near(_ feature: OverlayFeature, _ latitude: Double, _ longitude: Double) -> Bool {
        let place = Mercator.coordinate(feature.middle)
        return abs(place.latitude - latitude) < 1e-5 && abs(place.longitude - longitude) < 1e-5
    }

    // MARK: AIS

    @Test func `a class A ship is at its reported position, with speed, course and heading`() throws {
        let read = ReadFeatures(ais("AIVDM,1,1,,A,15RTgt0PAso;90TKcjM8h6g208CQ,0"))
        let ship = try #require(read.features.first)
        #expect(ship.id == "mmsi 371798000" && ship.name == "371798000")
        #expect(near(ship, 48.381633, -123.395383))
        #expect(ship.heading == 215)
        #expect(ship.attributes["speed"] == "12.3 kn" && ship.attributes["course"] == "224.0°")
        #expect(read.faults == [])
    }

    @Test func `a message in two sentences names the ship of later ones`() throws {
        let parts = [
            ais("AIVDM,2,1,1,A,55?MbV02;H;s<HtKR20EHE:0@T4@Dn2222222216L961O5Gf0NSQEp6ClRp8,0"),
            ais("AIVDM,2,2,1,A,88888888880,2"),
        ]
        // The position of the ship in the previous test, with another id.
        func position(_ id: Int) -> String {
            let bits = SixBits(Array("15RTgt0PAso;90TKcjM8h6g208CQ".utf8))
            var values = (0..<28).map { bits.number($0 * 6, 6) ?? 0 }
            for bit in 0..<30 {
                let at = 8 + bit, mask = 1 << (5 - at % 6)
                values[at / 6] = id >> (29 - bit) & 1 == 1 ? values[at / 6] | mask : values[at / 6] & ~mask
            }
            let letters = values.map { UInt8($0 < 40 ? $0 + 48 : $0 + 56) }
            return ais("AIVDM,1,1,,B,\(String(decoding: letters, as: UTF8.self)),0")
        }
        let read = ReadFeatures(parts.joined() + position(351_759_000))
        #expect(read.names == ["EVER DIADEM"])
        #expect(
            read.features[0].attributes["call sign"] == "3FOF8"
                && read.features[0].attributes["destination"] == "NEW YORK")
        #expect(read.features[0].attributes["ship type"] == "cargo")
        // Parts without the first one, or with the second one twice, are ignored.
        #expect(ReadFeatures(parts[1] + parts[1] + position(351_759_000)).names == ["351759000"])
    }

    @Test func `class B boats are read, and one without a heading points along its course`() throws {
        let read = ReadFeatures(ais("AIVDM,1,1,,A,B52K>;h00Fc>jpUlNV@ikwpUoP06,0"))
        let boat = try #require(read.features.first)
        #expect(boat.id == "mmsi 338087471" && near(boat, 40.68454, -74.072132))
        #expect(abs(boat.heading - 79.6) < 0.01)
    }

    /// A sentence with fields of the given widths.
    private func message(_ fields: [(value: Int, bits: Int)]) -> String {
        var bits = fields.flatMap { field in (0..<field.bits).map { field.value >> (field.bits - 1 - $0) & 1 }
        }
        bits += Array(repeating: 0, count: (6 - bits.count % 6) % 6)
        let letters = stride(from: 0, to: bits.count, by: 6).map { start in
            let value = bits[start..<start + 6].reduce(0) { $0 << 1 | $1 }
            return UInt8(value < 40 ? value + 48 : value + 56)
        }
        return ais("AIVDM,1,1,,A,\(String(decoding: letters, as: UTF8.self)),0")
    }

    /// Returns a name of 20 letters in six bits each.
    private func letters(_ name: String) -> [(value: Int, bits: Int)] {
        let codes = name.utf8.map { Int($0 < 64 ? $0 : $0 - 64) }
        return (codes + Array(repeating: 0, count: 20 - codes.count)).map { ($0, 6) }
    }

    @Test func `positions of satellites, aircraft, base stations and corrections are marks`() throws {
        // Message 27: accuracy, RAIM, status, tenths of a minute, knots and degrees.
        let satellite = ReadFeatures(
            message([
                (27, 6), (0, 2), (227_006_760, 30), (0, 2), (5, 4), (4440, 18), (26_220, 17), (9, 6),
                (210, 9), (0, 2),
            ]))
        let ship = try #require(satellite.features.first)
        #expect(
            near(ship, 43.7, 7.4) && ship.heading == 210 && ship.attributes["speed"] == "9 kn"
                && ship.attributes["status"] == "moored")
        #expect(
            ReadFeatures(
                message([
                    (27, 6), (0, 2), (1, 30), (0, 6), (108_600, 18), (54_600, 17), (63, 6), (511, 9), (0, 2),
                ])
            )
            .features.isEmpty)
        // Message 9: height, whole knots.
        let aircraft = ReadFeatures(
            message([
                (9, 6), (0, 2), (111_232_511, 30), (303, 12), (142, 10), (0, 1), (4_440_000, 28),
                (26_220_000, 27), (900, 12), (0, 40),
            ]))
        #expect(aircraft.names == ["111232511"] && aircraft.features[0].attributes["height"] == "303 m")
        #expect(aircraft.features[0].attributes["speed"] == "142 kn" && near(aircraft.features[0], 43.7, 7.4))
        let base = ReadFeatures(
            message([(4, 6), (0, 2), (2_275_000, 30), (0, 41), (4_440_000, 28), (26_220_000, 27), (0, 34)]))
        #expect(base.names == ["002275000"] && base.features[0].id == "mmsi 002275000")
        #expect(
            ReadFeatures(
                message([(17, 6), (0, 2), (2_275_001, 30), (0, 2), (4440, 18), (26_220, 17), (0, 5)])
            ).names == ["002275001"])
    }

    @Test func `a name that arrives after the position is put on the mark`() {
        let position = "15RTgt0PAso;90TKcjM8h6g208CQ", id = 371_798_000
        let name = message([(24, 6), (0, 2), (id, 30), (0, 2)] + letters("LATE NAME"))
        var reader = FeatureReader(isLive: true)
        func features(_ text: String) -> [OverlayFeature] {
            reader.read(Array(text.utf8))
            return reader.takeFeatures()
        }
        #expect(features(ais("AIVDM,1,1,,A,\(position),0")).map(\.name) == ["371798000"])
        let named = features(name)
        #expect(
            named.map(\.name) == ["LATE NAME"] && named.map(\.id) == ["mmsi 371798000"]
                && near(named[0], 48.381633, -123.395383))
        #expect(features(name).isEmpty)
    }

    @Test func `parts may be out of order or lack the channel`() {
        let first = "AIVDM,2,1,1,A,55?MbV02;H;s<HtKR20EHE:0@T4@Dn2222222216L961O5Gf0NSQEp6ClRp8,0",
            second = "88888888880,2"
        let position = message([
            (18, 6), (0, 2), (351_759_000, 30), (0, 19), (4_440_000, 28), (26_220_000, 27), (0, 56),
        ])
        for text in [
            ais(first) + ais("AIVDM,2,2,1,,\(second)"), ais("AIVDM,2,2,1,A,\(second)") + ais(first),
            ais("AIVDM,2,2,1,,\(second)") + ais(first),
        ] {
            #expect(ReadFeatures(text + position).names == ["EVER DIADEM"])
        }
        // A number that is used again later is another message.
        let others = String(repeating: position, count: 20)
        #expect(
            ReadFeatures(ais("AIVDM,2,2,1,A,\(second)") + others + ais(first) + position).names.last
                == "351759000")
    }

    @Test func `callsigns of aircraft may arrive after their positions`() {
        let read = ReadFeatures(
            "MSG,3,1,1,4CA2D6,1,,,,,,37000,,,60.1,22.2,,,,,,0\nMSG,1,1,1,4CA2D6,1,,,,,FIN123,,,,,,,,,,,0\n",
            isLive: true)
        #expect(read.names == ["4CA2D6", "FIN123"] && read.features.allSatisfy { $0.id == "4CA2D6" })
    }

    @Test func `names of class B arrive in separate messages`() {
        var reader = FeatureReader()
        reader.read(Array(ais("AIVDM,1,1,,A,H42O55i18tMET00000000000000,2").utf8))
        #expect(reader.takeFeatures().isEmpty && reader.faults.count == 0)
    }

    @Test func `sentences that are damaged, too short or not from a ship are counted or skipped`() {
        let wrong =
            "!AIVDM,1,1,,A,15RTgt0PAso;90TKcjM8h6g208CQ,0*00\n" + ais("AIVDM,1,1,,A,15R,0")
            + ais("AIVDM,0,0,,A,15R,0") + ais("AIVDM,x")
        let read = ReadFeatures(wrong)
        #expect(read.features.isEmpty && read.faults.count == 3, "\(read.faults)")
        for length in 0..<28 {
            _ = ReadFeatures(ais("AIVDM,1,1,,A,\("15RTgt0PAso;90TKcjM8h6g208CQ".prefix(length)),0"))
        }
    }

    @Test func `a sentence after tags is read as without them`() {
        #expect(
            ReadFeatures("\\s:rx,c:1241544035*0A\\" + ais("AIVDM,1,1,,A,15RTgt0PAso;90TKcjM8h6g208CQ,0"))
                .features.count == 1)
    }

    // MARK: APRS

    private func station(_ packet: String) throws -> OverlayFeature {
        try #require(ReadFeatures(packet + "\n").features.first)
    }

    @Test func `an uncompressed position has its comment, course, speed and height`() throws {
        let plain = try station("N0CALL-9>APRS,TCPIP*,qAC,T2X:!4903.50N/07201.75W-Test /A=001234")
        #expect(plain.id == "aprs N0CALL-9" && plain.name == "N0CALL-9" && near(plain, 49.058333, -72.029167))
        #expect(plain.attributes["height"] == "376 m" && plain.attributes["symbol"] == "/-")
        let moving = try station("N0CALL>APRS:@092345z4903.50S/07201.75E>088/036on the road")
        #expect(near(moving, -49.058333, 72.029167) && moving.heading == 88)
        #expect(moving.attributes["speed"] == "67 km/h" && moving.attributes["comment"] == "on the road")
        #expect(near(try station("N0CALL>APRS:=49  .  N/072  .  W-"), 49.5, -72.5))
    }

    @Test func `a compressed position has course and speed, or a height`() throws {
        let packed = try station("N0CALL>APRS:=/5L!!<*e7>7P[")
        #expect(near(packed, 49.5, -72.75) && packed.heading == 88 && packed.attributes["speed"] == "67 km/h")
        #expect(try station("N0CALL>APRS:=/5L!!<*e7OS]S").attributes["height"] == "3049 m")
    }

    @Test func `Mic-E encodes the latitude in the address`() throws {
        let car = try station("N0CALL>S32UVT,WIDE1:`(_fn\"Oj/]TEST=")
        #expect(near(car, 33 + 25.64 / 60, -(112 + 7.74 / 60)))
        #expect(car.heading == 251 && car.attributes["speed"] == "37 km/h")
    }

    @Test(arguments: [0, 1, 2, 3, 4, 5], [0x20, 0x1B, 0x25, 0x7F] as [UInt8])
    func `Mic-E without a fix has no position`(at: Int, byte: UInt8) {
        var bytes = Array("N0CALL>S32UVT,WIDE1:`(_fn\"Oj/]TEST=\n".utf8)
        bytes[21 + at] = byte
        let ranges: [ClosedRange<UInt8>] = [38...127, 38...97, 28...127, 28...127, 28...125, 28...127]
        let read = ReadFeatures(bytes)
        #expect(read.features.count == (ranges[at].contains(byte) ? 1 : 0), "\(read.faults)")
        #expect(read.features.count + read.reader.faults.count == 1)
        #expect(FeatureReader.mayHold(bytes, isNamedJSON: false) == true)
    }

    @Test func `Mic-E with withheld digits is in the middle of their range, and other addresses are invalid`()
        throws
    {
        #expect(near(try station("N0CALL>S32UVZ:`(_fn\"Oj/"), 33 + 25.65 / 60, -(112 + 7.75 / 60)))
        #expect(near(try station("N0CALL>S32LLL:`(_fn\"Oj/"), -(33 + 25.0 / 60), 12 + 5.0 / 60))
        for address in ["S32UZT", "S32AVT", "S3MUVT", "S39UVT", "Y92UVT", "S32"] {
            #expect(ReadFeatures("N0CALL>\(address):`(_fn\"Oj/\n").features.isEmpty, "\(address)")
        }
    }

    @Test func `a position may follow text, and lies on the globe`() {
        let read = ReadFeatures(
            """
            OH1AA>APRS:Comment !6000.00N/02100.00E>
            OH1AB>APRS:X1J4 (RELAY)!6130.00N/02230.00E#
            OH1AC>APRS:Well done! That is all.

            """)
        #expect(read.names == ["OH1AA", "OH1AB"] && read.faults == [], "\(read.faults)")
        #expect(
            read.features.count == 2 && near(read.features[0], 60, 21) && near(read.features[1], 61.5, 22.5))
        let beyond = ReadFeatures("OH1AA>APRS:!6000.00N/18100.00E>\n")
        #expect(beyond.features.isEmpty && beyond.reader.faults.count == 1)
    }

    @Test func `objects and items have their names, and their senders are named`() throws {
        let object = try station("N0CALL>APRS:;LEADER   *092345z4903.50N/07201.75W>")
        #expect(object.name == "LEADER" && object.attributes["by"] == "N0CALL")
        #expect(try station("N0CALL>APRS:)AID #2!4903.50N/07201.75WA").name == "AID #2")
        #expect(try station("GATE>APRS:}N0CALL>APRS,TCPIP:!4903.50N/07201.75W-").name == "N0CALL")
        #expect(ReadFeatures("N0CALL>APRS:;LEADER   _092345z4903.50N/07201.75W>\n").features.isEmpty)
    }

    @Test(arguments: [
        (";LEADER   *092345z4903.50N/07201.75W>", ";LEADER   _092345z4903.50N/07201.75W>"),
        (")AID #2!4903.50N/07201.75WA", ")AID #2_4903.50N/07201.75WA"),
    ])
    func `an object or item that has ended is removed, and may return`(live: String, ended: String) {
        let alive = "N0CALL>APRS:\(live)\n", over = "N0CALL>APRS:\(ended)\n"
        for (text, count) in [(alive + over, 0), (alive + over + alive, 1), (over, 0)] {
            var reader = FeatureReader(isLive: true), set = OverlaySet()
            for line in text.split(separator: "\n") {
                reader.read("\(line)\n".utf8)
                _ = set.remove(reader.takeRemovals())
                set.add(reader.takeFeatures(), at: 0)
            }
            #expect(set.count == count && ReadFeatures(text).features.count == count)
        }
    }

    @Test(arguments: ["N1>APRS:}", "IGATE>APRS,TCPIP*:}", "}"])
    func `a packet may be in that of another station`(header: String) {
        let read = ReadFeatures(header + "N0CALL>APRS,TCPIP*:=4342.00N/00724.00E-\n")
        #expect(read.names == ["N0CALL"] && read.places.first?.isNear(43.7, 7.4) == true)
    }

    @Test func `a sentence of a station's receiver is its position`() throws {
        let body = "GPRMC,123519,A,4807.038,N,01131.000,E,022.4,084.4,230394,003.1,W"
        let sum = String(body.utf8.reduce(0, ^), radix: 16, uppercase: true)
        let station = try station("N0CALL>APRS:$\(body)*\(sum)")
        #expect(
            station.name == "N0CALL" && near(station, 48.1173, 11.516667)
                && abs(station.heading - 84.4) < 0.01)
        #expect(ReadFeatures("N0CALL>APRS:$ULTW0031003702CE0069\n").reader.faults.count == 0)
    }

    @Test func `a hemisphere must have its letter`() {
        let read = ReadFeatures("N0CALL>APRS:!6030.00X/02215.00E-\nN0CALL>APRS:!6030.00N/02215.00N-\n")
        #expect(read.features.isEmpty && read.reader.faults.count == 2)
    }

    @Test
    func `packets without a position are skipped, invalid ones are counted, and server comments are neither`()
    {
        let read = ReadFeatures(
            """
            # aprsc 2.1.15
            N0CALL>APRS::OTHER    :hello
            N0CALL>APRS:!49xx.50N/07201.75W-
            N0CALL>S3!UVT:`(_fn"Oj/
            N0CALL>APRS:!4903.50N/07201.75W-fine

            """)
        #expect(read.names == ["N0CALL"] && read.faults.count == 2, "\(read.faults)")
        let whole = "N0CALL>S32UVT,WIDE1:`(_fn\"Oj/]TEST=", packed = "N0CALL>APRS:=/5L!!<*e7>7P["
        for text in [whole, packed] {
            for length in 0..<text.count { _ = ReadFeatures(String(text.prefix(length)) + "\n") }
        }
    }

    // MARK: Encoded lines

    @Test(arguments: [
        "polyline5:_p~iF~ps|U_ulLnnqC_mqNvxq`@\n", "{\"lat\":1,\"lon\":2}\n{\"lat\":3,\"lon\":4}\n",
    ])
    func `lines of any format are recognised in a file without an extension`(text: String) {
        #expect(FeatureReader.mayHold(Array(text.utf8), isNamedJSON: false) == true)
    }

    @Test func `an encoded line is a line`() throws {
        let read = ReadFeatures(
            "polyline5:_p~iF~ps|U_ulLnnqC_mqNvxq`@,tour,red\npolyline5:_\npolyline6:_p~iF~ps|U_ulLnnqC\n60,22\n"
        )
        #expect(read.names == ["tour", "", ""] && read.features[0].kind == .line)
        let line = read.features[0].paths[0]
        #expect(line.points.count == 3 && line.coordinate(2).isNear(43.252, -126.453))
        #expect(read.features[0].style?.ink == RGB(0xFF0000))
        #expect(read.features[1].paths[0].coordinate(0).isNear(3.85, -12.02))
        #expect(read.faults.count == 1)
    }
}
