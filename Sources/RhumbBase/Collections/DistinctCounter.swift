/// Counts different values by their hashes, in limited memory. The count is exact up to `limit` values, and
/// an estimate with a standard error of about 1 % beyond it.
public struct DistinctCounter: Sendable, Equatable {
    /// The number of values that are counted exactly, at least.
    public static let limit = 8192

    /// The hashes up to `bound`; at least `limit` if the count is an estimate.
    private var hashes: Set<UInt64> = []
    private var bound = UInt64.max

    /// Creates a counter without values.
    public init() {}

    /// True if the count is not an estimate.
    public var isExact: Bool { bound == .max }

    /// The number of different values.
    public var count: Int {
        guard !isExact else { return hashes.count }
        let largest = hashes.sorted()[Self.limit - 1]
        return Int(clamping: Double(Self.limit - 1) / (Double(largest) / 0x1p64))
    }

    /// Adds a value.
    /// - Parameter hash: A hash with evenly distributed bits.
    public mutating func insert(_ hash: UInt64) {
        guard hash <= bound else { return }
        hashes.insert(hash)
        guard hashes.count > 2 * Self.limit else { return }
        // The smallest hashes are an even sample of all.
        let smallest = hashes.sorted().prefix(Self.limit)
        hashes = Set(smallest)
        bound = smallest.last ?? bound
    }
}
