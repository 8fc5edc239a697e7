internal import RhumbCore

/// A row of the sources page: a whole source, or one of its zooms.
struct CacheSourceRow {
    let source: String
    /// The zoom; nil for the whole source.
    let zoom: Int?
    let entries: Int
    let bytes: Int
    private let present: Int
    private let fresh: Int?
    /// True for documents, which have no zooms.
    let isDocuments: Bool

    private init(_ source: String, _ zoom: Int?, _ rows: [CacheOverview.Row]) {
        self.source = source
        self.zoom = zoom
        entries = rows.reduce(0) { $0 + $1.entries }
        bytes = rows.reduce(0) { $0 + $1.bytes }
        present = rows.reduce(0) { $0 + $1.entries - $1.absent }
        let known = rows.compactMap(\.fresh)
        fresh = known.count == rows.count ? known.reduce(0, +) : nil
        isDocuments = rows.allSatisfy { $0.zoom < 0 }
    }

    /// Returns the sources with their zooms, largest source first.
    /// - Parameter isListed: Returns true for the names to list.
    static func list(_ rows: [CacheOverview.Row], _ isListed: (String) -> Bool) -> [CacheSourceRow] {
        let wanted = rows.filter { isListed($0.name) }
        let sources = Dictionary(grouping: wanted, by: \.name).map { CacheSourceRow($0.key, nil, $0.value) }
            .sorted { ($1.bytes, $0.source) < ($0.bytes, $1.source) }
        return sources.flatMap { source in
            let zooms = wanted.filter { $0.name == source.source && $0.zoom >= 0 }.sorted {
                $0.zoom < $1.zoom
            }
            return [source] + zooms.map { CacheSourceRow($0.name, $0.zoom, [$0]) }
        }
    }

    var title: String { zoom.map { "  z\($0)" } ?? source }

    /// The share of fresh entries, in percent; "…" while it is unknown.
    var freshText: String { fresh.map { present > 0 ? "\(100 * $0 / present) %" : "–" } ?? "…" }
}
