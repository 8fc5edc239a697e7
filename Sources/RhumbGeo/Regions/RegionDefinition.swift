public import RhumbBase

/// The request of a user for a region.
public struct RegionDefinition: Hashable, Sendable {
    /// The name of the region on the command line.
    public internal(set) var id: RegionID
    /// The sanitised name for users; the id if the user gave none.
    public var name: String
    /// Arbitrary JSON of the user or a program.
    public var metadata: JSON
    /// The area of the region.
    public var geometry: RegionGeometry
    /// The zooms of the region.
    public var zooms: ZoomRange
    /// The ids of the sources: at least one, without duplicates.
    public let sources: [String]
    /// The names of the features of the region. Sources and vector layers of other features are left out.
    public var features: [String]
    /// The scale: 1…4 for tiles of 256…1,024 pixels.
    public private(set) var scale: Int
    /// The choice of tiles: those that the area touches, or their whole packs.
    public var packing: RegionTileSet.Packing
    /// The files or addresses of the styles for its vector tiles.
    public var style = StyleChoice.standard
    /// Ranges of zooms with their own scales; empty if all sources have the region's `zooms` at its `scale`.
    /// Setting them extends `zooms` and `scale` to all of them.
    public var tilesets: [ZoomTileset] = [] {
        didSet {
            zooms = ZoomTileset.span(of: tilesets) ?? zooms
            scale = tilesets.map(\.scale).max() ?? scale
        }
    }

    /// - Throws: `RegionDefinitionFailure.noSource`, `.scale`
    public init(
        id: RegionID, name: String = "", metadata: JSON = .null, geometry: RegionGeometry,
        zooms: ZoomRange, sources: [String], features: [String], scale: Int = 1,
        packing: RegionTileSet.Packing = .exact
    ) throws(RegionDefinitionFailure) {
        guard !sources.isEmpty, !sources.contains("") else { throw .noSource }
        guard (1...4).contains(scale) else { throw .scale(scale) }
        let safe = SafeText.sanitised(name, limit: 80)
        self.id = id
        self.name = safe.isEmpty ? id.text : safe
        self.metadata = metadata
        self.geometry = geometry
        self.zooms = zooms
        self.sources = sources.enumerated().filter { !sources[..<$0.offset].contains($0.element) }.map(
            \.element)
        self.features = features
        self.scale = scale
        self.packing = packing
    }

    /// Returns the tiles of one of its sources.
    /// - Parameters:
    ///   - origin: The key of the tiles' origin.
    ///   - available: The zooms of the source.
    ///   - bounds: The area for which the source has tiles; nil for no limit.
    public func cover(
        of origin: String = "", available: ClosedRange<Int>, bounds: Bounds? = nil
    ) -> RegionTileSet {
        RegionTileSet(
            geometry, levels: zoomLevels(of: origin), available: available, bounds: bounds, packing: packing)
    }

    /// Returns the packs of one of its sources. See `cover` for the parameters.
    public func packs(of origin: String = "", available: ClosedRange<Int>, bounds: Bounds? = nil) -> PackSet {
        PackSet(geometry, levels: zoomLevels(of: origin), available: available, bounds: bounds)
    }

    /// Returns the same region with another id and name.
    /// - Parameter name: Empty for the id.
    public func renamed(to id: RegionID, name: String) -> RegionDefinition {
        var renamed = self
        let safe = SafeText.sanitised(name, limit: 80)
        renamed.id = id
        renamed.name = safe.isEmpty ? id.text : safe
        return renamed
    }
}

/// The reason why a region definition is invalid.
public enum RegionDefinitionFailure: RecoverableError, Hashable, Sendable, CustomStringConvertible {
    case noSource
    case scale(Int)
    case id(RegionIDFailure)
    case geometry(RegionGeometryFailure)
    case zooms(ZoomRangeFailure)
    /// A member of the JSON is missing or of another type.
    case member(String)
    /// A newer version of Rhumb wrote the definition.
    case version(Int)

    public var description: String {
        switch self {
        case .noSource: "a region needs a source"
        case .scale(let scale): "invalid scale \(scale); use 1, 2, 3 or 4"
        case .id(let failure): failure.description
        case .geometry(let failure): failure.description
        case .zooms(let failure): failure.description
        case .member(let name):
            "the region's \"\(name)\" is missing or has the wrong type; recreate the region"
        case .version(let version): "the region has version \(version); update Rhumb"
        }
    }

    /// The suggestion to name a source if there is none.
    public var remedy: RecoverySuggestion? { self == .noSource ? .nameSource : nil }
}

extension RegionDefinition {
    /// Version 2 has tilesets. Without them version 1 is written, which earlier programs read, too.
    private static let version = 2

    /// The definition as JSON; the geometry is GeoJSON.
    public var json: JSON {
        guard !tilesets.isEmpty, case .object(var members) = plainJSON else { return plainJSON }
        members["version"] = .integer(RegionDefinition.version)
        members["tilesets"] = .array(tilesets.map(\.json))
        return .object(members)
    }

