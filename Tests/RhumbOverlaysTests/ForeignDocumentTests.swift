@testable import RhumbOverlays
import RhumbCore
import RhumbTestSupport
import Testing

/// Tests files that other programs write: unusual, but valid or commonly accepted.
struct ForeignDocumentTests {
    private func kml(_ text: String) -> String { "<kml><Document>\(text)</Document></kml>" }

    private func line(_ coordinates: String) -> ReadFeatures {
        ReadFeatures(
            kml("<Placemark><LineString><coordinates>\(coordinates)</coordinates></LineString></Placemark>"))
    }

    // MARK: KML

    @Test(arguments: [
        ("1,2,0 3,4,0", 2), ("1, 2 3, 4", 2), ("1, 2, 0 3, 4, 0 5, 6, 0", 3), ("1 ,2 3 ,4", 2),
        ("1,2,0,3,4,0,5,6,0", 3), ("1,2,3,4", 2), ("1,2,\n3,4,\n", 2), ("1,2,0,\n3,4,0,\n", 2),
        ("1,2,0\n3,4,0", 2), ("1,2,0,9 3,4,0,9", 2),
    ])
    func `coordinates are read with spaces beside commas, and with commas only`(text: String, count: Int) {
        let read = line(text)
        #expect(read.features.first?.paths[0].points.count == count)
        #expect(read.features.first?.paths[0].coordinate(1).isNear(4, 3) == true)
        #expect(read.faults == [])
    }

    @Test func `a point with four numbers is one position`() {
        let read = ReadFeatures(
            kml("<Placemark><Point><coordinates>1,2,3,4</coordinates></Point></Placemark>"))
        #expect(read.places.count == 1 && read.places[0].isNear(2, 1) && read.faults == [])
    }

    @Test func `equal errors of a line are listed once, with their number`() {
        let read = line("1,95 1,96 7 3,4")
        #expect(read.faults == ["line 1: coordinates are not longitude,latitude in degrees (3 times)"])
        #expect(read.reader.faults.count == 3)
    }

    @Test func `each time of a track belongs to the position with its number`() {
        let times = (0..<4).map { "<when>2020-01-01T00:00:0\($0)Z</when>" }
        func track(_ text: String) -> ReadFeatures {
            ReadFeatures(kml("<Placemark><gx:Track>\(text)</gx:Track></Placemark>"))
        }
        let first = 1_577_836_800.0
        for coords in [
            times.joined()
                + "<gx:coord>1 2 3</gx:coord><gx:coord/><gx:coord>1 3 3</gx:coord><gx:coord>1 4 3</gx:coord>",
            "<gx:coord>1 2 3</gx:coord><gx:coord></gx:coord><gx:coord>1 3 3</gx:coord>" + times.joined()
                + "<gx:coord>1 4 3</gx:coord>",
        ] {
            let read = track(coords)
            #expect(read.features.first?.paths[0].times == [first, first + 2, first + 3])
            #expect(read.faults == [])
        }
        let bad = track(times.joined() + "<gx:coord>x 2</gx:coord><gx:coord>1 3 3</gx:coord>")
        #expect(bad.features.first?.paths[0].times == [first + 1])
        #expect(bad.faults == ["line 1: gx:coord is not longitude, latitude and height"])
    }

    @Test(arguments: ["Placemark", "Folder", "Document"])
    func `a document of a single feature or folder is KML`(root: String) {
        let place = "<name>P</name><Point><coordinates>1,2</coordinates></Point>"
        let inner = root == "Placemark" ? place : "<Placemark>\(place)</Placemark>"
        let read = ReadFeatures("<\(root)>\(inner)</\(root)>")
        #expect(read.names == ["P"] && read.faults == [])
    }

    @Test(arguments: ["GroundOverlay", "PhotoOverlay", "ScreenOverlay"])
    func `what KML shows and Rhumb doesn't is reported`(element: String) {
        let read = ReadFeatures(kml("<\(element)><Icon><href>a.png</href></Icon></\(element)>"))
        #expect(read.faults == ["line 1: \(element) is not supported"])
        let model = ReadFeatures(kml("<Placemark><Model/></Placemark>"))
        #expect(model.faults == ["line 1: Model is not supported"])
    }

