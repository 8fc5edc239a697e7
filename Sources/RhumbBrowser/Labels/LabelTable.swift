internal import CDefaults
internal import Glibc

/// The bytes of a table embedded in the program, or of a line or a field of one.
typealias TableBytes = UnsafeBufferPointer<UInt8>

/// Splits bytes at a separator when they are read. `split` would compare each byte by itself, and allocate an
/// array for each line.
struct TablePieces: Sequence, IteratorProtocol {
    private var rest: TableBytes?
    private let separator: UInt8

    private init(_ bytes: TableBytes, _ separator: UInt8) {
        rest = bytes
        self.separator = separator
    }

    /// Returns the lines of a table.
    static func lines(of table: TableBytes) -> TablePieces { TablePieces(table, UInt8(ascii: "\n")) }

    /// Returns the fields of a line.
    static func fields(of line: TableBytes) -> TablePieces { TablePieces(line, UInt8(ascii: "\t")) }

    mutating func next() -> TableBytes? {
        guard let bytes = rest else { return nil }
        guard let start = bytes.baseAddress, let end = memchr(start, Int32(separator), bytes.count) else {
            rest = nil
            return bytes
        }
        let length = UnsafeRawPointer(end) - UnsafeRawPointer(start)
        rest = TableBytes(rebasing: bytes[(length + 1)...])
        return TableBytes(rebasing: bytes[..<length])
    }
}

extension rhumb_bytes {
    var table: TableBytes { TableBytes(start: start, count: count) }
}

extension TableBytes {
    var text: String { String(decoding: self, as: UTF8.self) }

    /// The number that consists of digits, and perhaps a sign and a point; nil for any other text.
    /// `Double` would copy each text for the C library.
    var number: Double? {
        let isNegative = first == UInt8(ascii: "-")
        var digits = 0.0, scale = 1.0, hasPoint = false
        for byte in dropFirst(isNegative ? 1 : 0) {
            if byte == UInt8(ascii: "."), !hasPoint {
                hasPoint = true
                continue
            }
            guard (0x30...0x39).contains(byte) else { return nil }
            digits = digits * 10 + Double(byte - 0x30)
            if hasPoint { scale *= 10 }
        }
        guard count > (isNegative ? 1 : 0) else { return nil }
        return (isNegative ? -digits : digits) / scale
    }

    /// The points of a line, from steps encoded as in `Polyline`, x first.
    var points: TablePoints { TablePoints(bytes: self) }
}

/// The points of a line, decoded when they are read.
struct TablePoints: Sequence, IteratorProtocol {
    fileprivate let bytes: TableBytes
    private var index = 0
    private var point = SIMD2<Int>(0, 0)

    fileprivate init(bytes: TableBytes) { self.bytes = bytes }

    mutating func next() -> SIMD2<Int32>? {
        guard let east = step(), let south = step() else { return nil }
        point &+= SIMD2(east, south)
        return SIMD2(truncatingIfNeeded: point)
    }

    private mutating func step() -> Int? {
        var value = 0, shift = 0
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            guard byte >= 63 else { continue }
            value |= (Int(byte - 63) & 0x1F) << shift
            shift += 5
            if (byte - 63) & 0x20 == 0 || shift >= 60 {
                return value & 1 != 0 ? ~(value >> 1) : value >> 1
            }
        }
        return nil
    }
}
