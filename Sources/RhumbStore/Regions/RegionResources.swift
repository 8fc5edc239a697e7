/// The numbers of tiles and documents that a region needs and has stored, like Mapbox's
/// TileRegionLoadProgress.
public struct RegionResources: Sendable, Equatable {
    /// The number of tiles and documents that the region needs.
    public internal(set) var required = 0
    /// The number of stored resources, including those known not to exist.
    public internal(set) var completed = 0
    /// The total size of the stored bodies in bytes.
    public internal(set) var completedBytes = 0
    /// The number of tiles received from servers since the work began. Documents are not included, because
    /// they are loaded when the map is opened.
    public internal(set) var loaded = 0
    /// The bytes that were transferred for those tiles, compressed as they were.
    public internal(set) var loadedBytes = 0
    /// The number of failed tiles.
    public internal(set) var errored = 0
}

/// The number and size of a region's documents.
public struct RegionDocumentCount: Sendable, Equatable {
    /// The number of documents that the region's map needs.
    public internal(set) var required = 0
    /// The number of stored documents.
    public internal(set) var stored = 0
    /// The total size of the stored documents in bytes.
    public internal(set) var bytes = 0
}

extension RegionRecord {
    /// The resources of the editions being worked on.
    public var resources: RegionResources {
        var resources = RegionResources()
        resources.required = planned + documents.required
        resources.completed = documents.stored
        resources.completedBytes = documents.bytes
        for part in active.map(\.stored) {
            resources.completed += part.tiles + part.absent
            resources.completedBytes += part.bytes
        }
        resources.loaded = active.reduce(0) { $0 + $1.loaded }
        resources.loadedBytes = active.reduce(0) { $0 + $1.loadedBytes }
        resources.errored = failed
        return resources
    }
}

extension Connection {
    /// Returns the document counts of each region by its number. The counts of new editions take precedence.
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
