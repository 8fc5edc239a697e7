internal import CDefaults
internal import RhumbCore
internal import Synchronization

/// The features of a part of the table, with the boxes around them. Each is decoded when it is first needed:
/// decoding all rivers, lakes and peaks takes 15 ms, and finding their boxes one.
final class FeatureIndex: Sendable {
    /// A line of the table.
    struct Row: Sendable {
        fileprivate let bytes: Range<Int>
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
        rows = LabelArea.lines(of: NaturalFeature.bytes(in: part)).compactMap(Row.init)
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
        let asset = NaturalFeature.bytes(in: part)
        let line = UnsafeBufferPointer(start: asset.start, count: asset.count)[row.bytes]
        return NaturalFeature(LabelArea.fields(of: line))
    }
}

extension FeatureIndex.Row {
    /// Reads the zooms and the box of a line; nil if it has none.
    fileprivate init?(_ line: Slice<UnsafeBufferPointer<UInt8>>) {
        let tab = UInt8(ascii: "\t")
        let texts = line.split(separator: tab, maxSplits: 7, omittingEmptySubsequences: false)
        guard texts.count > 7, let start = Self.number(texts[2]), let end = Self.number(texts[3]),
            start <= end, let box = Self.box(UnsafeBufferPointer(rebasing: texts[7]), tab)
        else { return nil }
        bytes = line.indices
        zooms = start...end
        isLake = line.starts(with: NaturalFeature.lakeStart)
        self.box = box
    }

    /// Parses a number of digits with a point; nil for any other text.
    private static func number(_ text: Slice<UnsafeBufferPointer<UInt8>>) -> Double? {
        var digits = 0.0, scale = 1.0, hasPoint = false
        for byte in text {
            if byte == UInt8(ascii: "."), !hasPoint {
                hasPoint = true
                continue
            }
            guard (0x30...0x39).contains(byte) else { return nil }
            digits = digits * 10 + Double(byte - 0x30)
            if hasPoint { scale *= 10 }
        }
        return text.isEmpty ? nil : digits / scale
    }

    /// Returns the box around some shapes; see `LabelArea.Ring`.
    private static func box(_ shapes: UnsafeBufferPointer<UInt8>, _ tab: UInt8) -> WorldBox? {
        var least = SIMD2(repeating: Int.max), greatest = SIMD2(repeating: Int.min)
        var point = SIMD2(0, 0), value = 0, shift = 0, axis = 0
        for byte in shapes {
            if byte == tab { (point, value, shift, axis) = (.zero, 0, 0, 0) }
            guard byte >= 63 else { continue }
            value |= (Int(byte - 63) & 0x1F) << shift
            shift += 5
            guard (byte - 63) & 0x20 == 0 || shift >= 60 else { continue }
            point[axis] &+= value & 1 != 0 ? ~(value >> 1) : value >> 1
            value = 0
            shift = 0
            axis = 1 - axis
            guard axis == 0 else { continue }
            least = pointwiseMin(least, point)
            greatest = pointwiseMax(greatest, point)
        }
        guard least.x <= greatest.x else { return nil }
        let length = 1 / NaturalFeature.side
        return WorldBox(
            minX: Double(least.x) * length, minY: Double(least.y) * length,
            maxX: Double(greatest.x) * length, maxY: Double(greatest.y) * length)
    }
}
