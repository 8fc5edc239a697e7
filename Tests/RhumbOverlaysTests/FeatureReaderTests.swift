@testable import RhumbOverlays
import RhumbCore
import RhumbTestSupport
import Testing

extension Coordinate {
    func isNear(_ latitude: Double, _ longitude: Double) -> Bool {
        abs(self.latitude - latitude) < 1e-6 && abs(self.longitude - longitude) < 1e-6
    }
}

struct FeatureReaderTests {
    static let collection = """
        {"type": "FeatureCollection", "name": "x", "features": [
          {"type": "Feature", "id": 7, "properties": {"name": "A \\u00e9", "stroke": "#f00", "n": {"a": [1, "]}"]}},
           "geometry": {"type": "Point", "coordinates": [11.25, 43.75, 12]}},
          {"type": "Feature", "properties": null,
           "geometry": {"type": "Polygon", "coordinates": [[[0,0],[1,0],[1,1],[0,0]],[[0.2,0.1],[0.4,0.1],[0.3,0.2],[0.2,0.1]]]}},
          {"type": "Feature", "geometry": null, "properties": {}},
          {"type": "Feature", "properties": {"name": "line"},
           "geometry": {"type": "MultiLineString", "coordinates": [[[0,0],[1,1]],[[2,2],[3,3]]]}}
        ], "bbox": [0, 0, 1, 1]}
        """

    @Test(arguments: [1, 7, 64, .max])
    func `a collection is read feature by feature, in any division of its bytes`(pieces: Int) throws {
        let read = ReadFeatures(Self.collection, pieces: pieces)
        #expect(read.reader.format == .geoJSON)
        #expect(read.names == ["A é", "", "line"])
        #expect(read.features.map(\.kind) == [.point, .polygon, .line])
        #expect(read.features[0].style?.ink == RGB(0xFF0000))
        #expect(read.features[0].attributes["n"] == "{\"a\": [1, \"]}\"]}")
        #expect(read.places[0].isNear(43.75, 11.25))
        #expect(read.features[1].paths.map(\.points.count) == [3, 3])
        #expect(read.faults == [])
    }

    @Test(arguments: [1, 13, .max])
    func `features in lines are read one by one, and an invalid one is counted with its line`(pieces: Int) {
        let lines = """
            {"type":"Feature","properties":{"name":"a"},"geometry":{"type":"Point","coordinates":[1,2]}}
            {"type":"Feature","properties":{"name":"b"},"geometry":{"type":"Point","coordinates":[1]}}
            \u{1E}{"type":"LineString","coordinates":[[1,2],[3,4]]}
            {"lat": 5, "lon": "6", "name": "bare"}
            {"type":"Feature","geome
            {"type":"Point","coordinates":[100,200]}
            """
        let read = ReadFeatures(lines, pieces: pieces)
        #expect(read.names == ["a", "", "bare"])
        #expect(read.places[2].isNear(5, 6))
        #expect(read.reader.faults.count == 3)
        #expect(read.reader.faults.first.map(\.line) == [2, 5, 6])
    }

    @Test(
        arguments: [
            "{ status: booting", "{\"half\":", "[debug] start", "{", "[", "{\"type\":\"Feature\",\"geome",
            "{\"type\":\"Feature\",",
        ] as [String], [1, Int.max])
    func `a damaged first line is skipped like any other`(first: String, pieces: Int) {
        let sentence = "$GPRMC,123519,A,4807.038,N,01131.000,E,022.4,084.4,230394,003.1,W*6A\n"
        let point = "{\"type\":\"Point\",\"coordinates\":[1,2]}\n"
        for line in [sentence, point] {
            // A single open bracket may begin an array of the next lines.
            if first == "[", line == point { continue }
            let text = "\(first)\n" + String(repeating: line, count: 3)
            var reader = FeatureReader(isLive: true)
            let bytes = Array(text.utf8)
            for start in stride(from: 0, to: bytes.count, by: min(pieces, bytes.count)) {
                reader.read(bytes[start..<start + min(pieces, bytes.count)])
            }
            #expect(reader.format == .lines, "\(text)")
            #expect(!(reader.takeFixes().isEmpty && reader.takeFeatures().isEmpty), "\(text)")
            #expect(reader.faults.count == 1 && reader.faults.first[0].line == 1, "\(text)")
        }
    }

