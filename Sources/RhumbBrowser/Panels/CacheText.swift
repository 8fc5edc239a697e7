internal import RhumbCore

/// The texts of questions and notices of the cache panel.
enum CacheText {
    static func removal(of source: String) -> String { "Delete everything cached from \(source)?" }

    static let noPlace = "A document has no place on the map"
    static let invalidation = "Mark as stale:"

    static func outOfRange(_ zoom: Int) -> String {
        "Zoom \(zoom) is out of range (0 to \(TileID.maximumZoom))"
    }
}
