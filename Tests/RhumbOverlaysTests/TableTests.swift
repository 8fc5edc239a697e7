@testable import RhumbOverlays
import RhumbCore
import RhumbTestSupport
import Testing

/// Tests tables as other programs write them.
struct TableTests {
    /// Two rows at 43.7, 7.4 and 33.9 S, 151.2.
    private func expectPlaces(_ text: String, faults: Int = 0, _ names: [String]? = nil) {
        for pieces in [1, .max] {
            let read = ReadFeatures(text, pieces: pieces)
            #expect(read.places.count == 2 && read.reader.faults.count == faults, "\(text) \(read.faults)")
            guard read.places.count == 2 else { continue }
            #expect(read.places[0].isNear(43.7, 7.4) && read.places[1].isNear(-33.9, 151.2), "\(text)")
            if let names { #expect(read.names == names) }
        }
    }

    @Test(arguments: [
        ("lat", "lon"), ("LAT", "LNG"), ("Latitude", "Longitude"), ("y", "x"), ("stop_lat", "stop_lon"),
        ("decimalLatitude", "decimalLongitude"), ("latitude_deg", "longitude_deg"),
        ("Latitude (deg)", "Longitude (deg)"),
        ("point_y", "point_x"), ("lat_wgs84", "lon_wgs84"), ("Y_COORD", "X_COORD"),
        ("GPSLatitude", "GPSLongitude"),
        ("start_lat", "start_lng"), ("latDD", "lonDD"), ("Breite", "Länge"), ("Breitengrad", "Längengrad"),
        ("geogr. Breite", "geogr. Länge"), ("latitud", "longitud"), ("Широта", "Долгота"), ("緯度", "経度"),
    ])
    func `columns are found by the words of their names`(latitude: String, longitude: String) {
        for separator in [",", ";", "\t", "|"] {
            let header = ["id", latitude, "count", longitude, "name"].joined(separator: separator)
            let rows = [["1", "43.7", "17", "7.4", "A"], ["2", "-33.9", "18", "151.2", "B"]]
            for end in ["\n", "\r\n", "\r"] {
                expectPlaces(
                    ([header] + rows.map { $0.joined(separator: separator) }).joined(separator: end),
                    ["A", "B"])
                expectPlaces(
                    "\u{FEFF}"
                        + ([header] + rows.map { $0.joined(separator: separator) }).joined(separator: end)
                        + end)
            }
        }
    }

    @Test(arguments: [
        ("start_lat,start_lon,end_lat,end_lon", true), ("lat,lon,lat_min,lat_max,lon_min,lon_max", false),
        ("lat,lon,x,y", false),
    ])
    func `a second position in each row is mentioned`(header: String, isMentioned: Bool) {
        let read = ReadFeatures("\(header)\n1,2,3,4,5,6\n")
        #expect(read.places.first?.isNear(1, 2) == true && read.faults == [])
        #expect((read.reader.remark != nil) == isMentioned)
    }

    @Test(arguments: ["nombre", "Nazwa", "имя", "名称", "stop_name"])
    func `names are found in several languages`(column: String) {
        expectPlaces("lat,lon,\(column)\n43.7,7.4,A\n-33.9,151.2,B\n", ["A", "B"])
    }

    @Test(arguments: [
        "id,count\n1,2\n", "stop_id,stop_code,name\n1,17,Main\n", "easting,northing\n500000,4800000\n",
        "lat_min,lat_max,lon_min,lon_max\n1,2,3,4\n",
        "x_offset,y_offset\n1,2\n", "tile_x;tile_y\n17;18\n", "name\tvalue\na\t5\n",
    ])
    func `a table without known columns is refused with those that are read`(text: String) {
        let read = ReadFeatures(text)
        #expect(read.features.isEmpty && read.reader.faults.count == 1, "\(read.faults)")
        #expect(
            read.faults[0].hasPrefix("line 1: the table has no known columns")
                && read.faults[0].contains("lat and lon"))
    }