    @Test func `a name in another encoding than declared is reported`() {
        let bytes =
            Array("<?xml version='1.0'?><gpx><wpt lat='1' lon='2'><name>K".utf8) + [0xE4]
            + Array("se</name></wpt></gpx>".utf8)
        let read = ReadFeatures(bytes)
        #expect(read.names == ["K\u{FFFD}se"])
        #expect(read.faults == ["text in another encoding than declared is shown as \u{FFFD}"])
    }

    // MARK: Pieces with one point

    @Test(arguments: [
        "<gpx><trk><trkseg><trkpt lat='2' lon='1'/></trkseg></trk></gpx>",
        "<gpx><rte><rtept lat='2' lon='1'/></rte></gpx>",
        "<kml><Placemark><LineString><coordinates>1,2</coordinates></LineString></Placemark></kml>",
        "<kml><Placemark><gx:Track><when>2020</when><gx:coord>1 2</gx:coord></gx:Track></Placemark></kml>",
        #"{"type":"LineString","coordinates":[[1,2]]}"#,
    ])
    func `a line of one point is kept`(text: String) {
        let read = ReadFeatures(text)
        #expect(read.features.map(\.kind) == [.line])
        #expect(read.features[0].paths.map(\.points.count) == [1])
        #expect(read.places[0].isNear(2, 1))
        #expect(TrackStatistics(read.features[0].paths).points == 1)
        let here = Mercator.world(Coordinate(latitude: 2, longitude: 1))
        #expect(OverlayIndex(read.features).features(at: here, reach: 1e-6) == [0])
    }

    // MARK: Ids

