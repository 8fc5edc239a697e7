/// A kind of damage that occurs in files. Equal random numbers cause equal damage.
public enum Mutation: CaseIterable, Sendable {
    case cut, flip, zero, fill, repeated, swapped, inserted, large

    /// Returns the bytes, damaged at one to eight positions.
    public static func damaged(_ bytes: [UInt8], _ random: inout SplitMix) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...8, using: &random) where !bytes.isEmpty {
            let kind = allCases[Int.random(in: 0..<allCases.count, using: &random)]
            bytes = kind.apply(to: bytes, &random)
        }
        return bytes
    }

    private func apply(to bytes: [UInt8], _ random: inout SplitMix) -> [UInt8] {
        var bytes = bytes
        let at = Int.random(in: 0..<bytes.count, using: &random)
        let end = min(at + Int.random(in: 1...64, using: &random), bytes.count)
        switch self {
        case .cut: bytes.removeSubrange(at...)
        case .flip: bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case .zero: for index in at..<end { bytes[index] = 0 }
        case .fill: for index in at..<end { bytes[index] = 0xFF }
        case .repeated: bytes.insert(contentsOf: bytes[at..<end], at: at)
        case .swapped: bytes.swapAt(at, Int.random(in: 0..<bytes.count, using: &random))
        case .inserted: bytes.insert(UInt8.random(in: 0...255, using: &random), at: at)
        // The varint of the largest 32-bit number.
        case .large: bytes.replaceSubrange(at..<end, with: [0xFF, 0xFF, 0xFF, 0xFF, 0x0F])
        }
        return bytes
    }
}
