internal import Synchronization

/// The length of the ranges requested of one file. It shrinks when responses break off, and grows again
/// when they are complete.
package final class RangeLimit: Sendable {
    /// The shortest and the longest range, in bytes.
    package static let bounds: ClosedRange<UInt64> = 64 << 10...4 << 20

    private let length = Mutex(RangeLimit.bounds.upperBound)

    /// Creates a limit of the longest range.
    package init() {}

    /// The current length, in bytes.
    package var bytes: UInt64 { length.withLock { $0 } }

    package func shrink() { length.withLock { $0 = max($0 / 2, RangeLimit.bounds.lowerBound) } }

    package func grow() { length.withLock { $0 = min($0 + $0 / 4, RangeLimit.bounds.upperBound) } }
}