    @Test(arguments: [
        (1...3).map {
            #"{"type":"Feature","id":"a","properties":{},"geometry":{"type":"Point","coordinates":[\#($0),2]}}"#
        }
        .joined(separator: "\n"),
        (1...3).map { #"{"lat":\#($0),"lon":2,"mmsi":5}"# }.joined(separator: "\n"),
        "lat,lon,id\n1,2,x\n2,2,x\n3,2,x\n",
        "<kml>"
            + String(
                repeating: "<Placemark id='p'><Point><coordinates>1,2</coordinates></Point></Placemark>",
                count: 3) + "</kml>",
    ])
    func `features of a document with the same id are all shown`(text: String) {
        var set = OverlaySet()
        set.add(ReadFeatures(text).features, at: 0)
        #expect(set.count == 3)
    }

    @Test func `a live feature replaces the earlier one with its id`() {
        var set = OverlaySet()
        let text = "{\"lat\":1,\"lon\":2,\"id\":5}\n{\"lat\":3,\"lon\":2,\"id\":5}\n"
        set.add(ReadFeatures(text, isLive: true).features, at: 0)
        #expect(set.count == 1 && set.all[0].coordinate.isNear(3, 2))
    }

    @Test(arguments: [
        ("2024", 1_704_067_200), ("2024-05", 1_714_521_600), ("2024-05-01T24:00:00Z", 1_714_608_000),
    ])
    func `times of KML may be years, months or the end of a day`(text: String, time: Double) {
        let read = ReadFeatures(
            "<kml><Placemark><TimeStamp><when>\(text)</when></TimeStamp>"
                + "<Point><coordinates>1,2</coordinates></Point></Placemark></kml>")
        #expect(read.features.first?.time == time && read.faults == [])
    }

    // MARK: GeoJSON

    @Test(arguments: [
        #""coordTimes":["2020-01-01T00:00:00Z","2020-01-01T00:00:10Z"]"#,
        #""coordinateProperties":{"times":["2020-01-01T00:00:00Z","2020-01-01T00:00:10Z"]}"#,
        #""coordTimes":[["2020-01-01T00:00:00Z","2020-01-01T00:00:10Z"]]"#,
        #""times":[1577836800000,1577836810000]"#, #""coordTimes":[1577836800,1577836810]"#,
    ])
    func `the times of a line's points may be in its properties`(member: String) {
        let line = #"{"type":"LineString","coordinates":[[1,2],[1,3]]}"#
        let read = ReadFeatures("{\"type\":\"Feature\",\"properties\":{\(member)},\"geometry\":\(line)}")
        #expect(read.features.first?.paths[0].times == [1_577_836_800, 1_577_836_810])
        #expect(read.features.first?.isTrack == true && read.faults == [])
    }

    @Test func `a list of numbers is one fault`() {
        #expect(ReadFeatures("[22.25,60.5]\n").reader.faults.count == 1)
    }

    @Test func `half of a surrogate pair is replaced, and the rest of the text is decoded`() {
        let name = #"\ud83d\ude00 \ud83d \u0041 \ude00"#
        let read = ReadFeatures("{\"lat\":1,\"lon\":2,\"name\":\"\(name)\"}\n")
        #expect(read.names == ["😀 \u{FFFD} A \u{FFFD}"])
    }

    @Test(arguments: ["null", "NaN", "\"NaN\"", "\"\"", "[]"])
    func `a height that is no number is unknown`(height: String) {
        let read = ReadFeatures("{\"type\":\"LineString\",\"coordinates\":[[1,2,\(height)],[3,4,7]]}")
        #expect(read.features.first?.paths[0].points.count == 2)
        #expect(read.features.first?.paths[0].heights.last == 7)
        #expect(read.faults == [])
    }

    @Test(arguments: ["Point", "MultiPoint", "LineString", "MultiLineString", "Polygon", "MultiPolygon"])
    func `empty coordinates are no error, and counted`(type: String) {
        for coordinates in ["[]", "null"] + (type.hasPrefix("Multi") || type == "Polygon" ? ["[[]]"] : []) {
            guard type != "MultiPoint" || coordinates != "[[]]" else { continue }
            let read = ReadFeatures("{\"type\":\"\(type)\",\"coordinates\":\(coordinates)}")
            #expect(read.features.isEmpty && read.faults == [] && read.reader.emptyFeatures == 1)
        }
    }

    @Test(arguments: [1, 40, .max])
    func `records of a JSON sequence may span lines, and an incomplete one is reported`(pieces: Int) {
        func point(_ name: String) -> String {
            "\u{1E}{\"type\": \"Feature\", \"properties\": {\"name\": \"\(name)\"},\n"
                + " \"geometry\": {\"type\": \"Point\",\n  \"coordinates\": [1, 2]}}\n"
        }
        let read = ReadFeatures(point("A") + "\u{1E}{\"type\": \"Fea\n" + point("B"), pieces: pieces)
        #expect(read.names == ["A", "B"])
        #expect(read.faults == ["line 4: the JSON is truncated"])
    }

    @Test(arguments: [1, .max])
    func `coordinates are metres if the document says so, and another system is refused`(pieces: Int) {
        func collection(_ crs: String, _ coordinates: String) -> String {
            """
            {"type":"FeatureCollection","crs":{"type":"name","properties":{"name":"\(crs)"}},"features":[
            {"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":\(coordinates)}}]}
            """
        }
        for crs in [
            "urn:ogc:def:crs:EPSG::3857", "EPSG:900913", "epsg:3857", "ESRI:102100",
            "urn:ogc:def:crs:ESRI::102100", "http://www.opengis.net/def/crs/EPSG/0/3857",
        ] {
            let read = ReadFeatures(collection(crs, "[111319.490793,222684.208506]"), pieces: pieces)
            #expect(read.places.first?.isNear(2, 1) == true && read.faults == [])
        }
        for crs in [
            "urn:ogc:def:crs:OGC:1.3:CRS84", "EPSG:4326", "EPSG:4258", "urn:ogc:def:crs:OGC:2:84",
            "http://www.opengis.net/def/crs/OGC/1.3/CRS84", "EPSG:4326+5773",
        ] {
            let read = ReadFeatures(collection(crs, "[1,2]"), pieces: pieces)
            #expect(read.places.first?.isNear(2, 1) == true && read.reader.remark == nil, "\(crs)")
        }
        let unknown = ReadFeatures(collection("local grid", "[1,2]"), pieces: pieces)
        #expect(unknown.places.first?.isNear(2, 1) == true)
        #expect(unknown.reader.remark?.contains("local grid is not known") == true)
        let other = ReadFeatures(collection("urn:ogc:def:crs:EPSG::2154", "[652000,6862000]"), pieces: pieces)
        #expect(other.features.isEmpty && other.faults.first?.contains("EPSG:2154 is not supported") == true)
        let zoned = ReadFeatures(
            collection("urn:ogc:def:crs:EPSG::4647", "[32552000,5680000]"), pieces: pieces)
        #expect(zoned.features.isEmpty && zoned.faults.first?.contains("EPSG:4647 is not supported") == true)
    }

    @Test func `the geometry and the time of JSON-FG are read, and a mere place is reported`() {
        func feature(_ geometry: String, _ time: String) -> String {
            #"{"type":"Feature","time":\#(time),"place":{"type":"Point","coordinates":[552000,5680000]},"#
                + #""coordRefSys":"[EPSG:25832]","geometry":\#(geometry),"properties":{}}"#
        }
        let point = #"{"type":"Point","coordinates":[1,2]}"#
        for (time, seconds) in [
            (#"{"timestamp":"1970-01-02T00:00:01Z"}"#, 86_401), (#"{"date":"1970-01-02"}"#, 86_400),
            (#"{"interval":["1970-01-02",".."]}"#, 86_400),
        ] {
            let read = ReadFeatures(feature(point, time))
            #expect(read.places.first?.isNear(2, 1) == true && read.features.first?.time == Double(seconds))
            #expect(read.reader.remark?.contains("JSON-FG") == true)
        }
        let bare = ReadFeatures(feature("null", "null"))
        #expect(bare.features.isEmpty && bare.faults.first?.contains("\"place\" of JSON-FG") == true)
    }

    @Test func `a geometry may have its own coordinate system, also by its code`() {
        for crs in [
            #"{"type":"EPSG","properties":{"code":3857}}"#,
            #"{"type":"name","properties":{"name":"EPSG:3857"}}"#,
        ] {
            let metres =
                #"{"type":"Point","crs":\#(crs),"coordinates":[111319.490793,222684.208506]}"#
            let read = ReadFeatures(
                #"{"type":"Feature","properties":{},"geometry":\#(metres)}"# + "\n"
                    + #"{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[1,2]}}"#)
            #expect(read.places.count == 2 && read.places.allSatisfy { $0.isNear(2, 1) }, "\(read.faults)")
        }
    }

    @Test(arguments: [1, .max])
    func `the coordinate system of a document on one line counts wherever it stands`(pieces: Int) {
        let crs = #""crs":{"type":"name","properties":{"name":"urn:ogc:def:crs:EPSG::3857"}}"#
        let features =
            #""features":[{"type":"Feature","properties":{},"geometry":{"type":"Point","coordinates":[111319.490793,222684.208506]}}]"#
        for members in ["\(crs),\(features)", "\(features),\(crs)"] {
            let line = "{\"type\":\"FeatureCollection\",\(members)}\n"
            // The next line has degrees again.
            let read = ReadFeatures(line + "{\"lat\":1,\"lon\":2}\n", pieces: pieces)
            #expect(read.places.first?.isNear(2, 1) == true && read.places.last?.isNear(1, 2) == true)
            #expect(read.faults == [])
        }
        let late = "{\"type\":\"FeatureCollection\",\n\(features),\n\(crs)}"
        let faults = ReadFeatures(late, pieces: pieces).faults
        #expect(faults.contains { $0.contains("put it before \"features\"") }, "\(faults)")
    }

    @Test(arguments: [1, .max])
    func `every text of a line of JSON is read`(pieces: Int) {
        let line = "{\"lat\":1,\"lon\":2}{\"lat\":3,\"lon\":4} , {\"lat\":5,\"lon\":6}"
        let read = ReadFeatures("{\"lat\":7,\"lon\":8}\n\(line)\n", pieces: pieces)
        #expect(read.features.count == 4 && read.faults == [])
        let rest = ReadFeatures("{\"lat\":7,\"lon\":8}\n{\"lat\":1,\"lon\":2} rest\n", pieces: pieces)
        #expect(rest.features.count == 2 && rest.faults.count == 1)
    }

    @Test func `names in windows-1252 are read in GeoJSON, too, and others are reported`() {
        func document(_ name: [UInt8]) -> [UInt8] {
            Array("{\"type\":\"Feature\",\"properties\":{\"name\":\"".utf8) + name
                + Array("\"},\"geometry\":{\"type\":\"Point\",\"coordinates\":[1,2]}}\n".utf8)
        }
        let western = ReadFeatures(document([0x4B, 0xE4, 0x73, 0x65]))
        #expect(western.names == ["Käse"] && western.faults == [])
        let cyrillic = ReadFeatures(document([0xCC, 0xEE, 0xF1, 0xEA, 0xE2, 0xE0]))
        #expect(cyrillic.features.count == 1 && cyrillic.faults.first?.contains("not UTF-8") == true)
    }

    @Test func `a fault in JSON names the text that it is about`() {
        let faults = ReadFeatures(
            "{\"type\":\"Point\",\"coordinates\":[1,\"north\"]}\n{\"lat\":1 \"lon\":2}\n"
        ).faults
        #expect(faults.first?.contains("\"north\" is not a number") == true, "\(faults)")
        #expect(faults.last?.contains("',' is missing before \"\"lon\":2}\"") == true, "\(faults)")
    }

    @Test(arguments: [1, .max])
    func `a byte order mark before GeoJSON is skipped`(pieces: Int) {
        let text = "\u{FEFF}\n{\"type\":\"FeatureCollection\",\n\"features\":[{\"lat\":1,\"lon\":2}]}"
        let read = ReadFeatures(text, pieces: pieces)
        #expect(read.features.count == 1 && read.faults == [])
    }

    // MARK: Near the poles

    @Test func `figures near the poles are those of the true positions`() {
        func length(_ points: [(Double, Double)]) -> Double {
            let text = points.map { "<trkpt lat='\($0.0)' lon='\($0.1)'/>" }.joined()
            return TrackStatistics(
                ReadFeatures("<gpx><trk><trkseg>\(text)</trkseg></trk></gpx>").features[0].paths
            ).distance
        }
        let metres = Coordinate(latitude: 86, longitude: 10).metres(
            to: Coordinate(latitude: 89, longitude: 10))
        #expect(abs(length([(86, 10), (87, 10), (88, 10), (89, 10)]) - metres) < 1)
        #expect(abs(length([(89.9, 0), (89.9, 180)]) - metres / 15) < 5)
        #expect(abs(length([(-89, 10), (-90, 10)]) - metres / 3) < 400)
        let pole = ReadFeatures("90,0\n-90,0\n89.5,7\n").places.map(\.latitude)
        #expect(zip(pole, [90, -90, 89.5]).allSatisfy { abs($0 - $1) < 1e-9 })
    }

    @Test func `features beyond the map's edge frame the edge`() throws {
        let box = try #require(OverlayIndex(ReadFeatures("89,7\n").features).box)
        let bounds = try #require(box.bounds)
        #expect(box.minY < 0 && abs(bounds.north - Mercator.latitudeLimit) < 1e-6)
        #expect(bounds.south < bounds.north)
    }

    // MARK: Recognition

    @Test(
        arguments: [
            ("\u{FEFF}\n\n{\"type\": \"FeatureCollection\", \"features\": [", true),
            ("{\"type\":\"FeatureCollection\",\"features\":[{\"properties\":{\"layers\":1}}]}", true),
            ("{\"name\":\"x\",\"geometry\":{}}", true), ("[{\"type\":\"Feature\"}]", true),
            ("{\"version\":8,\"sources\":{\"a\":{\"type\":\"Feature\"}},\"layers\":[]}", false),
            ("{\"tiles\":[],\"tilejson\":\"3.0.0\"}", false), ("{\"name\":\"long", nil), ("{", nil),
            ("\u{FEFF}<?xml version='1.0'?><!-- c --><ns0:gpx xmlns:ns0='x'>", true),
            ("<kml>", true), ("<osm>", false), ("<html>", false), ("<!-- long", nil),
            ("{\"lat\":60,\"lon\":21}", true), ("{\"lat\":60,\"lon\":21}\n{\"lat\":61,", true),
            ("$GPRMC,1", true), ("$IIGLL,1", true), ("$PUBX,00", true), ("$HOME/bin", false),
        ] as [(String, Bool?)])
    func `a file is recognised by its content`(text: String, isRecognised: Bool?) {
        #expect(FeatureReader.mayHold(Array(text.utf8), isNamedJSON: true) == isRecognised, "\(text)")
    }
}
