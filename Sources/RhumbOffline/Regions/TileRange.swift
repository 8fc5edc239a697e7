internal import RhumbCore

/// A tile to fetch, and its position in the archive.
struct TileRange: Sendable {
    let item: SupplyRequest
    let section: FileSection

    /// The maximum gap in bytes between two tiles of one request. The bytes of the gap are read and
    /// discarded.
    private static let gap: UInt64 = 64 << 10
    /// The maximum size of a request in bytes, unless a single tile is larger.
    private static let longest: UInt64 = 4 << 20

    /// Returns groups of adjacent tiles, in the order of the file.
    /// - Parameter readingAlong: True to allow small gaps between them.
    static func runs(_ spots: [TileRange], readingAlong: Bool = true) -> [[TileRange]] {
        var runs: [[TileRange]] = [], end: UInt64 = 0
        let gap = readingAlong ? gap : 0
        for spot in spots.sorted(by: { $0.section.offset < $1.section.offset }) {
            if let first = runs.last?.first, spot.section.offset <= end + gap,
                max(end, spot.section.end) - first.section.offset <= longest
            {
                runs[runs.count - 1].append(spot)
                end = max(end, spot.section.end)
            } else {
                runs.append([spot])
                end = spot.section.end
            }
        }
        return runs
    }
}
