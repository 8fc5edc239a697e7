import RhumbCore
import RhumbTestSupport

/// Returns a small PNG with a text in a chunk, so that each body has its own bytes.
func numberedPicture(_ text: String) -> [UInt8] {
    let chunk = Array("tEXt".utf8) + Array("n\0\(text)".utf8)
    let count = UInt32(clamping: chunk.count - 4)
    return head + big(count) + chunk + big(sum(of: chunk)) + tail
}

private let blank = blankPicture(RGB(0x336699), side: 256)
private let head = Array(blank.dropLast(12)), tail = Array(blank.suffix(12))

private func big(_ number: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * UInt32($0))) }
}

private let sums: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(byte) { rest, _ in rest & 1 == 1 ? rest >> 1 ^ 0xEDB8_8320 : rest >> 1 }
}

/// Returns the CRC-32 of a chunk, much faster than by the bit.
private func sum(of bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(UInt32.max) { $0 >> 8 ^ sums[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] }
}
