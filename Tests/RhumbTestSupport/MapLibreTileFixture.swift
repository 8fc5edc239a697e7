/// A builder of valid and invalid MapLibre Tiles (MLT) of version 1, from streams.
public enum MapLibreTileFixture {
    /// A column: its metadata and its data.
    public typealias Column = (metadata: [UInt8], data: [UInt8])

    /// Returns a frame.
    public static func frame(_ body: [UInt8], tag: UInt8 = 1) -> [UInt8] {
        varints([body.count + 1]) + [tag] + body
    }

    /// Returns a frame with a layer.
    public static func layer(_ name: String, extent: Int = 4096, _ columns: [Column]) -> [UInt8] {
        frame(
            text(name) + varints([extent, columns.count]) + columns.flatMap(\.metadata)
                + columns.flatMap(\.data))
    }

    /// Returns the column of geometries.
    public static func geometry(_ streams: [[UInt8]]) -> Column {
        ([4], varints([streams.count]) + streams.joined())
    }

    /// Returns a column of points, all at (1, 1).
    public static func points(_ count: Int) -> Column {
        let vertices = stream(0x13, 2, 2 * count, varints([Int](repeating: 2, count: 2 * count)))
        return geometry([numbers(0x10, [Int](repeating: 0, count: count)), vertices])
    }

    /// Returns a stream.
    /// - Parameters:
    ///   - type: The category and the subtype.
    ///   - encoding: The logical and the physical encoding.
    ///   - more: The numbers of the header that depend on the encoding.
    public static func stream(
        _ type: UInt8, _ encoding: UInt8, _ count: Int, _ more: [Int], _ payload: [UInt8]
    ) -> [UInt8] {
        [type, encoding] + varints([count, payload.count] + more) + payload
    }

    /// Returns a stream without further numbers in its header.
    public static func stream(_ type: UInt8, _ encoding: UInt8, _ count: Int, _ payload: [UInt8]) -> [UInt8] {
        stream(type, encoding, count, [], payload)
    }

    /// Returns a stream of plain varints.
    public static func numbers(_ type: UInt8, _ values: [Int]) -> [UInt8] {
        stream(type, 2, values.count, varints(values))
    }

    /// Returns a string with its length.
    public static func text(_ text: String) -> [UInt8] { varints([text.utf8.count]) + Array(text.utf8) }

    public static func zigzag(_ value: Int) -> Int { value << 1 ^ value >> 63 }

    public static func varints(_ values: [Int]) -> [UInt8] {
        values.flatMap { value -> [UInt8] in
            var rest = UInt64(bitPattern: Int64(value)), bytes: [UInt8] = []
            while rest >= 0x80 {
                bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
                rest >>= 7
            }
            return bytes + [UInt8(rest)]
        }
    }

    /// Returns numbers in the encoding FastPFOR: whole blocks of 256 in pages, then the rest in bytes.
    /// - Parameter width: The number of bits of the values in blocks. Larger values become exceptions.
    public static func fastPFOR(_ values: [UInt32], width: Int) -> [UInt8] {
        let packed = values.count / 256 * 256
        var words = [UInt32(packed)]
        for start in stride(from: 0, to: packed, by: 1 << 16) {
            words += page(values[start..<min(start + 1 << 16, packed)], width)
        }
        let rest = values[packed...].flatMap { value in
            var bytes = varints([Int(value)]).map { $0 & 0x7F }
            bytes[bytes.count - 1] |= 0x80
            return bytes
        }
        return (words + inWords(rest)).flatMap(bigEndian)
    }

    private static func page(_ values: ArraySlice<UInt32>, _ width: Int) -> [UInt32] {
        var blocks: [UInt32] = [], descriptions: [UInt8] = [], exceptions: [Int: [UInt32]] = [:]
        for start in stride(from: values.startIndex, to: values.endIndex, by: 256) {
            let block = values[start..<start + 256], limit = UInt64(1) << width
            blocks += bits(block.map { UInt32(UInt64($0) % limit) }, width)
            let large = block.indices.filter { UInt64(values[$0]) >= limit }
            descriptions += [UInt8(width), UInt8(large.count)]
            guard let greatest = large.map({ values[$0] }).max() else { continue }
            let bits = 32 - greatest.leadingZeroBitCount
            descriptions.append(UInt8(bits))
            for at in large {
                descriptions.append(UInt8(at - start))
                if bits - width > 1 {
                    exceptions[bits - width, default: []].append(values[at] >> UInt32(width))
                }
            }
        }
        var words = [UInt32(blocks.count + 1)] + blocks
        words += [UInt32(descriptions.count)] + inWords(descriptions)
        words.append(exceptions.keys.reduce(0) { $0 | 1 << UInt32($1 - 1) })
        for (width, values) in exceptions.sorted(by: { $0.key < $1.key }) {
            words += [UInt32(values.count)] + bits(values, width)
        }
        return words
    }