    @Test(
        arguments: [
            "{\n\"type\": \"Point\",\n\"coordinates\": [1, 2]\n}\n", "[\n{\"lat\": 2, \"lon\": 1}\n]\n",
            "{\n\"lat\": 2,\n\"lon\": 1\n}\n", "[{\"lat\": NaN, \"lon\": 1},\n{\"lat\": 2, \"lon\": 1}]\n",
            "{\"type\": \"FeatureCollection\", \"features\": [{\"type\": x},\n{\"type\": \"Point\", \"coordinates\": [1, 2]}]}\n",
        ], [1, .max])
    func `a document over several lines is read as one`(text: String, pieces: Int) {
        for isLive in [true, false] {
            let read = ReadFeatures(text, pieces: pieces, isLive: isLive)
            #expect(read.reader.format == .geoJSON)
            #expect(read.places.count == 1, "\(read.faults)")
        }
    }

    @Test(arguments: [1, .max])
    func `names with escapes are those of the same letters`(pieces: Int) {
        let point = #"{"\u0074ype":"Point","coordinates":[1,2]}"#
        let text = #"{"type":"FeatureCollection","\u0066eatures":[\#(point)]}"#
        for text in [point, text, "{\n" + text.dropFirst()] {
            let read = ReadFeatures(text, pieces: pieces)
            #expect(read.places.count == 1 && read.faults == [], "\(text): \(read.faults)")
        }
    }

    @Test func `null, objects and truth values are no ids`() {
        for id in ["null", "{}", "false"] {
            let line = "{\"lat\":1,\"lon\":2,\"id\":\(id)}\n"
            #expect(ReadFeatures(line + line, isLive: true).features.map(\.id) == ["", ""])
        }
        #expect(ReadFeatures("{\"lat\":1,\"lon\":2,\"id\":7}\n", isLive: true).features.map(\.id) == ["7"])
    }

    static let extremes = [
        "1e308", "-1e308", "3.5e38", "9.3e18", "-9.3e18", "9223372036854775807", "-9223372036854775808",
        "361",
    ]

    @Test(arguments: extremes, ["heading", "course", "track", "bearing"])
    func `an impossible heading counts as unknown in every format`(number: String, member: String) {
        let texts = [
            #"{"type":"Feature","properties":{"\#(member)":\#(number)},"geometry":{"type":"Point","coordinates":[1,2]}}"#,
            "lat,lon,\(member)\n1,2,\(number)\n",
            #"{"class":"AIS","mmsi":230000001,"lon":22.0,"lat":60.0,"heading":\#(number),"course":\#(number)}"#
                + "\n",
        ]
        for text in texts {
            let read = ReadFeatures(text)
            #expect(read.features.count == 1 && read.features.allSatisfy(\.heading.isNaN), "\(text)")
        }
    }

    @Test(arguments: extremes.dropLast())
    func `impossible heights and times count as unknown`(number: String) throws {
        let geometry = #"{"type":"LineString","coordinates":[[1,2,\#(number)],[1,3,7]]}"#
        let read = ReadFeatures(
            #"{"type":"Feature","properties":{"time":\#(number)},"geometry":\#(geometry)}"#)
        let path = try #require(read.features.first?.paths.first)
        #expect(path.heights.map(\.isNaN) == [true, false] && read.features[0].time.isNaN)
        #expect(
            OverlayPath(path.points, times: [Double(number) ?? 0, 0]).times.map(\.isNaN) == [true, false])
    }

    @Test func `coordinates in the wrong order are distinguished from invalid ones`() {
        let read = ReadFeatures(
            "{\"type\":\"Point\",\"coordinates\":[43.7,111.2]}\n{\"type\":\"Point\",\"coordinates\":[999,999]}\n"
        )
        #expect(read.features.isEmpty)
        #expect(read.faults[0].contains("GeoJSON has the longitude first"))
        #expect(read.faults[1].contains("out of range"))
    }

    @Test func `endless nesting, and collections in collections, are rejected`() {
        let deep = String(repeating: "[", count: 5000) + String(repeating: "]", count: 5000)
        #expect(ReadFeatures("{\"type\":\"Point\",\"coordinates\":\(deep)}\n").reader.faults.count == 1)
        #expect(ReadFeatures(String(repeating: "{\"a\":\n", count: 5000)).reader.faults.count == 1)
        var nested = "{\"type\":\"Point\",\"coordinates\":[1,2]}"
        for _ in 0..<12 { nested = "{\"type\":\"GeometryCollection\",\"geometries\":[\(nested)]}" }
        #expect(ReadFeatures(nested + "\n").features.isEmpty)
    }

