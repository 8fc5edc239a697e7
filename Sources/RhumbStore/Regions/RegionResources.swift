/// The tiles and documents that a region needs, and those that are stored, like Mapbox's
/// TileRegionLoadProgress.
public struct RegionResources: Sendable, Equatable {
    /// Tiles and documents that it is made of.
    public internal(set) var required = 0
    /// The number of stored resources, including those known not to exist.
    public internal(set) var completed = 0
    /// The bytes of the stored bodies.
    public internal(set) var completedBytes = 0
    /// Sent by a server since the work on it began; of documents none, which came when the map was
    /// opened.
    public internal(set) var loaded = 0
    /// Of their bodies.
    public internal(set) var loadedBytes = 0
    /// The number of failed tiles.
    public internal(set) var errored = 0
}

/// The documents of a region.
public struct RegionDocumentCount: Sendable, Equatable {
    /// Documents the region's map is made of.
    public internal(set) var required = 0
    /// Those of them that are stored.
    public internal(set) var stored = 0
    /// Of those that are stored.
    public internal(set) var bytes = 0
}

extension RegionRecord {
    /// Of the editions that work is done on.
    public var resources: RegionResources {
        var resources = RegionResources()
        resources.required = planned + documents.required
        resources.completed = settled - failed + documents.stored
        resources.completedBytes = bytes + documents.bytes
        resources.loaded = active.reduce(0) { $0 + $1.loaded }
        resources.loadedBytes = active.reduce(0) { $0 + $1.loadedBytes }
        resources.errored = failed
        return resources
    }
}

extension Connection {
    /// Returns the documents of each region by its number, of the new editions if there are any.
    func documentCounts() throws(StoreFailure) -> [Int: RegionDocumentCount] {
        let rows = try prepare(
            """
            SELECT region, count(*), count(body), ifnull(sum(entries.size), 0) FROM region_documents AS carried
            LEFT JOIN origins ON kind = 1 AND origins.address = carried.address AND origins.edition = carried.edition
            LEFT JOIN entries ON origin = id AND z = -1
            GROUP BY region, stage ORDER BY stage
            """, to: "count the documents")
        var counts: [Int: RegionDocumentCount] = [:]
        while try rows.step() {
            counts[rows.int(0) ?? 0] = RegionDocumentCount(
                required: rows.int(1) ?? 0, stored: rows.int(2) ?? 0, bytes: rows.int(3) ?? 0)
        }
        return counts
    }
}
