internal import Synchronization

/// The memory of packed pictures, for drawing the next ones. The kernel takes longer to provide new memory
/// than a tile of a city takes to be drawn.
package enum SparePixels {
    /// The number of pictures that are drawn at the same time.
    private static let limit = 2
    /// The sizes in bytes for which memory is kept. Larger pictures are rare.
    private static let sizes = 256 << 10...1 << 20
    private static let spare = Mutex<[[UInt8]]>([])

    /// Returns an array of a size with arbitrary contents; nil if there is none.
    package static func take(_ size: Int) -> [UInt8]? {
        spare.withLock { spare in
            spare.lastIndex { $0.count == size }.map { spare.remove(at: $0) }
        }
    }

    /// Keeps the memory of an array that is no longer used.
    static func give(_ bytes: [UInt8]) {
        guard sizes.contains(bytes.count) else { return }
        spare.withLock { spare in
            if spare.count == limit { spare.removeFirst() }
            spare.append(bytes)
        }
    }
}