    @Test func `a table is read by the names of its columns`() {
        let read = ReadFeatures(
            "Name;Breite;Höhe;Lon;colour;heading\n\"Caf\u{e9}; \"\"bar\"\"\";60,5;x;22,25;#00ff00;90\nbad;;;1\n"
        )
        #expect(read.names == ["Caf\u{e9}; \"bar\""])
        #expect(read.places[0].isNear(60.5, 22.25))
        #expect(read.features[0].style?.ink == RGB(0x00FF00))
        #expect(read.features[0].heading == 90)
        #expect(
            read.faults == [#"line 3: "", "1" is not a position; use degrees such as 43.7 or 43°42'N"#])
    }

    @Test(arguments: ["\"44.0, 7.0\"", "44.0, 7.0", "POINT (7 44)"])
    func `the only column may have whole positions`(row: String) {
        let read = ReadFeatures("coordinates\n\(row)\n")
        #expect(read.faults.isEmpty && read.features.count == 1, "\(read.faults)")
        #expect(read.places.first?.isNear(44, 7) == true)
    }

    @Test func `heights that mark missing ones are unknown`() throws {
        let geometry = #"{"type":"LineString","coordinates":[[1,2,-32768],[1,3,7],[1,4,-9999999]]}"#
        let path = try #require(ReadFeatures(geometry + "\n").features.first?.paths.first)
        #expect(path.heights.map(\.isNaN) == [true, false, true])
    }

    @Test func `bare lines are places, with labels, colours and glyphs`() {
        let read = ReadFeatures(
            "60.1,22.2\n# a remark\n60.1 22.3\n\n60.1,22.4,Caf\u{e9},red,★\n9GG499QC+X2\nhello there\n100,20\n"
        )
        #expect(read.features.count == 4)
        #expect(read.names[2] == "Caf\u{e9}")
        #expect(read.features[2].style == OverlayStyle(ink: RGB(0xFF0000), symbol: "★"))
        #expect(read.reader.faults.first.map(\.line) == [7, 8])
        #expect(read.faults[1].contains("the latitude comes first"))
    }

    @Test func `names are sanitised for terminal output`() {
        let read = ReadFeatures(
            "60,22,\u{1B}[2Jevil\u{202E}\n{\"lat\":1,\"lon\":2,\"name\":\"\\u001b]0;x\\u0007y\"}\n")
        #expect(
            read.names.allSatisfy { $0.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0 != "\u{202E}" } })
        #expect(read.names.count == 2)
    }

    @Test func `input that ends at once has no features and no faults`() {
        let read = ReadFeatures("")
        #expect(read.features.isEmpty)
        #expect(read.reader.faults.count == 0)
    }

    @Test func `numbers are read as exactly as the library reads them`() {
        var random = SplitMix(seed: 5)
        for _ in 0..<2000 {
            let value = Double.random(in: -1000...1000, using: &random), text = "\(value)"
            #expect(text.number(comma: false) == value)
        }
        #expect("1e3".number(comma: false) == 1000)
        #expect("12,5".number(comma: true) == 12.5)
        for bad in ["", "-", ".", "1.2.3", "abc", "nan", "inf", "1,5"] {
            #expect(bad.number(comma: false) == nil)
        }
    }

    @Test func `times are read with zones and fractions`() {
        func moment(_ text: String) -> Double? { text.withBytes { $0.moment } }
        #expect(moment("1970-01-02T00:00:00Z") == 86_400)
        #expect(moment("2024-05-01T12:00:00.5+02:00") == 1_714_557_600.5)
        #expect(moment("2024-05-01") == 1_714_521_600)
        #expect(moment("yesterday") == nil)
    }

    @Test(
        arguments: [
            ("2024-05-01T05:00:00-5:00", 5.0), ("2024-05-01T05:00:00-05", 5),
            ("2024-05-01T05:00:00-0530", 5.5),
            ("2024-05-01T05:00:00\u{2212}05:00", 5), ("2024-05-01T05:00:00 +01:00", -1),
            ("20240501T050000Z", 0), ("2024-05-01 05:00", 0), ("2024-05-01T0500", 0),
            ("2024-05-01T05:00:00,0Z", 0),
            ("2024-05-01T05:00:00PST", nil), ("2024-05-01T05:00:00 EST", nil),
            ("2024-05-01T05:00:00Zjunk", nil),
            ("2024-05-01T05:00:00+25:00", nil), ("2024-13-01T05:00:00Z", nil), ("2024-02-30", nil),
            ("2024-122", nil),
            ("01.05.2024", nil), ("2024-05-01T", nil), ("", nil),
        ])
    func `times of a known zone are converted, and others are unknown`(text: String, hours: Double?) {
        let read = text.withBytes { $0.moment }
        #expect(read == hours.map { 1_714_539_600 + $0 * 3600 })
    }

    @Test(arguments: ["gpx", "kml", "tcx"]) func `a time that is not understood is reported once`(
        kind: String
    ) {
        let time = "2024-05-01T05:00:00 PST", points = 3
        func repeated(_ text: String) -> String { String(repeating: text, count: points) }
        let document =
            switch kind {
            case "gpx":
                "<gpx><trk><trkseg>" + repeated("<trkpt lat='1' lon='2'><time>\(time)</time></trkpt>")
                    + "</trkseg></trk></gpx>"
            case "kml":
                "<kml xmlns:gx='http://www.google.com/kml/ext/2.2'><Placemark><gx:Track>"
                    + repeated("<when>\(time)</when>")
                    + repeated("<gx:coord>2 1 0</gx:coord>") + "</gx:Track></Placemark></kml>"
            default:
                "<TrainingCenterDatabase><Activities><Activity><Lap><Track>"
                    + repeated(
                        "<Trackpoint><Time>\(time)</Time><Position><LatitudeDegrees>1</LatitudeDegrees>"
                            + "<LongitudeDegrees>2</LongitudeDegrees></Position></Trackpoint>")
                    + "</Track></Lap></Activity></Activities></TrainingCenterDatabase>"
            }
        let read = ReadFeatures(Array(document.utf8), pieces: 1000)
        let faults = read.reader.faults
        #expect(faults.count == 1 && faults.first[0].reason.contains(time))
        #expect(read.features.first?.paths.first?.points.count == points)
    }

    @Test func `any damage to any format is handled, and read features are complete`() {
        var random = SplitMix(seed: 21)
        let texts = [Self.collection, XMLFeatureTests.gpx, XMLFeatureTests.kml, ReceiverTests.sentences]
        for _ in 0..<800 {
            var bytes = Array(texts.randomElement(using: &random)!.utf8)
            for _ in 0..<Int.random(in: 1...6, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: place)
                case 2: bytes.insert(Array("<>/&;\"'!{}[],".utf8).randomElement(using: &random)!, at: place)
                default: bytes.removeSubrange(place...)
                }
                if bytes.isEmpty { break }
            }
            let read = ReadFeatures(bytes, pieces: Int.random(in: 1...200, using: &random))
            #expect(read.features.allSatisfy { $0.paths.allSatisfy { !$0.points.isEmpty } })
        }
    }

    @Test(arguments: [
        "<gpx><wpt lat='43.7' lon='7.4'><name>A?B</name></wpt></gpx>", "name,lat,lon\nA?B,43.7,7.4\n",
    ])
    func `half of a character in UTF-16 is replaced, and reported`(text: String) {
        let units = text.utf16.map { $0 == 0x3F ? 0xD800 : $0 }
        let read = ReadFeatures(units.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }, pieces: 3)
        #expect(read.names == ["A\u{FFFD}B"] && read.faults == ["invalid UTF-16 is shown as \u{FFFD}"])
    }

    @Test func `UTF-32 is refused by its name`() {
        for text in ["name,lat,lon\nA,43.7,7.4\n", "\u{FEFF}{}"] {
            let read = ReadFeatures(
                text.unicodeScalars.flatMap { [UInt8($0.value & 255), UInt8($0.value >> 8), 0, 0] })
            #expect(read.faults.count == 1 && read.faults[0].contains("UTF-32"))
        }
    }

    @Test(arguments: ["/* x */", "// x\n", "/* a */ // b\n"])
    func `a comment before JSON is named`(comment: String) {
        let read = ReadFeatures(comment + Self.collection)
        #expect(read.features.isEmpty)
        #expect(read.faults == ["line 1 has a comment, which JSON doesn't allow; remove it"])
        #expect(ReadFeatures("// remark\n60,22\n").features.count == 1)
    }
}
