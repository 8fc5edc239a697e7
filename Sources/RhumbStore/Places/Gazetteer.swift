public import RhumbCore
public import RhumbEngine
internal import Synchronization

/// The places of the whole earth with names in many languages, in one SQLite file that is read in place. At
/// most a few megabytes of decoded data are cached.
public final class Gazetteer: PlaceSearch {
    let file: Mutex<GazetteerFile>

    /// Opens a gazetteer in memory without copying it.
    /// - Parameter name: The name for errors.
    public convenience init(_ memory: MemoryBytes, name: String) throws(PlaceSearchFailure) {
        try self.init(name, .mapped(memory))
    }

    /// Opens a gazetteer's file.
    public convenience init(file: String) throws(PlaceSearchFailure) { try self.init(file, .readOnly) }

    private init(_ name: String, _ mode: Connection.Mode) throws(PlaceSearchFailure) {
        file = Mutex(try GazetteerFile(name, mode))
    }

    /// Returns the places that match a text, best first.
    public func places(
        matching text: String, near: Coordinate?, limit: Int, forgives: Bool
    ) throws(PlaceSearchFailure) -> [PlaceMatch] {
        try file.withLock { file throws(PlaceSearchFailure) in
            try file.search(text, near: near, limit: limit, forgives: forgives)
        }
    }

    /// Returns the place that best describes the location of a point; nil if there is none.
    public func nearest(
        to point: Coordinate, minimumImportance: Double
    ) throws(PlaceSearchFailure) -> PlaceBearing? {
        try file.withLock { file throws(PlaceSearchFailure) in
            try file.nearest(to: point, minimumImportance: minimumImportance)
        }
    }

    /// Returns the places in a box, most important first.
    public func places(
        in bounds: Bounds, minimumImportance: Double, limit: Int
    ) throws(PlaceSearchFailure) -> [NamedPlace] {
        try file.withLock { file throws(PlaceSearchFailure) in
            try file.places(in: bounds, minimumImportance: minimumImportance, limit: limit)
        }
    }

    /// Returns the places of some kinds in a box, most important first.
    public func places(
        of kinds: Set<NamedPlace.Kind>, in bounds: Bounds, limit: Int
    ) throws(PlaceSearchFailure) -> [NamedPlace] {
        try file.withLock { file throws(PlaceSearchFailure) in
            try file.places(of: kinds, in: bounds, minimumImportance: 0, limit: limit)
        }
    }

    /// The gazetteer's name folding, for searching other lists in the same way.
    package var folding: NameFolding { file.withLock { $0.nameFolding } }
}
