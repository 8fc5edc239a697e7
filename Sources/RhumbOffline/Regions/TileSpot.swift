internal import RhumbStore

/// Where the body of a tile lies that is wanted.
struct TileSpot: Sendable {
    let item: SupplyRequest
    let section: FileSection

    /// Bytes between two tiles that are read along rather than asked around.
    private static let gap: UInt64 = 64 << 10
    /// The most bytes asked for at once, unless one tile has more.
    private static let longest: UInt64 = 4 << 20

    /// Tiles in groups that lie close together, in the order of the file.
    /// - Parameter readingAlong: whether a little between them may be read along.
    static func runs(_ spots: [TileSpot], readingAlong: Bool = true) -> [[TileSpot]] {
        var runs: [[TileSpot]] = [], end: UInt64 = 0
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
