internal import Glibc
internal import RhumbCore
internal import RhumbEngine
internal import RhumbStore

/// The origin of a live layer's features.
public enum OverlayOrigin: Sendable, Hashable {
    /// A file, watched for changes. A pipe is read as data arrives.
    case file(String)
    case standardInput
    /// A shell command, repeated a number of seconds after it ends.
    case command(String, pace: Double)
    /// A web document.
    case address(String)
    /// A gpsd server with the position and the ships nearby.
    case gpsd(host: String, port: Int)
    /// A server that sends lines over TCP.
    case stream(host: String, port: Int)
    /// An APRS-IS server with the stations in view.
    case aprs(host: String, port: Int)
    /// A device of a Meshtastic network, with the positions of its nodes.
    case meshtastic(host: String, port: Int)

    /// The default interval in seconds between two runs of a command.
    public static let usualPace = 10.0
    /// The port of APRS-IS servers for filtered data.
    private static let aprsPort = 14580
    /// The port of Meshtastic's stream protocol.
    private static let meshtasticPort = 4403

    /// Parses an origin: "-", "exec:COMMAND", "exec:30s:COMMAND", "gpsd:HOST", "tcp:HOST:PORT", "aprs:HOST",
    /// "meshtastic:HOST", "features:ADDRESS", an address that is known to have features, or a file with them.
    /// Returns nil for anything else, such as an archive of tiles.
    /// - Parameter isOver: True for an overlay. Otherwise, a GeoPackage with both tiles and features is
    ///   treated as a map.
    public init?(_ specifier: String, isOver: Bool = true) {
        if specifier.lowercased().hasSuffix(".gpkg"),
            case let holds = GeoPackageTiles.contents(of: specifier),
            holds.tiles,
            !(isOver && holds.features)
        {
            return nil
        }
        if specifier == "-" {
            self = .standardInput
        } else if let rest = specifier.after("exec:") {
            self = Self.command(rest)
        } else if specifier == "gpsd:" {
            self = .gpsd(host: "localhost", port: 2947)
        } else if let rest = specifier.after("gpsd:") {
            self =
                Self.host(rest, port: 2947).map { .gpsd(host: $0, port: $1) } ?? .gpsd(host: rest, port: 2947)
        } else if let rest = specifier.after("aprs:") {
            guard let (host, port) = Self.host(rest, port: Self.aprsPort) else { return nil }
            self = .aprs(host: host, port: port)
        } else if let rest = specifier.after("meshtastic://") ?? specifier.after("meshtastic:") {
            guard let (host, port) = Self.host(rest, port: Self.meshtasticPort) else { return nil }
            self = .meshtastic(host: host, port: port)
        } else if let rest = specifier.after("tcp:") {
            guard let (host, port) = Self.host(rest, port: 0), port > 0 else { return nil }
            self = .stream(host: host, port: port)
        } else if let address = specifier.after(Self.features) {
            guard URLReference.isWeb(address) else { return nil }
            self = .address(address)
        } else if URLReference.isWeb(specifier) {
            guard Self.isFeatures(address: specifier) else { return nil }
            self = .address(specifier)
        } else {
            guard Self.isFeatures(file: specifier) else { return nil }
            self = .file(specifier)
        }
    }

    /// Parses a command, which may begin with an interval as in "30s:COMMAND".
    private static func command(_ text: String) -> OverlayOrigin {
        let head = text.prefix { $0 != ":" }, units: [Character: Double] = ["s": 1, "m": 60, "h": 3600]
        if head.count < text.count, let unit = head.last.flatMap({ units[$0] }),
            let number = Double(head.dropLast()), number > 0
        {
            return .command(String(text.dropFirst(head.count + 1)), pace: max(number * unit, 0.2))
        }
        return .command(text, pace: usualPace)
    }

