internal import RhumbGeo

/// The features of an overlay. A copy shares all blocks but the last one with its original, so that a list
/// that still grows can be displayed.
public struct OverlayFeatureList: RandomAccessCollection, Sendable, ExpressibleByArrayLiteral {
    private enum Block {
        case open([OverlayFeature])
        case packed(PackedPoints)

        var count: Int {
            switch self {
            case .open(let features): features.count
            case .packed(let points): points.count
            }
        }

        subscript(at: Int) -> OverlayFeature {
            switch self {
            case .open(let features): features[at]
            case .packed(let points): points[at]
            }
        }
    }

    /// All blocks but the last are full.
    private var blocks: [Block] = []
    private static let blockBits = 12, blockSize = 1 << blockBits

    /// Creates an empty list.
    public init() {}

    /// Creates a list of features.
    public init(_ features: some Sequence<OverlayFeature>) { append(contentsOf: features) }

    /// Creates a list of these features.
    public init(arrayLiteral features: OverlayFeature...) { self.init(features) }

    /// 0.
    public var startIndex: Int { 0 }
    /// The number of features.
    public var endIndex: Int {
        blocks.isEmpty ? 0 : (blocks.count - 1) << Self.blockBits + (blocks.last?.count ?? 0)
    }

    /// The feature at an index, which must be less than the number of features.
    public subscript(at: Int) -> OverlayFeature {
        get { blocks[at >> Self.blockBits][at & (Self.blockSize - 1)] }
        set { change(at >> Self.blockBits) { $0[at & (Self.blockSize - 1)] = newValue } }
    }

    func shape(at: Int) -> OverlayFeature.Shape {
        switch blocks[at >> Self.blockBits] {
        case .open(let features): features[at & (Self.blockSize - 1)].shape
        case .packed(let points): .point(points.point(at & (Self.blockSize - 1)))
        }
    }

    /// Adds a feature at the end.
    public mutating func append(_ feature: OverlayFeature) {
        if blocks.last.map({ $0.count == Self.blockSize }) ?? true { blocks.append(.open([])) }
        // The first block grows, because most lists are short.
        let isReserved = blocks.count > 1
        change(blocks.count - 1) { features in
            if isReserved, features.isEmpty { features.reserveCapacity(Self.blockSize) }
            features.append(feature)
        }
        guard case .open(let features) = blocks[blocks.count - 1], features.count == Self.blockSize,
            let points = PackedPoints(features)
        else { return }
        blocks[blocks.count - 1] = .packed(points)
    }

    /// Changes the features of a block, which isn't packed afterwards.
    private mutating func change(_ block: Int, _ body: (inout [OverlayFeature]) -> Void) {
        var features: [OverlayFeature]
        switch blocks[block] {
        case .open(let open): features = open
        case .packed(let points): features = (0..<points.count).map { points[$0] }
        }
        // Removed first, so that the array isn't copied.
        blocks[block] = .open([])
        body(&features)
        blocks[block] = .open(features)
    }

    /// Adds features at the end.
    public mutating func append(contentsOf features: some Sequence<OverlayFeature>) {
        for feature in features { append(feature) }
    }
}

/// Points that have only an id, a name and attributes, in a third of the memory. Overlays may have millions
/// of them.
struct PackedPoints: Sendable {
    private struct Entry {
        let point: WorldPoint
        /// The end of its text.
        let end: UInt32
        /// The sizes of its id and its name, with which its text begins.
        let idSize: UInt16, nameSize: UInt16
    }

    private let entries: [Entry]
    /// The ids, names and attributes in UTF-8.
    private let text: [UInt8]

    var count: Int { entries.count }

    /// - Returns: nil if a feature has other properties, or a long id or name.
    init?(_ features: [OverlayFeature]) {
        var entries: [Entry] = [], text: [UInt8] = []
        entries.reserveCapacity(features.count)
        for feature in features {
            guard case .point(let point) = feature.shape, feature.style == nil, !feature.isTrack,
                feature.time.isNaN, feature.heading.isNaN,
                let idSize = UInt16(exactly: feature.id.utf8.count),
                let nameSize = UInt16(exactly: feature.name.utf8.count)
            else { return nil }
            text += feature.id.utf8
            text += feature.name.utf8
            text += feature.attributes.packed
            guard let end = UInt32(exactly: text.count) else { return nil }
            entries.append(Entry(point: point, end: end, idSize: idSize, nameSize: nameSize))
        }
        self.entries = entries
        // Without the spare room of an array that grew.
        self.text = Array(text[...])
    }

    subscript(at: Int) -> OverlayFeature {
        let entry = entries[at], start = at == 0 ? 0 : Int(entries[at - 1].end)
        let name = start + Int(entry.idSize), attributes = name + Int(entry.nameSize)
        return OverlayFeature(
            packed: entry.point, id: String(decoding: text[start..<name], as: UTF8.self),
            name: String(decoding: text[name..<attributes], as: UTF8.self),
            attributes: OverlayAttributes(packed: text[attributes..<Int(entry.end)]))
    }

    func point(_ at: Int) -> WorldPoint { entries[at].point }
}
