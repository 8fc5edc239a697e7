internal import RhumbCore

/// A known format of positions that Rhumb doesn't read, with a way to convert it.
struct ForeignFormat {
    /// The format and the conversion, as a sentence without its subject.
    let description: String

    private init(_ name: String, _ remedy: String) { description = "is \(name); \(remedy)" }

    /// Detects a format by the beginning of a file; nil for another one.
    /// - Parameter path: The name of the file, for the conversion.
    init?(_ head: [UInt8], _ path: String) {
        if let packed = Self.packed(head, path) {
            self = packed
            return
        }
        let text = String(decoding: head, as: UTF8.self),
            start = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        switch start.first {
        case "{", "[": self.init(json: text, path)
        case "<": self.init(xml: text, path)
        default: self.init(lines: start, path)
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

    private init?(json text: String, _ path: String) {
        func has(_ members: String...) -> Bool { members.allSatisfy { text.contains("\"\($0)\"") } }
        if has("semanticSegments") {
            self = Self.google(".semanticSegments[].timelinePath[]?.point", path)
        } else if has("startTime", "endTime"), has("visit") || has("activity") || has("timelinePath") {
            self = Self.google(".[].timelinePath[]?.point|ltrimstr(\"geo:\")", path)
        } else if has("timelineObjects") {
            let point = ".timelineObjects[].placeVisit?.location|select(.)"
            self = Self.google("\(point)|\"\\(.latitudeE7/1e7),\\(.longitudeE7/1e7)\"", path)
        } else if has("locations", "latitudeE7") {
            self = Self.google(".locations[]|\"\\(.latitudeE7/1e7),\\(.longitudeE7/1e7)\"", path)
        } else if has("osm3s") || has("version", "elements") {
            self.init("JSON of Overpass or OpenStreetMap", "convert it with osmtogeojson \(path)")
        } else if text.contains("\"Topology\"") {
            self.init("TopoJSON", Self.ogr2ogr(path))
        } else if text.contains("\"esriGeometry") {
            self.init("Esri JSON", Self.ogr2ogr(path))
        } else {
            return nil
        }
    }

    private init?(xml text: String, _ path: String) {
        if text.contains("<loc version=") {
            self.init("a list of geocaches", Self.gpsbabel("geo", path))
        } else if text.contains("<osm version=") || text.contains("<osm generator=") {
            self.init("OpenStreetMap XML", "name it .osm, or convert it with ogr2ogr")
        } else if text.contains("<rss") || text.contains("<feed") {
            self.init("GeoRSS", Self.ogr2ogr(path))
        } else {
            return nil
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
        } else if text.hasPrefix("H  SOFTWARE NAME") {
            self.init("a CompeGPS file", Self.gpsbabel("compegps", path))
        } else {
            return nil
        }
    }

    /// Detects a ZIP archive by the names of its files.
    init(zip names: [String]) {
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
