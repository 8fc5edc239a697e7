internal import Synchronization

/// The length of the ranges requested of one file. It shrinks when responses break off, and grows again
/// when they are complete.
final class RangeLimit: Sendable {
    static let bounds: ClosedRange<UInt64> = 64 << 10...4 << 20

    private let length = Mutex(RangeLimit.bounds.upperBound)

    /// In bytes.
    var bytes: UInt64 { length.withLock { $0 } }

    func shrink() { length.withLock { $0 = max($0 / 2, RangeLimit.bounds.lowerBound) } }

    func grow() { length.withLock { $0 = min($0 + $0 / 4, RangeLimit.bounds.upperBound) } }
}
