@testable import RhumbOverlays
import RhumbCore
import RhumbTestSupport
import Testing

struct XMLFeatureTests {
    static let gpx = """
        <?xml version="1.0"?>
        <gpx version="1.1" xmlns="http://www.topografix.com/GPX/1/1"><metadata><name>Trip &amp; back</name></metadata>
        <wpt lat="47.5" lon="9.5"><ele>400</ele><name>Start</name><sym>Flag</sym><desc>here</desc></wpt>
        <rte><name>Plan</name><rtept lat="47" lon="9"/><rtept lat="47.1" lon="9.1"/></rte>
        <trk><name>Walk</name><extensions><gpxx:TrackExtension><gpxx:DisplayColor>DarkBlue</gpxx:DisplayColor></gpxx:TrackExtension></extensions>
        <trkseg><trkpt lat="1" lon="2"><ele>10,5</ele><time>2020-01-01T00:00:00Z</time></trkpt>
        <trkpt lat="1.001" lon="2"><ele>30</ele><time>2020-01-01T00:01:00Z</time><extensions><hr>90</hr></extensions></trkpt></trkseg>
        <trkseg><trkpt lat="5" lon="6"/><trkpt lat="5" lon="7"/></trkseg></trk></gpx>
        """

    static let kml = """
        <kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>Places</name>
        <Style id="s"><LineStyle><color>7f0000ff</color><width>4</width></LineStyle><PolyStyle><color>40ff0000</color></PolyStyle></Style>
        <StyleMap id="m"><Pair><key>normal</key><styleUrl>#s</styleUrl></Pair></StyleMap>
        <Placemark id="p1"><name>Point</name><description><![CDATA[<b>x</b>]]></description><Point><coordinates> 11,43,5 </coordinates></Point>
        <ExtendedData><Data name="kind"><value>shop</value></Data></ExtendedData></Placemark>
        <Placemark><name>Area</name><styleUrl>#m</styleUrl><Polygon><outerBoundaryIs><LinearRing><coordinates>
        0,0 1,0 1,1 0,0</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark>
        <Placemark><name>Track</name><gx:Track><when>2020-01-01T00:00:00Z</when><when>2020-01-01T00:00:10Z</when>
        <gx:coord>1 2 3</gx:coord><gx:coord>1.1 2 4</gx:coord></gx:Track></Placemark>
        <NetworkLink><name>n</name><Link><href>https://maps.example/x.kml</href></Link></NetworkLink></Document></kml>
        """

    @Test(arguments: [1, 17, .max])
    func `GPX contains waypoints, routes and tracks with heights, times and colours`(pieces: Int) {
        let read = ReadFeatures(Self.gpx, pieces: pieces)
        #expect(read.reader.format == .gpx)
        #expect(read.reader.title == "Trip & back")
        #expect(read.names == ["Start", "Plan", "Walk"])
        #expect(read.features[0].attributes["description"] == "here")
        #expect(read.features[0].style?.symbol == "Flag")
        let walk = read.features[2]
        #expect(walk.paths.map(\.points.count) == [2, 2])
        #expect(walk.paths[0].heights == [10.5, 30])
        #expect(walk.paths[0].times == [1_577_836_800, 1_577_836_860])
        #expect(walk.style?.ink == RGB(0x00008B))
        #expect(read.faults == [])
    }