    private var plainJSON: JSON {
        [
            "version": 1, "id": .string(id.text), "name": .string(name),
            "metadata": metadata, "geometry": geometry.geoJSON,
            "zooms": [.integer(zooms.lowest), .integer(zooms.highest)],
            "sources": .array(sources.map { .string($0) }), "features": .array(features.map { .string($0) }),
            "scale": .integer(scale), "exact": .bool(packing == .exact), "style": style.json,
        ]
    }

    /// Parses the output of `json`.
    /// - Throws: `RegionDefinitionFailure`
    public init(json: JSON) throws(RegionDefinitionFailure) {
        guard let version = json["version"]?.int else { throw .member("version") }
        guard version <= RegionDefinition.version else { throw .version(version) }
        guard let id = json["id"]?.string else { throw .member("id") }
        guard let geometry = json["geometry"] else { throw .member("geometry") }
        guard let isExact = json["exact"]?.bool else { throw .member("exact") }
        guard let scale = json["scale"]?.int else { throw .member("scale") }
        try self.init(
            id: RegionDefinition.read(id), name: json["name"]?.string ?? "",
            metadata: json["metadata"] ?? .null,
            geometry: RegionDefinition.read(geometry), zooms: RegionDefinition.zooms(json),
            sources: RegionDefinition.texts(json, "sources"),
            features: RegionDefinition.texts(json, "features"),
            scale: scale, packing: isExact ? .exact : .wholePacks)
        style = StyleChoice(json: json["style"])
        for tileset in json["tilesets"]?.array ?? [] { tilesets.append(try ZoomTileset(json: tileset)) }
    }

    private static func read(_ id: String) throws(RegionDefinitionFailure) -> RegionID {
        do throws(RegionIDFailure) { return try RegionID(id) } catch { throw .id(error) }
    }

    private static func read(_ geometry: JSON) throws(RegionDefinitionFailure) -> RegionGeometry {
        try converting(RegionGeometry(geoJSON: geometry), to: RegionDefinitionFailure.geometry)
    }

    private static func zooms(_ json: JSON) throws(RegionDefinitionFailure) -> ZoomRange {
        let numbers = json["zooms"]?.array?.compactMap(\.int) ?? []
        guard numbers.count == 2 else { throw .member("zooms") }
        return try converting(ZoomRange(numbers[0], numbers[1]), to: RegionDefinitionFailure.zooms)
    }

    private static func texts(_ json: JSON, _ name: String) throws(RegionDefinitionFailure) -> [String] {
        guard let texts = json[name]?.array?.map(\.string), !texts.contains(nil) else { throw .member(name) }
        return texts.compactMap { $0 }
    }
}

/// The name by which users refer to a region in commands and file names: 1–64 ASCII letters, digits, ".", "_"
/// and "-", beginning with a letter or digit.
public struct RegionID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The id as the user entered it.
    public let text: String

    /// - Throws: `RegionIDFailure`
    public init(_ text: String) throws(RegionIDFailure) {
        guard let first = text.unicodeScalars.first else { throw .empty }
        guard text.unicodeScalars.count <= 64 else { throw .tooLong }
        let odd = text.unicodeScalars.first {
            !RegionID.isAlphanumeric($0) && !"._-".unicodeScalars.contains($0)
        }
        if let odd { throw .character(odd) }
        guard RegionID.isAlphanumeric(first) else { throw .beginning(first) }
        self.text = text
    }

    /// Creates an id from a name. Characters that an id may not have become "-"; an empty id becomes
    /// "region".
    public init(from name: String) {
        let parts = name.unicodeScalars.split { !RegionID.isAlphanumeric($0) }
        let joined = parts.map { String($0).lowercased() }.joined(separator: "-").prefix(64)
        text = joined.isEmpty ? "region" : String(joined)
    }

    private static func isAlphanumeric(_ scalar: Unicode.Scalar) -> Bool {
        ("a"..."z").contains(scalar) || ("A"..."Z").contains(scalar) || ("0"..."9").contains(scalar)
    }

    public var description: String { text }

    public static func < (a: RegionID, b: RegionID) -> Bool { a.text < b.text }
}

/// The reason why a text isn't a region id.
public enum RegionIDFailure: Error, Hashable, Sendable, CustomStringConvertible {
    case empty
    case tooLong
    case character(Unicode.Scalar)
    case beginning(Unicode.Scalar)

    public var description: String { "a region's id \(problem); use letters, digits, \".\", \"_\" and \"-\"" }

    private var problem: String {
        switch self {
        case .empty: "is empty"
        case .tooLong: "has more than 64 characters"
        case .character(let scalar):
            "can't contain the character U+\(scalar.value.digits(4, radix: 16, uppercase: true))"
        case .beginning(let scalar): "can't begin with \"\(Character(scalar))\""
        }
    }
}
