/// The features of an overlay. A copy shares all blocks but the last one with its original, so that a list
/// that still grows can be displayed.
public struct OverlayFeatureList: RandomAccessCollection, Sendable, ExpressibleByArrayLiteral {
    private var blocks: [[OverlayFeature]] = []
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
        set { blocks[at >> Self.blockBits][at & (Self.blockSize - 1)] = newValue }
    }

    /// Adds a feature at the end.
    public mutating func append(_ feature: OverlayFeature) {
        if blocks.last.map({ $0.count == Self.blockSize }) ?? true { blocks.append([]) }
        blocks[blocks.count - 1].append(feature)
    }

    /// Adds features at the end.
    public mutating func append(contentsOf features: some Sequence<OverlayFeature>) {
        for feature in features { append(feature) }
    }
}
