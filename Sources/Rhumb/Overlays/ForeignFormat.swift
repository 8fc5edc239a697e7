internal import RhumbCore

/// A known format of positions that Rhumb doesn't read, with a way to convert it.
struct ForeignFormat {
    /// The format and the conversion, as a sentence without its subject.
    let description: String

    private init(_ name: String, _ remedy: String) { description = "is \(name); \(remedy)" }

    /// Detects a format by the beginning of a file; nil for another one.
    /// - Parameter path: The name of the file, for the conversion.
    init?(_ head: [UInt8], _ path: String) {
        if let binary = Self.packed(head, path) ?? Self.binary(head, path) {
            self = binary
            return
        }
        let start = head.dropFirst(head.starts(with: "\u{FEFF}".utf8) ? 3 : 0).drop { $0 <= 0x20 }
        switch start.first {
        case UInt8(ascii: "{"), UInt8(ascii: "["): self.init(members: FeatureReader.members(of: head), path)
        case UInt8(ascii: "<"): self.init(root: head.withUnsafeBufferPointer { XMLRoot(of: $0).name }, path)
        default: self.init(lines: String(decoding: start, as: UTF8.self)[...], path)
        }
    }

    /// Detects a compressed file that Rhumb doesn't unpack.
    private static func packed(_ head: [UInt8], _ path: String) -> ForeignFormat? {
        switch FileSignature(head) {
        case .bzip2: ForeignFormat("a bzip2 file", "unpack it with bunzip2 \(path)")
        case .xz: ForeignFormat("an xz file", "unpack it with unxz \(path)")
        case .zstandard: ForeignFormat("a Zstandard file", "unpack it with unzstd \(path)")
        default: nil
        }
    }

    /// Detects a binary format of features.
    private static func binary(_ head: [UInt8], _ path: String) -> ForeignFormat? {
        func begins(_ text: String, _ rest: [UInt8] = []) -> Bool {
            head.starts(with: Array(text.utf8) + rest)
        }
        if begins("fgb", [3]) { return ForeignFormat("FlatGeobuf", saving("fgb")) }
        if begins("PAR1") { return ForeignFormat("a Parquet file", ogr2ogr(path)) }
        if let garmin = ForeignFormat(garmin: head, path) { return garmin }
        if head.starts(with: [0, 0, 0x27, 0x0A]) {
            return ForeignFormat("a shapefile", saving("shp") + ", with its .shx and .dbf beside it")
        }
        return nil
    }

    /// Detects Garmin's format, whose files have the extension of Esri's folders.
    init?(garmin head: [UInt8], _ path: String) {
        guard head.starts(with: Array("MsRcf".utf8) + [0]) else { return nil }
        self.init("a Garmin MapSource file", Self.gpsbabel("gdb", path))
    }

    /// Detects a format that is read from files, but not from servers or programs.
    init?(streamed head: [UInt8]) {
        guard FileSignature(head) == .sqlite else { return nil }
        self.init("a GeoPackage or other SQLite database", Self.saving("gpkg"))
    }

    private static func saving(_ ending: String) -> String { "save it as a file .\(ending), and open that" }

    /// Detects a format of JSON by the members of its first object. Those nested in it may be anything.
    private init?(members: [String: String], _ path: String) {
        let type = members["type"] ?? ""
        guard !FeatureReader.isGeoJSON(type: type) else { return nil }
        func has(_ names: String...) -> Bool { names.allSatisfy { members[$0] != nil } }
        /// True if a member is an object or an array, or begins like one.
        func isNested(_ name: String) -> Bool { members[name]?.first.map { "{[".contains($0) } ?? false }
        if has("semanticSegments") {
            self = Self.google(".semanticSegments[].timelinePath[]?.point", path)
        } else if has("startTime", "endTime"),
            ["visit", "activity", "timelinePath"].contains(where: isNested)
        {
            self = Self.google(".[].timelinePath[]?.point|ltrimstr(\"geo:\")", path)
        } else if has("timelineObjects") {
            let point = ".timelineObjects[].placeVisit?.location|select(.)"
            self = Self.google("\(point)|\"\\(.latitudeE7/1e7),\\(.longitudeE7/1e7)\"", path)
        } else if members["locations"]?.contains("\"latitudeE7\"") == true {
            self = Self.google(".locations[]|\"\\(.latitudeE7/1e7),\\(.longitudeE7/1e7)\"", path)
        } else if has("osm3s") || has("version", "elements") {
            self.init("JSON of Overpass or OpenStreetMap", "convert it with osmtogeojson \(path)")
        } else if type == "Topology" {
            self.init("TopoJSON", Self.ogr2ogr(path))
        } else if members["geometryType"]?.hasPrefix("esriGeometry") == true {
            self.init("Esri JSON", Self.ogr2ogr(path))
        } else {
            return nil
        }
    }

