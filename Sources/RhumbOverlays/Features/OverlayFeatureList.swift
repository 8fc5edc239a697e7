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

    /// Returns the shape of the feature at an index.
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