    @Test func `times of tracks are written to the millisecond, and read again`() {
        let times = [1_700_000_000, 1_700_000_000.1, 1_700_000_000.25, 1_700_000_000.9996, -0.57]
        let texts = [
            "2023-11-14T22:13:20Z", "2023-11-14T22:13:20.1Z", "2023-11-14T22:13:20.25Z",
            "2023-11-14T22:13:21Z",
            "1969-12-31T23:59:59.43Z",
        ]
        let points = times.indices.map { SIMD2(0.5 + Double($0) / 1000, 0.5) }
        let path = OverlayPath(points, times: times)
        let text = GPXText.document([(name: "Walk", paths: [path, path])], creator: "test")
        for time in texts { #expect(text.contains("<time>\(time)</time>"), "\(text)") }
        #expect(text.hasSuffix(GPXText.trackEnd))
        let read = ReadFeatures(text)
        #expect(read.faults == [])
        for path in read.features.first?.paths ?? [] {
            #expect(zip(path.times, times).allSatisfy { abs($0 - $1) < 0.001 }, "\(path.times)")
        }
    }

    @Test func `the points of the road between the points of Garmin's routes are read`() throws {
        let read = ReadFeatures(
            """
            <gpx xmlns="http://www.topografix.com/GPX/1/1" \
            xmlns:gpxx="http://www.garmin.com/xmlschemas/GpxExtensions/v3"><rte><name>A</name>
            <rtept lat="43.7" lon="7.4"><name>Start</name><extensions><gpxx:RoutePointExtension>\
            <gpxx:rpt lat="43.71" lon="7.41"/><gpxx:rpt lat="43.72" lon="7.4"><gpxx:Subclass>0</gpxx:Subclass>\
            </gpxx:rpt></gpxx:RoutePointExtension></extensions></rtept>
            <rtept lat="43.75" lon="7.45"/></rte></gpx>
            """)
        #expect(read.names == ["A"] && read.faults == [])
        let path = try #require(read.features.first?.paths.first)
        let latitudes = (0..<path.points.count).map { path.coordinate($0).latitude }
        #expect(zip(latitudes, [43.7, 43.71, 43.72, 43.75]).allSatisfy { abs($0 - $1) < 1e-6 })
        #expect(latitudes.count == 4)
    }

    @Test func `points beyond a full turn are refused, and those of a line are counted`() {
        let read = ReadFeatures(
            """
            <gpx xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>
            <trkpt lat="43" lon="7"/><trkpt lat="43" lon="407.4"/><trkpt lat="91" lon="7"/><trkpt lon="7"/>
            <trkpt lat="43" lon="187"/><trkpt lat="43" lon="359.5"/></trkseg></trk></gpx>
            """)
        #expect(read.faults == ["line 2: point without lat and lon in degrees (3 times)"])
        #expect(read.features.first?.paths.map(\.points.count) == [3])
    }

    @Test(arguments: [
        #"{"type":"Point","coordinates":[407.4,43.7]}"#, "lat,lon\n43.7,407.4\n", "43.7,407.4\n",
        "<kml><Placemark><Point><coordinates>407.4,43.7</coordinates></Point></Placemark></kml>",
        "wkt,name\nPOINT(407.4 43.7),a\n",
    ])
    func `every format refuses longitudes beyond a full turn`(text: String) {
        let read = ReadFeatures(text)
        #expect(read.features.isEmpty && read.reader.faults.count == 1, "\(read.faults)")
        #expect(ReadFeatures(text.replacing("407.4", with: "357.4")).features.count == 1)
    }

    @Test func `the valid parts of broken GPX are read, and the faults reported`() {
        let cut = String(Self.gpx.prefix(while: { _ in true }).dropLast(90))
        #expect(ReadFeatures(cut).names == ["Start", "Plan", "Walk"])
        #expect(ReadFeatures(cut).faults == ["the file is truncated"])
        let unnamed = Self.gpx.replacing(" xmlns=\"http://www.topografix.com/GPX/1/1\"", with: "").replacing(
            "</trkpt>\n<trkpt", with: "\n<trkpt")
        #expect(ReadFeatures(unnamed).features.count == 3)
        let wrong = Self.gpx.replacing("lat=\"47.5\"", with: "lat=\"nowhere\"")
        #expect(ReadFeatures(wrong).names == ["Plan", "Walk"])
        #expect(ReadFeatures(wrong).faults == ["line 3: point without lat and lon in degrees"])
    }

    @Test(
        arguments: [
            ("<gpx><wpt lat=\"1\" lon=\"2\"><name>A</nam></wpt><wpt lat=\"3\"/></gpx>", "an end tag"),
            ("<gpx><wpt lat=\"1\" lon=\"2\"/></gpx><gpx><wpt lat=\"3\" lon=\"4\"/></gpx>", "text after"),
            ("<gpx><wpt lat=\"1\" lon=\"2\"/><wpt lat=\"3\" lon=4/></gpx>", "not well-formed"),
        ])
    func `a fault says that the rest of the file is not shown`(document: String, reason: String) throws {
        let read = ReadFeatures(document), fault = try #require(read.faults.first)
        #expect(read.features.count == 1 && read.faults.count == 1)
        #expect(fault.contains(reason) && fault.hasSuffix("; the rest of the file is not shown"))
    }

    @Test func `longitudes beyond 180 degrees are wrapped in every format`() {
        for document in [
            "<gpx><wpt lat=\"1\" lon=\"190\"/></gpx>", "{\"type\": \"Point\", \"coordinates\": [190, 1]}",
            "<kml><Placemark><Point><coordinates>190,1</coordinates></Point></Placemark></kml>",
            "lat,lon\n1,190\n",
        ] {
            #expect(ReadFeatures(document).places.first?.isNear(1, -170) == true, "\(document)")
        }
        let track =
            "<gpx><trk><trkseg><trkpt lat=\"1\" lon=\"179\"/><trkpt lat=\"1\" lon=\"181\"/></trkseg></trk></gpx>"
        #expect(ReadFeatures(track).reader.faults.count == 0)
    }

    @Test func `a hexadecimal latitude is invalid`() {
        let read = ReadFeatures("<gpx><wpt lat='0x3c' lon='21'/><wpt lat='60' lon='21'/></gpx>")
        #expect(read.places.count == 1 && read.reader.faults.count == 1)
    }

    @Test func `documents that declare entities are rejected`() {
        let read = ReadFeatures(
            "<!DOCTYPE gpx [<!ENTITY a \"b\"><!ENTITY c SYSTEM \"file:///etc/passwd\">]><gpx><wpt lat=\"1\" lon=\"2\"><name>&c;</name></wpt></gpx>"
        )
        #expect(read.features.isEmpty)
        #expect(read.faults == ["line 1: it declares entities, which are not supported, for safety"])
        #expect(ReadFeatures("<gpx>" + String(repeating: "<a>", count: 100_000)).reader.faults.count == 1)
    }

    @Test(arguments: [1, 23, .max])
    func `KML contains points, areas in the colours of their styles, and tracks with times`(pieces: Int) {
        let read = ReadFeatures(Self.kml, pieces: pieces)
        #expect(read.reader.format == .kml)
        #expect(read.names == ["Point", "Area", "Track"])
        #expect(read.features[0].attributes["kind"] == "shop")
        #expect(read.features[0].attributes["description"] == "<b>x</b>")
        #expect(read.places[0].isNear(43, 11))
        let style = read.features[1].style
        #expect(style?.ink == RGB(0xFF0000))
        #expect(style?.width == 4)
        #expect(style?.fill == RGB(0x0000FF))
        #expect(read.features[1].paths[0].points.count == 3)
        #expect(read.features[2].paths[0].times == [1_577_836_800, 1_577_836_810])
        #expect(read.features[2].paths[0].heights == [3, 4])
        #expect(read.faults == ["line 10: NetworkLink to https://maps.example/x.kml is not read"])
    }

    @Test func `a ring of KML outside of a polygon is a closed line`() {
        let corners = "<coordinates>22,60 23,60 23,61 22,60</coordinates>"
        let read = ReadFeatures("<kml><Placemark><LinearRing>\(corners)</LinearRing></Placemark></kml>")
        #expect(read.features.first?.kind == .line && read.features.first?.paths[0].points.count == 4)
    }

    @Test(arguments: [("relativeToGround", true), ("absolute", false), ("clampToGround", false)])
    func `heights of KML above the ground are not heights above the sea`(mode: String, isUnknown: Bool) {
        let line = "<altitudeMode>\(mode)</altitudeMode><coordinates>22,60,5 23,60,7</coordinates>"
        let read = ReadFeatures("<kml><Placemark><LineString>\(line)</LineString></Placemark></kml>")
        #expect(read.features.first?.paths[0].heights.isEmpty == isUnknown)
    }

    @Test(arguments: [("0", 0.0), ("false", 0), ("1", 1), ("true", 1)])
    func `an area of KML is filled unless its style says otherwise`(fill: String, opacity: Double) {
        let corners = "<coordinates>22,60 23,60 23,61 22,60</coordinates>"
        let read = ReadFeatures(
            """
            <kml><Placemark><Style><PolyStyle><color>ff0000ff</color><fill>\(fill)</fill></PolyStyle></Style>
            <Polygon><outerBoundaryIs><LinearRing>\(corners)</LinearRing></outerBoundaryIs></Polygon>
            </Placemark></kml>
            """)
        #expect(read.features.first?.style?.fillOpacity == opacity)
    }

    @Test func `TCX contains activities`() {
        let read = ReadFeatures(
            """
            <TrainingCenterDatabase><Activities><Activity Sport="Running"><Id>2020-01-01T00:00:00Z</Id><Lap><Track>
            <Trackpoint><Time>2020-01-01T00:00:00Z</Time><Position><LatitudeDegrees>1</LatitudeDegrees><LongitudeDegrees>2</LongitudeDegrees></Position><AltitudeMeters>5</AltitudeMeters></Trackpoint>
            <Trackpoint><Time>2020-01-01T00:00:05Z</Time></Trackpoint>
            <Trackpoint><Time>2020-01-01T00:00:10Z</Time><Position><LatitudeDegrees>1.1</LatitudeDegrees><LongitudeDegrees>2</LongitudeDegrees></Position></Trackpoint>
            </Track></Lap></Activity></Activities></TrainingCenterDatabase>
            """)
        #expect(read.reader.format == .tcx)
        #expect(read.features.first?.attributes["sport"] == "Running")
        #expect(read.features.first?.paths[0].points.count == 2)
        #expect(read.faults == [])
    }

    @Test func `a point of TCX whose degrees are no number is reported`() {
        let read = ReadFeatures(
            """
            <TrainingCenterDatabase><Activities><Activity><Lap><Track><Trackpoint><Position>
            <LatitudeDegrees>x</LatitudeDegrees><LongitudeDegrees>2</LongitudeDegrees></Position></Trackpoint>
            </Track></Lap></Activity></Activities></TrainingCenterDatabase>
            """)
        #expect(read.faults.count == 1 && read.faults[0].contains("point out of range"))
    }

    @Test(arguments: ["10 m", "NaN", "INF"])
    func `a height that is no number is reported once, and its point is kept`(height: String) {
        let point = "<trkpt lat=\"1\" lon=\"2\"><ele>\(height)</ele></trkpt>"
        let read = ReadFeatures("<gpx><trk><trkseg>\(point)\(point)</trkseg></trk></gpx>")
        #expect(read.features.first?.paths[0].points.count == 2)
        #expect(read.faults == ["line 1: the height \(height) is not a number of metres"])
    }

    @Test func `the heights that mean a missing one are unknown`() {
        let points = [5, -9999, -32768].map { "<trkpt lat=\"1\" lon=\"2\"><ele>\($0)</ele></trkpt>" }
        let read = ReadFeatures("<gpx><trk><trkseg>\(points.joined())</trkseg></trk></gpx>")
        #expect(read.features.first?.paths[0].heights.map { $0.isNaN } == [false, true, true])
    }

    @Test func `TCX contains the points of a course with their kinds`() {
        func place(_ latitude: Double) -> String {
            "<Position><LatitudeDegrees>\(latitude)</LatitudeDegrees><LongitudeDegrees>2</LongitudeDegrees></Position>"
        }
        let read = ReadFeatures(
            """
            <TrainingCenterDatabase><Courses><Course><Name>Loop</Name><Track>
            <Trackpoint>\(place(1))</Trackpoint><Trackpoint>\(place(1.1))</Trackpoint></Track>
            <CoursePoint><Name>Top</Name><Time>2020-01-01T00:00:10Z</Time>\(place(1.1))
            <AltitudeMeters>900</AltitudeMeters><PointType>Summit</PointType><Notes>Rest</Notes></CoursePoint>
            <CoursePoint><Name>Nowhere</Name></CoursePoint></Course></Courses></TrainingCenterDatabase>
            """)
        #expect(read.names == ["Top", "Loop"] && read.reader.faults.count == 0)
        #expect(read.places[0].isNear(1.1, 2) && read.features[0].time == 1_577_836_810)
        #expect(read.features[0].attributes["type"] == "Summit")
        #expect(read.features[0].attributes["description"] == "Rest")
        #expect(read.features[0].attributes["height"] == "900.0")
    }

    @Test(
        arguments: [
            "<o:wpt lat='50' lon='50'><wpt lat='50' lon='50'/></o:wpt>",
            "<wpt xmlns='urn:o' lat='50' lon='50'><name>B</name></wpt>",
            "<extensions><o:wpt lat='50' lon='50'/></extensions>",
            "<trk><extensions><o:trkseg><o:trkpt lat='50' lon='50'/></o:trkseg></extensions></trk>",
            "<trk><trkseg><o:trkpt lat='50' lon='50'/></trkseg></trk>",
        ])
    func `elements of foreign namespaces are not GPX`(foreign: String) {
        for root in ["xmlns='http://www.topografix.com/GPX/1/1'", "xmlns='urn:unknown'", ""] {
            let parts = "<name>A</name><o:name>B</o:name><ele>1</ele><o:ele>9</o:ele>"
            let place = "<wpt o:lat='50' lat='60' lon='21'>\(parts)</wpt>"
            let read = ReadFeatures("<gpx \(root) xmlns:o='urn:o'>\(foreign)\(place)</gpx>")
            #expect(read.names == ["A"] && read.faults == [], "\(root)")
            #expect(read.features.first?.attributes["height"] == "1.0")
            #expect(read.places.first?.isNear(60, 21) == true)
        }
    }

    @Test(arguments: [
        "<extensions><wpt lat='50' lon='50'/><rte><rtept lat='50' lon='50'/></rte></extensions>",
        "<trk><extensions><trkseg><trkpt lat='50' lon='50'/></trkseg></extensions></trk>",
        "<rte><extensions><rtept lat='x' lon='50'/></extensions></rte>",
        "<extensions><trk><trkseg><trkpt lat='50' lon='50'><ele>x</ele></trkpt></trkseg></trk></extensions>",
    ])
    func `extensions with names of GPX are not GPX`(extensions: String) {
        for root in ["xmlns='http://www.topografix.com/GPX/1/1'", ""] {
            let foreign = "<extensions><ele>9</ele><name>B</name></extensions>"
            let place = "<wpt lat='60' lon='21'>\(foreign)<name>A</name></wpt>"
            let track = "<trk><trkseg><trkpt lat='1' lon='2'/><trkpt lat='1' lon='3'/></trkseg></trk>"
            let read = ReadFeatures("<gpx \(root)>\(extensions)\(place)\(track)</gpx>")
            #expect(read.names == ["A", ""] && read.faults == [], "\(root)")
            #expect(read.features.last?.paths.map(\.points.count) == [2])
            #expect(read.features.first?.attributes["height"] == nil)
        }
    }

    @Test func `the namespaces of other versions and the colours of extensions are read as GPX`() {
        let read = ReadFeatures(
            """
            <gpx xmlns="https://www.topografix.com/GPX/1/0" xmlns:x="http://www.garmin.com/xmlschemas/GpxExtensions/v3"
            xmlns:g="http://www.topografix.com/GPX/1/1"><g:wpt lat="1" lon="2"/><wpt xmlns="" lat="1" lon="2"/>
            <trk><extensions><x:TrackExtension><x:DisplayColor>Red</x:DisplayColor></x:TrackExtension></extensions>
            <trkseg><trkpt lat="1" lon="2"/><g:trkpt lat="1" lon="3"/></trkseg></trk></gpx>
            """)
        #expect(read.features.count == 3 && read.features.last?.style?.ink == RGB(0xFF0000))
        #expect(read.features.last?.paths[0].points.count == 2)
    }

    @Test func `elements of foreign namespaces are not KML`() {
        let read = ReadFeatures(
            """
            <kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2" xmlns:o="urn:o">
            <Document><Placemark><name>A</name><o:name>B</o:name>
            <ExtendedData><o:Point><o:coordinates>50,50</o:coordinates></o:Point></ExtendedData>
            <Point><coordinates>7,43</coordinates><o:coordinates>50,50</o:coordinates></Point></Placemark>
            <o:Placemark><Point><coordinates>50,50</coordinates></Point></o:Placemark>
            <Placemark xmlns="http://earth.google.com/kml/2.1"><name>T</name><gx:Track>
            <gx:coord>1 2 3</gx:coord><gx:coord>1.1 2 4</gx:coord></gx:Track></Placemark></Document></kml>
            """)
        #expect(read.names == ["A", "T"] && read.faults == [])
        #expect(read.places.first?.isNear(43, 7) == true)
    }

    @Test func `elements of foreign namespaces are not TCX`() {
        func place(_ latitude: Double, _ prefix: String = "") -> String {
            """
            <\(prefix)LatitudeDegrees>\(latitude)</\(prefix)LatitudeDegrees>
            <\(prefix)LongitudeDegrees>2</\(prefix)LongitudeDegrees>
            """
        }
        let read = ReadFeatures(
            """
            <TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2" xmlns:o="urn:o">
            <Courses><Course><Name>A</Name><o:Name>B</o:Name><Track><Trackpoint>\(place(1))
            <Extensions>\(place(50, "o:"))</Extensions></Trackpoint><Trackpoint>\(place(1.1))</Trackpoint>
            <o:Trackpoint>\(place(50))</o:Trackpoint></Track></Course></Courses></TrainingCenterDatabase>
            """)
        #expect(read.names == ["A"] && read.faults == [])
        #expect(read.features.first?.paths[0].points.count == 2)
    }
}
