/// Numbers by corners of a tile, 0 for unknown ones. The hash of a dictionary took a fifth of the time in
/// which the roads of a tile are read. This one multiplies with a number that no tile can know.
struct CornerTable {
    private var keys: [UInt32]
    private var values: [Int32]
    private var count = 0
    /// The number of bits that a hash is shifted to be an index.
    private var shift: UInt32
    private static let multiplier = UInt32.random(in: 0...UInt32.max) | 1
    private static let free = UInt32.max

    /// - Parameter capacity: The number of corners for which the table does not have to grow.
    init(capacity: Int) {
        let bits = max(4, Int.bitWidth - (capacity * 3 / 2).leadingZeroBitCount)
        keys = [UInt32](repeating: CornerTable.free, count: 1 << bits)
        values = [Int32](repeating: 0, count: 1 << bits)
        shift = UInt32(32 - bits)
    }

    subscript(corner: TileRoad.Corner) -> Int32 {
        get { values[slot(CornerTable.key(corner))] }
        set {
            let key = CornerTable.key(corner)
            var slot = slot(key)
            if keys[slot] == CornerTable.free {
                if 3 * count >= 2 * keys.count {
                    grow()
                    slot = self.slot(key)
                }
                keys[slot] = key
                count += 1
            }
            values[slot] = newValue
        }
    }

    private static func key(_ corner: TileRoad.Corner) -> UInt32 {
        UInt32(truncatingIfNeeded: corner.y) << 16 | UInt32(truncatingIfNeeded: corner.x) & 0xFFFF
    }

    /// Returns the index of a key, or of the free place for it.
    private func slot(_ key: UInt32) -> Int {
        var slot = Int((key &* CornerTable.multiplier) >> shift)
        while keys[slot] != key, keys[slot] != CornerTable.free { slot = (slot + 1) & (keys.count - 1) }
        return slot
    }

    private mutating func grow() {
        let old = self
        self = CornerTable(capacity: 2 * old.keys.count)
        for (key, value) in zip(old.keys, old.values) where key != CornerTable.free {
            let slot = slot(key)
            keys[slot] = key
            values[slot] = value
        }
        count = old.count
    }
}
