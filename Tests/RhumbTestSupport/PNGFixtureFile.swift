internal import Rhumb

extension PNGFixture {
    /// The complete PNG file.
    public var bytes: [UInt8] { Self.file(chunks) }

    /// Returns a file with the chunks, each with the correct checksum.
    public static func file(_ chunks: [(String, [UInt8])]) -> [UInt8] {
        signature + chunks.flatMap(chunk)
    }

    public static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    /// Returns a chunk, which consists of length, type, contents and checksum.
    public static func chunk(_ type: String, _ contents: [UInt8]) -> [UInt8] {
        let checked = Array(type.utf8) + contents
        return bigEndian(UInt32(contents.count)) + checked + bigEndian(crc32(checked))
    }

    /// The contents of IHDR.
    public var header: [UInt8] {
        bigEndian(UInt32(width)) + bigEndian(UInt32(height))
            + [UInt8(depth), colour.rawValue, 0, 0, isInterlaced ? 1 : 0]
    }

    /// The types and contents of all chunks in file order.
    public var chunks: [(String, [UInt8])] {
        var chunks = [("IHDR", header)]
        if colour == .indexed {
            chunks.append(("PLTE", palette.flatMap { [$0.red, $0.green, $0.blue] }))
        }
        if hasTransparency { chunks.append(("tRNS", transparency)) }
        return chunks + [("IDAT", zlibStored(passes.flatMap(filtered))), ("IEND", [])]
    }

    private var transparency: [UInt8] {
        if colour == .indexed { return palette.indices.dropLast().map(paletteAlpha) }
        return (0..<colour.channels).flatMap { channel in
            let key = sample(0, 0, channel)
            return [UInt8(key >> 8), UInt8(key & 255)]
        }
    }

    /// The packed rows of each pass, with a single pass unless interlaced. Empty passes are omitted.
    private var passes: [[[UInt8]]] {
        let plain = [(x: 0, y: 0, dx: 1, dy: 1)]
        let adam7 = [
            (x: 0, y: 0, dx: 8, dy: 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4),
            (1, 0, 2, 2), (0, 1, 1, 2),
        ]
        return (isInterlaced ? adam7 : plain).filter { $0.x < width }.map { pass in
            stride(from: pass.y, to: height, by: pass.dy).map { y in
                row(y, columns: stride(from: pass.x, to: width, by: pass.dx))
            }
        }
    }

    private func row(_ y: Int, columns: StrideTo<Int>) -> [UInt8] {
        var (packed, rest, bits): ([UInt8], Int, Int) = ([], 0, 0)
        for x in columns {
            for channel in 0..<colour.channels {
                rest = rest << depth | sample(x, y, channel)
                bits += depth
                while bits >= 8 {
                    bits -= 8
                    packed.append(UInt8(rest >> bits & 255))
                }
                rest &= (1 << bits) - 1
            }
        }
        return bits == 0 ? packed : packed + [UInt8(rest << (8 - bits))]
    }

    private func filtered(_ rows: [[UInt8]]) -> [UInt8] {
        let step = max(1, colour.channels * depth / 8)
        var above = [UInt8](repeating: 0, count: rows.first?.count ?? 0)
        var result: [UInt8] = []
        for (index, row) in rows.enumerated() {
            let filter = filters[index % filters.count]
            result.append(filter)
            for at in row.indices {
                let left = at >= step ? row[at - step] : 0
                let corner = at >= step ? above[at - step] : 0
                result.append(row[at] &- Self.guess(filter, left, above[at], corner))
            }
            above = row
        }
        return result
    }

    private static func guess(
        _ filter: UInt8, _ left: UInt8, _ up: UInt8, _ corner: UInt8
    ) -> UInt8 {
        switch filter {
        case 1: left
        case 2: up
        case 3: UInt8((Int(left) + Int(up)) / 2)
        case 4: paeth(left, up, corner)
        default: 0
        }
    }

    private static func paeth(_ left: UInt8, _ up: UInt8, _ corner: UInt8) -> UInt8 {
        let estimate = Int(left) + Int(up) - Int(corner)
        let candidates = [left, up, corner].map { (abs(estimate - Int($0)), $0) }
        let nearest = candidates.map(\.0).min()
        return candidates.first { $0.0 == nearest }?.1 ?? 0
    }
}
