internal import CDefaults
internal import RhumbCore
internal import Synchronization

/// The features of a part of the table, with the boxes around them. Each is decoded when it is first needed:
/// decoding all rivers, lakes and peaks takes 15 ms, and reading their boxes two.
final class FeatureIndex: Sendable {
    /// A line of the table.
    struct Row: Sendable {
        fileprivate let line: Range<Int>
        fileprivate let box: WorldBox
        /// The zooms of maps that name the feature.
        let zooms: ClosedRange<Double>
        let isLake: Bool
    }

    /// The bytes of the part in the table.
    private let part: Range<Int>
    private let rows: [Row]
    /// The decoded features, by the numbers of their rows.
    private let decoded = Mutex<[Int: NaturalFeature]>([:])

    /// - Parameter part: The bytes of the part in the table.
    init(_ part: Range<Int>) {
        self.part = part
        let table = NaturalFeature.bytes(in: part)
        var start = 0
        rows = TablePieces.lines(of: table).compactMap { line in
            defer { start += line.count + 1 }
            return Row(line, at: start)
        }
    }

    /// Returns the features whose box overlaps another box, in the order of the table.
    func features(
        meeting box: WorldBox, where isMeant: (Row) -> Bool = { _ in true }
    ) -> [NaturalFeature] {
        let found = rows.indices.filter { isMeant(rows[$0]) && rows[$0].box.meets(box) }
        return decoded.withLock { decoded in
            found.compactMap { number in
                if let feature = decoded[number] { return feature }
                let feature = decode(rows[number])
                decoded[number] = feature
                return feature
            }
        }
    }

    private func decode(_ row: Row) -> NaturalFeature? {
        NaturalFeature(TableBytes(rebasing: NaturalFeature.bytes(in: part)[row.line]))
    }
}

extension FeatureIndex.Row {
    /// Reads the zooms and the box of a line; nil if it has none.
    fileprivate init?(_ line: TableBytes, at start: Int) {
        var fields = TablePieces.fields(of: line)
        guard let kind = fields.next(), fields.next() != nil, let first = fields.next()?.number,
            let last = fields.next()?.number, first <= last, var corners = fields.next()?.points,
            let northWest = corners.next(), let southEast = corners.next()
        else { return nil }
        self.line = start..<(start + line.count)
        zooms = first...last
        isLake = kind.elementsEqual("lake".utf8)
        let length = 1 / NaturalFeature.side
        box = WorldBox(
            minX: Double(northWest.x) * length, minY: Double(northWest.y) * length,
            maxX: Double(southEast.x) * length, maxY: Double(southEast.y) * length)
    }
}