    /// Parses "HOST:PORT", "HOST" or "[::1]:PORT".
    private static func host(_ text: String, port: Int) -> (String, Int)? {
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
            let rest = text[text.index(after: end)...].dropFirst()
            return (String(text[text.index(after: text.startIndex)..<end]), Int(rest) ?? port)
        }
        guard let colon = text.lastIndex(of: ":") else { return text.isEmpty ? nil : (text, port) }
        guard let given = Int(text[text.index(after: colon)...]), (1...65535).contains(given) else {
            return nil
        }
        return (String(text[..<colon]), given)
    }

    /// The prefix of addresses that don't show that they have features and no map.
    private static let features = "features:"
    /// The extensions of files that are read without another program.
    private static let endings = [
        ".gpx", ".kml", ".kmz", ".tcx", ".fit", ".geojson", ".geojsonl", ".geojsons", ".ndjson", ".jsonl",
        ".csv", ".tsv", ".nmea",
    ]
    /// The extensions of formats that are named, but not read.
    private static let foreignEndings = [".igc", ".loc", ".plt", ".rec"]
    /// The extensions of files that are read or named if they are on this machine. Those on servers are
    /// refused with a way to read them.
    private static let localEndings = [
        ".fgb", ".shp", ".gml", ".osm", ".parquet", ".geoparquet", ".xlsx", ".ods", ".sqlite",
    ]

    private static func isFeatures(address: String) -> Bool {
        let path = address.prefix { $0 != "?" && $0 != "#" }.lowercased().trimmingEnding(".gz")
        guard !path.contains("{") else { return false }
        if (endings + foreignEndings + localEndings).contains(where: path.hasSuffix) { return true }
        // Such as "export?format=gpx", and the features of OGC API and WFS.
        let query = address.prefix { $0 != "#" }.drop { $0 != "?" }.dropFirst().lowercased()
        return path.contains("/collections/") && path.hasSuffix("/items")
            || query.split(separator: "&").contains { item in
                item == "request=getfeature" || endings.contains("." + item.drop { $0 != "=" }.dropFirst())
            }
    }

    private static func isFeatures(file: String) -> Bool {
        // A name without a dot or slash is the name of a source.
        guard file.contains(".") || file.contains("/") else { return false }
        let name = file.lowercased().trimmingEnding(".gz")
        if endings.contains(where: name.hasSuffix)
            || GDALConversion.drivers.keys.contains(where: name.hasSuffix)
        {
            return true
        }
        guard !Files.isFolder(file) else { return false }
        // Most files are recognised by their first bytes. Long comments, names or properties may come first.
        for length in [1 << 12, 1 << 16, 1 << 20, 1 << 24] {
            guard let packed = head(of: file, length) else { return false }
            let head = FileSignature(packed) == .gzip ? unpacked(packed, length) : packed
            // Reading these fails with the format and a way to convert it.
            if FileSignature(head) == .zip || ForeignFormat(head, file) != nil { return true }
            guard FileSignature(head) == nil else { return false }
            if let answer = FeatureReader.mayHold(head, isNamedJSON: name.hasSuffix(".json")) {
                return answer
            }
            if packed.count < length { return false }
        }
        return false
    }

    /// Returns the beginning of a gzip file's contents.
    private static func unpacked(_ head: [UInt8], _ length: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        // The head ends within the data, after whose beginning this fails.
        try? Gzip.unpack(head, limit: 16 * length) { piece in
            bytes += piece
            return bytes.count < length
        }
        return bytes
    }

    private static func head(of file: String, _ length: Int) -> [UInt8]? {
        let descriptor = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        guard FileFacts(descriptor: descriptor)?.isFile == true else { return nil }
        var bytes = [UInt8](repeating: 0, count: length)
        let count = read(descriptor, &bytes, bytes.count)
        return count > 0 ? Array(bytes[..<count]) : nil
    }

    /// True for a server that sends features without an end.
    public var isEndless: Bool {
        switch self {
        case .gpsd, .stream, .aprs, .meshtastic: true
        case .file, .standardInput, .command, .address: false
        }
    }

    /// True for a file.
    public var isFile: Bool { path != nil }

    /// The path of a file; nil for another origin.
    var path: String? { if case .file(let path) = self { path } else { nil } }

    /// True for a web document, whose data has its own age.
    package var isAddress: Bool { if case .address = self { true } else { false } }

    /// True if GDAL is needed to read the file.
    var isForeign: Bool {
        guard case .file(let path) = self else { return false }
        return GDALConversion.drivers.keys.contains { path.lowercased().hasSuffix($0) && $0 != ".gpkg" }
    }

    /// The specifier of the origin on another machine; nil for local origins and commands.
    var specifier: String? {
        switch self {
        case .file(let path): path
        case .address(let address):
            Self.isFeatures(address: address) ? address : Self.features + address
        case .standardInput, .command, .gpsd, .stream, .aprs, .meshtastic: nil
        }
    }

    /// The name in lists.
    public var name: String {
        switch self {
        case .file(let path):
            SafeText.sanitised(path.lastPathName, limit: 60)
        case .standardInput: "standard input"
        case .command(let command, _): SafeText.sanitised(command, limit: 40)
        case .address(let address):
            SafeText.sanitised(String(address.prefix { $0 != "?" }).lastPathName, limit: 60)
        case .gpsd(let host, _): "gpsd \(SafeText.sanitised(host, limit: 40))"
        case .aprs(let host, _): "APRS \(SafeText.sanitised(host, limit: 40))"
        case .meshtastic(let host, _): "Meshtastic \(SafeText.sanitised(host, limit: 40))"
        case .stream(let host, let port): "\(SafeText.sanitised(host, limit: 40)):\(port)"
        }
    }
}

extension String {
    fileprivate func after(_ prefix: String) -> String? {
        hasPrefix(prefix) ? String(dropFirst(prefix.count)) : nil
    }
    fileprivate func trimmingEnding(_ ending: String) -> String {
        hasSuffix(ending) ? String(dropLast(ending.count)) : self
    }
}