    /// Returns numbers of some bits, lowest bits first.
    private static func bits(_ values: [UInt32], _ width: Int) -> [UInt32] {
        var words = [UInt32](repeating: 0, count: (values.count * width + 31) / 32)
        for (at, value) in values.enumerated() {
            let bit = at * width, pair = UInt64(value) << (bit % 32)
            if width > 0 { words[bit / 32] |= UInt32(truncatingIfNeeded: pair) }
            if pair >> 32 > 0 { words[bit / 32 + 1] |= UInt32(pair >> 32) }
        }
        return words
    }

    /// Returns bytes in words, lowest byte first.
    private static func inWords(_ bytes: [UInt8]) -> [UInt32] {
        stride(from: 0, to: bytes.count, by: 4).map { at in
            bytes[at..<min(at + 4, bytes.count)].reversed().reduce(0) { $0 << 8 | UInt32($1) }
        }
    }

    /// The geometries of `everything`, in a dictionary of Morton codes.
    private static let shapes = geometry([
        stream(0x10, 0b001_011_10, 6, [2, 6], varints([1, 5, 0, zigzag(1)])),
        numbers(0x31, [2, 2, 2]), numbers(0x32, [2, 1, 1]), numbers(0x33, [2, 4, 3, 2, 2, 3, 3]),
        numbers(0x34, [2, 2]), numbers(0x21, [0, 1, 2, 0, 2, 3]),
        stream(
            0x20, 1, 22,
            fastPFOR([1, 0, 4, 0, 2, 4, 3, 0, 2, 1, 2, 3, 0, 1, 2, 3, 0, 2, 4, 0, 4, 2], width: 1)),
        // (-2, -2), (3, 4), (8, -2), (-2, 8) and (8, 8).
        stream(0x14, 0b100_001_10, 5, [4, 2], varints([0, 57, 11, 68, 68])),
    ])

    /// The attributes of `everything` besides strings.
    private static let numbers: [Column] = [
        ([10] + text("bool"), stream(0x10, 0b011_000_00, 6, [0xFF, 0b010101])),
        (
            [17] + text("int"),
            stream(0x00, 0, 6, [0b111110])
                + stream(0x10, 0b011_000_10, 5, [2, 5], varints([2, 3, zigzag(-7), zigzag(9)]))
        ),
        ([18] + text("uint"), stream(0x10, 0, 6, (0..<6).flatMap { [UInt8($0), 0, 0, 0x80] })),
        ([20] + text("long"), stream(0x10, 0b001_000_10, 6, varints([zigzag(1 << 40), 1, 1, 1, 1, 1]))),
        ([22] + text("ulong"), numbers(0x10, [1 << 60, 2, 3, 4, 5, 6])),
        ([24] + text("float"), stream(0x10, 0, 6, (0..<6).flatMap { _ in [0, 0, 0, 0x3F] as [UInt8] })),
        (
            [26] + text("double"),
            stream(0x10, 0, 6, (0..<6).flatMap { _ in [0, 0, 0, 0, 0, 0, 4, 0x40] as [UInt8] })
        ),
    ]

    /// The strings of `everything`, in every layout.
    private static let strings: [Column] = [
        (
            [28] + text("plain"),
            varints([2]) + numbers(0x30, [1, 1, 1, 1, 1, 2]) + stream(0x10, 0, 6, Array("abcdefg".utf8))
        ),
        (
            [29] + text("dictionary"),
            varints([4]) + stream(0x00, 0, 6, [0b000011]) + numbers(0x36, [3, 2]) + numbers(0x22, [1, 0])
                + stream(0x11, 0, 2, Array("onetw".utf8))
        ),
        (
            [28] + text("fsst"),
            varints([5]) + numbers(0x35, [2, 3]) + stream(0x15, 0, 2, Array("abcde".utf8))
                + numbers(0x36, [4, 4]) + stream(0x11, 0, 2, [0, 0, 1, 255, 0x7A])
                + numbers(0x22, [0, 1, 0, 1, 0, 1])
        ),
        (
            [30] + text("name") + varints([2]) + [28] + text(":de") + [29] + text(":en"),
            varints([5]) + numbers(0x36, [5, 6]) + stream(0x12, 0, 2, Array("SteinStone!".utf8))
                + varints([1]) + numbers(0x22, [0, 0, 0, 0, 0, 0]) + varints([2])
                + stream(0x00, 0, 6, [0b100000]) + numbers(0x22, [1])
        ),
    ]

    /// A tile with one feature of each geometry type, and attributes of all types in all encodings.
    public static let everything: [UInt8] = layer("all", [ids, shapes] + numbers + strings)

    private static let ids: Column = (
        [1],
        stream(0x00, 0b011_000_00, 6, [0xFF, 0b101111])
            + stream(0x10, 0b001_011_10, 5, [2, 5], varints([1, 4, zigzag(7), zigzag(1)]))
    )
}
