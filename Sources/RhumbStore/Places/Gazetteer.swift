public import RhumbCore
public import RhumbEngine
internal import Synchronization

/// Places of the whole earth with their names in many languages, in one SQLite file that is read
/// where it lies. What has been looked at stays unpacked, a few megabytes at most.
public final class Gazetteer: PlaceSearch {
    let file: Mutex<GazetteerFile>

    /// Opens a gazetteer in memory; nothing is copied.
    /// - Parameter name: what errors call it.
    public convenience init(_ memory: MemoryBytes, name: String) throws(PlaceSearchFailure) {
        try self.init(name, .mapped(memory))
    }

    /// Opens a gazetteer's file.
    public convenience init(file: String) throws(PlaceSearchFailure) { try self.init(file, .readOnly) }

    private init(_ name: String, _ mode: Connection.Mode) throws(PlaceSearchFailure) {
        file = Mutex(try GazetteerFile(name, mode))
    }

    /// The places that words name, the best first.
    public func places(
        matching text: String, near: Coordinate?, limit: Int
    ) throws(PlaceSearchFailure) -> [PlaceMatch] {
        try file.withLock { file throws(PlaceSearchFailure) in
            try file.search(text, near: near, limit: limit)
        }
    }

    /// The place that tells best where a point is.
    public func nearest(
        to point: Coordinate, minimumImportance: Double
    ) throws(PlaceSearchFailure) -> PlaceBearing? {
        try file.withLock { file throws(PlaceSearchFailure) in
            try file.nearest(to: point, minimumImportance: minimumImportance)
        }
    }

    /// The places in a box, the most important first.
    public func places(
        in bounds: Bounds, minimumImportance: Double, limit: Int
    ) throws(PlaceSearchFailure) -> [NamedPlace] {
        try file.withLock { file throws(PlaceSearchFailure) in
            try file.places(in: bounds, minimumImportance: minimumImportance, limit: limit)
        }
    }
}