    private init?(root: XMLName?, _ path: String) {
        switch root {
        case XMLName("loc"): self.init("a list of geocaches", Self.gpsbabel("geo", path))
        case XMLName("osm"):
            self.init("OpenStreetMap XML", Self.saving("osm") + ", or convert it with ogr2ogr")
        case XMLName("FeatureCollection"): self.init("GML", Self.saving("gml"))
        case XMLName("rss"), XMLName("feed"): self.init("GeoRSS", Self.ogr2ogr(path))
        default: return nil
        }
    }

    private init?(lines text: Substring, _ path: String) {
        let line = text.prefix { !$0.isNewline }
        if text.hasPrefix("OziExplorer") {
            self.init("an OziExplorer file", Self.gpsbabel("ozi", path))
        } else if Self.isFlightRecord(text) {
            self.init("an IGC flight record", Self.gpsbabel("igc", path))
        } else if line.contains("\t{\"_type\":") {
            self.init("a recording of OwnTracks", "convert it with cut -f3 \(path)")
        } else if text.hasPrefix("# @VGMT") {
            // Its lines of numbers would be read with the latitude first.
            self.init("a vector file of GMT", Self.ogr2ogr(path))
        } else if text.hasPrefix("H  SOFTWARE NAME") {
            self.init("a CompeGPS file", Self.gpsbabel("compegps", path))
        } else {
            return nil
        }
    }

    /// Detects a ZIP archive by the names of its files.
    init(zip names: [String]) {
        if names.contains("xl/workbook.xml") || names.contains("content.xml") {
            let format = names.contains("content.xml") ? "an OpenDocument file" : "an Excel workbook"
            self.init(format, "save it as CSV, with columns of latitude and longitude")
            return
        }
        guard let name = names.first(where: ForeignFormat.isKnown) else {
            self.init("a ZIP archive without a KML document", "unpack it with unzip, and open its files")
            return
        }
        let shown = SafeText.sanitised(name, limit: 60)
        self.init("a ZIP archive with \(shown)", "unpack it with unzip, and open \(shown)")
    }

    /// Returns true for a file with features by its name.
    static func isKnown(_ name: String) -> Bool {
        [".gpx", ".shp", ".geojson", ".json", ".csv", ".tcx", ".fit", ".nmea", ".gpkg"].contains {
            name.lowercased().hasSuffix($0)
        }
    }

    private static func google(_ filter: String, _ path: String) -> ForeignFormat {
        ForeignFormat("Google's location history", "list its positions with jq -r '\(filter)' \(path)")
    }

    private static func gpsbabel(_ format: String, _ path: String) -> String {
        "convert it with gpsbabel -i \(format) -f \(path) -o gpx -F out.gpx"
    }

    private static func ogr2ogr(_ path: String) -> String {
        "convert it with ogr2ogr -f GeoJSON out.geojson \(path)"
    }

    /// Returns true for IGC: a manufacturer, and then a header with the date.
    private static func isFlightRecord(_ text: Substring) -> Bool {
        text.hasPrefix("A")
            && text.split(whereSeparator: \.isNewline).prefix(5).contains { $0.hasPrefix("HFDTE") }
    }
}