    @Test func `quoted fields may contain separators, quotes and line breaks`() {
        expectPlaces(
            "lat,lon,name\n43.7,7.4,\"Café\ndu \"\"Port\"\"\n,\"\n-33.9,151.2,B\n",
            ["Café du \"Port\" ,", "B"])
        expectPlaces("\"lat\",\"lon\",\"name\nof it\"\r\n\"43.7\",\"7.4\",\"A\"\r\n-33.9,151.2,B", nil)
        expectPlaces("lat,lon,\"a;b\",name\n43.7,7.4,x,\"Roma, IT\"\n-33.9,151.2,,B\n", ["Roma, IT", "B"])
        expectPlaces("lat, lon, \"name\"\n43.7, 7.4, \"A, B\"\n-33.9, 151.2, C\n", ["A, B", "C"])
        let open = ReadFeatures("lat,lon,name\n43.7,7.4,A\n1,2,\"B\n3,4,C\n")
        #expect(
            open.names == ["A", "C"]
                && open.faults == ["line 3: a quotation mark has no end; the row is skipped"])
    }

    @Test func `a quote without an end loses only its own row`() {
        let rows = (1...1000).map { "\($0 % 90),7,\($0 == 11 ? "\"" : "")row \($0)\n" }
        let read = ReadFeatures("lat,lon,name\n" + rows.joined())
        #expect(read.features.count == 999 && read.reader.faults.count == 1)
        #expect(read.names.last == "row 1000" && read.faults[0].hasPrefix("line 12: "))
    }

    @Test func `a quoted field without an end is bounded`() {
        let read = ReadFeatures(
            "lat,lon,name\n1,2,\"B\n" + String(repeating: "1,2,\"\"\n", count: 160_000) + "43.7,7.4,A\n")
        #expect(read.reader.faults.count > 0 && read.names.contains("A"))
    }

    @Test func `Excel's first line names the separator`() {
        expectPlaces("sep=;\nlat;lon;name\n43,7;7,4;A\n-33,9;151,2;B\n", ["A", "B"])
        expectPlaces("\"sep=|\"\nlat|lon|a,b\n43.7|7.4|A\n-33.9|151.2|B\n")
        expectPlaces("sep=\t\r\nlat\tlon\tname\r\n43.7\t7.4\tA\r\n-33.9\t151.2\tB\r\n", ["A", "B"])
    }

    @Test func `a line about the file may precede the header`() {
        expectPlaces(
            "WigleWifi-1.4,appRelease=2.0\nSSID,lat,lon,name\nx,43.7,7.4,A\ny,-33.9,151.2,B\n", ["A", "B"])
    }

    @Test func `decimal commas are read where they don't separate`() {
        expectPlaces("Name;Breitengrad;Längengrad\nA;43,7;7,4\nB;-33,9;151,2\n", ["A", "B"])
        expectPlaces("lat,lon\n\"43,7\",\"7,4\"\n\"-33,9\",\"151,2\"\n")
        expectPlaces("43,7;7,4;A\n-33,9;151,2;B\n", ["A", "B"])
    }

    @Test func `angles may have letters, minutes and seconds, or columns for them`() {
        expectPlaces("name,lat,lon\nA,43.7N,7.4E\nB,33.9S,151.2E\n")
        expectPlaces("name,lat,lon\nA,43°42'00\"N,7°24'00\"E\nB,33° 54.0' S,151 12 E\n")
        expectPlaces("name;lat;lon\nA;N 43° 42,0';E 7:24:00\nB;S33.9;E151.2\n")
        expectPlaces("INDEX,LATITUDE,N/S,LONGITUDE,E/W\n1,43.7,N,7.4,E\n2,33.9,S,151.2,E\n")
        expectPlaces("lat,lat_hemisphere,lon,lon_hemisphere\n43.7,N,7.4,E\n33.9,South,151.2,East\n")
        expectPlaces("lat_deg,lat_min,lat_dir,lon_deg,lon_min,lon_dir\n43,42,N,7,24,E\n33,54,S,151,12,E\n")
        let read = ReadFeatures("lat,N/S,lon,E/W\n43.7,X,7.4,E\n")
        #expect(read.features.isEmpty && read.reader.faults.count == 1)
    }

    @Test(
        arguments: [
            ("CIRCULARSTRING(0 0,1 1,2 0)", .line, 45), ("TIN Z(((0 0 1,1 0 1,1 1 1,0 0 1)))", .polygon, 3),
            ("POLYHEDRALSURFACE(((0 0,1 0,1 1,0 0)))", .polygon, 3),
            ("COMPOUNDCURVE((0 0,1 0),CIRCULARSTRING(1 0,2 1,3 0))", .line, 46),
            ("CURVEPOLYGON(COMPOUNDCURVE((3 0,0 0,1 0),CIRCULARSTRING(1 0,2 1,3 0)))", .polygon, 46),
            ("MULTICURVE((0 0,1 1),CIRCULARSTRING(0 0,1 1,2 0))", .line, 2),
            ("MULTISURFACE(((0 0,1 0,1 1,0 0)),CURVEPOLYGON((0 0,1 0,1 1,0 0)))", .polygon, 3),
        ] as [(String, VectorFeature.Kind, Int)])
    func `curves and surfaces in WKT are read`(text: String, kind: VectorFeature.Kind, count: Int) throws {
        let read = ReadFeatures("WKT,name\n\"\(text)\",A\n")
        let feature = try #require(read.features.first)
        #expect(read.faults == [] && feature.kind == kind)
        #expect((count...count + 2).contains(feature.paths.first?.points.count ?? 0))
    }

    @Test func `a column may contain whole positions or WKT`() {
        expectPlaces("id,geo_point_2d\n1,\"43.7, 7.4\"\n2,\"-33.9, 151.2\"\n")
        expectPlaces("name,WKT\nA,POINT (7.4 43.7)\nB,\"SRID=4326;POINT Z(151.2 -33.9 5)\"\n", ["A", "B"])
        let read = ReadFeatures(
            "WKT,name\n\"LINESTRING (7.4 43.7,7.5 43.8)\",B\n\"POLYGON((0 0,1 0,1 1,0 0),(.1 .1,.2 .1,.2 .2,.1 .1))\",C\n"
                + "\"GEOMETRYCOLLECTION(POINT(1 2),MULTIPOINT((1 2),(3 4)))\",D\nPOINT EMPTY,E\nPOINT(1),F\n\"SRID=3857;POINT(1 2)\",G\n"
        )
        #expect(read.features.map(\.kind) == [.line, .polygon, .point, .point, .point])
        #expect(read.reader.faults.count == 2 && read.faults[1].contains("EPSG:3857"))
        #expect(
            ReadFeatures("POINT (7.4 43.7)\nLINESTRING(1 2, 3 4)\n").features.map(\.kind) == [.point, .line])
    }

    @Test func `rows out of range say whether the columns may be swapped or are in metres`() {
        let read = ReadFeatures("lat,lon\n151.2,-33.9\n4800000,500000\n")
        #expect(
            read.features.isEmpty && read.faults[0].contains("swapped") && read.faults[1].contains("ogr2ogr"))
    }

    @Test func `windows-1252 is read, and other encodings are reported`() {
        let german = ReadFeatures(
            Array("Name;Breite;L".utf8) + [0xE4] + Array("nge\nK".utf8) + [0xE4] + Array("se;43,7;7,4\n".utf8)
        )
        #expect(german.names == ["Käse"] && german.reader.faults.count == 0)
        let russian = ReadFeatures(
            Array("name,lat,lon\n".utf8) + [0xCF, 0xF0, 0xE8, 0xE2] + Array(",43.7,7.4\n".utf8))
        #expect(russian.features.count == 1 && russian.faults[0].contains("iconv"))
        let excel = Array("\u{FEFF}name\tlat\tlon\r\nKäse\t43.7\t7.4\r\n".utf16).flatMap {
            [UInt8($0 & 255), UInt8($0 >> 8)]
        }
        #expect(ReadFeatures(excel, pieces: 3).names == ["Käse"])
    }

    @Test(arguments: ["name,lat,lon\nKäse,43.7,7.4\n", "{\"type\": \"Point\", \"coordinates\": [7.4, 43.7]}"])
    func `a text in UTF-16 is recognised by its content`(text: String) {
        for mark in ["", "\u{FEFF}"] {
            let units = (mark + text).utf16
            let little = units.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
            let big = units.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
            for bytes in [little, big] {
                #expect(FeatureReader.mayHold(bytes, isNamedJSON: false) == true)
                #expect(ReadFeatures(bytes).places.first?.isNear(43.7, 7.4) == true)
            }
        }
        let words = "one, two".utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
        #expect(FeatureReader.mayHold(words, isNamedJSON: false) == false)
    }

    @Test func `fields at the beginning may be empty, and look like remarks or sentences`() {
        expectPlaces("name\tlat\tlon\n\t43.7\t7.4\n$5,00\t-33.9\t151.2\n", ["", "$5,00"])
        expectPlaces("# lat,lon,name\n43.7,7.4,A\n# remark\n-33.9,151.2,B\n", ["A", "B"])
        expectPlaces("tag,lat,lon\n#1,43.7,7.4\n[2],-33.9,151.2\n")
        expectPlaces(
            "time,latitude,longitude\nUTC,degrees_north,degrees_east\n2024-01-01,43.7,7.4\n2024-01-01,-33.9,151.2\n"
        )
    }

    @Test func `a word is no geohash, although its letters could be one`() {
        let read = ReadFeatures("test\nu4pruyd\nbest\nsuper\n60.1,22.2,A\n", pieces: 1)
        #expect(read.names == ["", "A"])
        #expect(read.faults.count == 3 && read.faults[0] == "line 1: not a place or feature: test")
    }

    @Test(arguments: ["\r", "\n", "\r\n"])
    func `every format of lines has any line ends`(end: String) {
        let lines = [
            "60.1,22.2,A", #"{"lat":1,"lon":2,"name":"B"}"#, "N0CALL>APRS:!4903.50N/07201.75W-C",
            "polyline5:_p~iF~ps|U_ulLnnqC,D",
            "!AIVDM,1,1,,A,15RTgt0PAso;90TKcjM8h6g208CQ,0*4A", "nonsense", "60.1,22.2,E",
        ]
        for pieces in [1, 2, .max] {
            let read = ReadFeatures(lines.joined(separator: end) + end, pieces: pieces)
            #expect(read.names == ["A", "B", "N0CALL", "D", "371798000", "E"], "\(read.names)")
            #expect(read.faults == ["line 6: not a place or feature: nonsense"])
        }
    }

    @Test(arguments: [
        "LAT,LATHEM,LON,LONHEM", "Latitude,LatitudeHemisphere,Longitude,LongitudeHemisphere",
        "lat,latns,lon,lonew", "lat,lat hemi,lng,lng-hemi", "y,yhem,x,xhem", "lat,Lat N/S,lon,Lon E/W",
        "GPSLatitude,GPSLatitudeRef,GPSLongitude,GPSLongitudeRef", "LAT,DIRLAT,LONG,DIRLONG",
        "lat,lat_direction,lon,lon_direction",
    ])
    func `hemispheres may be in columns of their own`(header: String) {
        expectPlaces("\(header)\n43.7,N,7.4,E\n33.9,S,151.2,E\n")
        #expect(ReadFeatures("\(header)\n33.5,S,70.5,W\n").places.first?.isNear(-33.5, -70.5) == true)
    }

    @Test(arguments: [
        ("lat,lat,lon\n1,43.7,7.4\n", "several columns are named \"lat\""),
        ("lat,lon,latitude,longitude\n43.7,7.4,43.8,7.5\n", "several positions"),
        ("start_lat,start_lon,end_lat,end_lon\n43.7,7.4,43.8,7.5\n", "several positions"),
    ])
    func `columns with other positions are reported`(table: String, remark: String) {
        #expect(ReadFeatures(table).reader.remark?.contains(remark) == true)
    }
}
