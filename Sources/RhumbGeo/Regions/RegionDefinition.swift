public import RhumbBase

/// What a person asked for when a region was made.
public struct RegionDefinition: Hashable, Sendable {
    /// What the command line calls it.
    public internal(set) var id: RegionID
    /// For people; harmless to a terminal. The id if none was given.
    public var name: String
    /// Anything the person or program wants to keep with it.
    public var metadata: JSON
    /// The ground it covers.
    public var geometry: RegionGeometry
    /// The zooms it has.
    public var zooms: ZoomRange
    /// The ids of the sources, at least one, each once.
    public let sources: [String]
    /// The names of the features it contains; sources and vector layers of others are left out.
    public var features: [String]
    /// Pixels of a tile to a side of 256: 1…4.
    public private(set) var scale: Int
    /// The tiles it has: those its ground touches, or the whole packs of these.
    public var packing: RegionTileSet.Packing
    /// The files or addresses of the styles that its vector tiles are to be drawn in.
    public var style = StyleChoice.standard
    /// Ranges of zooms with scales of their own; empty if all sources have the region's `zooms` at its
    /// `scale`. Setting them makes `zooms` and `scale` span all of them.
    public var tilesets: [RegionTileset] = [] {
        didSet {
            zooms = RegionTileset.span(of: tilesets) ?? zooms
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

    /// The tiles of one of its sources.
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

    /// The packs of one of its sources, with the parameters of `cover`.
    public func packs(of origin: String = "", available: ClosedRange<Int>, bounds: Bounds? = nil) -> PackSet {
        PackSet(geometry, levels: zoomLevels(of: origin), available: available, bounds: bounds)
    }

    /// The same region with another id and name.
    /// - Parameter name: Empty for the id.
    public func renamed(to id: RegionID, name: String) -> RegionDefinition {
        var renamed = self
        let safe = SafeText.sanitised(name, limit: 80)
        renamed.id = id
        renamed.name = safe.isEmpty ? id.text : safe
        return renamed
    }
}

/// Why something is no definition of a region.
public enum RegionDefinitionFailure: RecoverableError, Hashable, Sendable, CustomStringConvertible {
    case noSource
    case scale(Int)
    case id(RegionIDFailure)
    case geometry(RegionGeometryFailure)
    case zooms(ZoomRangeFailure)
    /// A member of the JSON is missing or of another type.
    case member(String)
    /// It was written by a newer Rhumb.
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

    /// A source is to be named where there is none.
    public var remedy: RecoverySuggestion? { self == .noSource ? .nameSource : nil }
}
