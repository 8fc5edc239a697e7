/// The codec "Composition(FastPFOR, VariableByte)" for integers of 32 bits, as MapLibre Tiles of version 1
/// use it: blocks of 256 values in big-endian words, described in "Decoding billions of integers per second
/// through vectorization" (Lemire and Boytsov, section 6), then the remaining values in bytes.
struct FastPFOR {
    private static let blockSize = 256
    private static let pageSize = 1 << 16

    private let words: [UInt32]
    private var position = 0
    private var values: [UInt32]
    private var filled = 0

    /// Decodes values.
    /// - Parameter count: The number of values, which is trusted.
    /// - Returns: nil if the data is damaged, or has fewer values.
    static func values(_ bytes: UnsafeBufferPointer<UInt8>, count: Int) -> [UInt32]? {
        guard bytes.count.isMultiple(of: 4) else { return nil }
        var codec = FastPFOR(bytes, count)
        return codec.decode() ? codec.values : nil
    }

    private init(_ bytes: UnsafeBufferPointer<UInt8>, _ count: Int) {
        words = (0..<bytes.count / 4).map { at in
            UInt32(
                bigEndian: UnsafeRawBufferPointer(bytes).loadUnaligned(
                    fromByteOffset: 4 * at, as: UInt32.self))
        }
        values = [UInt32](repeating: 0, count: count)
    }

    private mutating func decode() -> Bool {
        guard !values.isEmpty else { return true }
        guard let packed = words.first.map(Int.init), packed <= values.count,
            packed.isMultiple(of: Self.blockSize)
        else { return false }
        position = 1
        while filled < packed {
            guard decodePage(min(packed - filled, Self.pageSize)) else { return false }
        }
        return decodeBytes()
    }

    /// Decodes a page: the offset of its descriptions, the blocks, then the descriptions and the exceptions.
    private mutating func decodePage(_ count: Int) -> Bool {
        guard position < words.count, let meta = Exceptions(words, at: position + Int(words[position])) else {
            return false
        }
        var descriptions = meta.descriptions
        var used = [Int](repeating: 0, count: 33)
        position += 1
        for start in stride(from: filled, to: filled + count, by: Self.blockSize) {
            guard let width = descriptions.next(), width <= 32, let exceptionCount = descriptions.next(),
                unpackBlock(at: start, Int(width))
            else { return false }
            guard exceptionCount > 0 else { continue }
            guard let greatest = descriptions.next(), greatest > width, greatest <= 32 else { return false }
            let extra = Int(greatest - width)
            for _ in 0..<exceptionCount {
                guard let index = descriptions.next() else { return false }
                var high: UInt32 = 1
                if extra > 1 {
                    guard let value = meta.value(used[extra], width: extra, in: words) else { return false }
                    high = value
                    used[extra] += 1
                }
                values[start + Int(index)] |= high << UInt32(width)
            }
        }
        filled += count
        position = meta.end
        return true
    }

    private mutating func unpackBlock(at start: Int, _ width: Int) -> Bool {
        guard position + 8 * width <= words.count else { return false }
        guard width > 0 else { return true }
        let mask = UInt64(1) << UInt64(width) - 1
        var buffer: UInt64 = 0, available = 0
        for at in start..<start + Self.blockSize {
            if available < width {
                buffer |= UInt64(words[position]) << UInt64(available)
                position += 1
                available += 32
            }
            values[at] = UInt32(truncatingIfNeeded: buffer & mask)
            buffer >>= UInt64(width)
            available -= width
        }
        return true
    }

    /// Decodes the rest, in which the last byte of each value has its highest bit set.
    private mutating func decodeBytes() -> Bool {
        var value: UInt32 = 0, shift: UInt32 = 0, bytes = Bytes(words, position..<words.count)
        while filled < values.count {
            guard let byte = bytes.next(), shift < 35 else { return false }
            value |= UInt32(byte & 0x7F) << shift
            shift += 7
            guard byte >= 0x80 else { continue }
            values[filled] = value
            filled += 1
            value = 0
            shift = 0
        }
        return true
    }

    /// The bytes in a range of words, lowest first.
    private struct Bytes {
        private let words: [UInt32]
        private var at: Int
        private let end: Int

        init(_ words: [UInt32], _ part: Range<Int>) {
            self.words = words
            at = 4 * part.lowerBound
            end = 4 * part.upperBound
        }

        mutating func next() -> UInt8? {
            guard at < end else { return nil }
            defer { at += 1 }
            return UInt8(truncatingIfNeeded: words[at / 4] >> UInt32(8 * (at % 4)))
        }
    }

    /// The end of a page: the descriptions of its blocks, and the high bits of values that exceed the width
    /// of their block, by the number of these bits.
    private struct Exceptions {
        let descriptions: Bytes
        /// The index after the last word of the page.
        let end: Int
        private var ranges = [(start: Int, count: Int)](repeating: (0, 0), count: 33)

        init?(_ words: [UInt32], at start: Int) {
            guard start < words.count else { return nil }
            let first = start + 1, last = first + (Int(words[start]) + 3) / 4
            guard last < words.count else { return nil }
            descriptions = Bytes(words, first..<last)
            var at = last + 1
            for width in 2...32 where words[last] >> UInt32(width - 1) & 1 == 1 {
                guard at < words.count else { return nil }
                let count = Int(words[at])
                ranges[width] = (at + 1, count)
                at += 1 + (count * width + 31) / 32
                guard at <= words.count else { return nil }
            }
            end = at
        }

        func value(_ index: Int, width: Int, in words: [UInt32]) -> UInt32? {
            guard index < ranges[width].count else { return nil }
            let bit = index * width, at = ranges[width].start + bit / 32, shift = UInt64(bit % 32)
            let next = at + 1 < words.count ? UInt64(words[at + 1]) : 0
            let pair = UInt64(words[at]) | next << 32
            return UInt32(truncatingIfNeeded: pair >> shift & (1 << UInt64(width) - 1))
        }
    }
}
