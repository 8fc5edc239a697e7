public import RhumbCore

/// A TIFF file with one level or more, made by code. The picture is aligned to tile 4/8/5 and has 256 × 256
/// pixels, unless its size or location is changed.
public struct GeoTIFFFixture {
    public init() {}

    public static let tile = TileID(zoom: 4, x: 8, y: 5)!
    private static let edge = 20_037_508.342789244

    public var side = 256
    /// The width and the height that the file states; nil for `side`.
    public var statedSide: Int?
    public var block = 64
    public var isTiled = true
    public var isBig = false
    public var isLittleEndian = true
    public var samples = 3
    public var bits = 8
    /// The format of samples: 1 unsigned, 2 signed, 3 floating point.
    public var format = 1
    public var compression = 1
    public var predictor = 1
    public var photometric = 2
    public var extra: Int?
    public var code = 3857
    /// Further keys of the coordinate system: numbers in the key itself.
    public var keys: [Int: Int] = [:]
    /// Keys with floating-point numbers, and with texts.
    public var numbers: [Int: Double] = [:], texts: [Int: String] = [:]
    public var palette: [Int] = []
    public var noData: String?
    /// The XML text in which GDAL states units and scales.
    public var metadata: String?
    public var rotation = 0.0
    /// The western and northern edges and the size of a pixel, in the units of the coordinate system; nil for
    /// the tile.
    public var location: (west: Double, north: Double, pixel: Double)?
    /// The number of smaller levels.
    public var overviews = 0
    /// Compresses a block.
    public var compress: ([UInt8]) -> [UInt8] = { $0 }
    /// Returns a sample as a number.
    public var sample: (_ x: Int, _ y: Int, _ band: Int) -> Double = { x, y, band in
        Double((x * 3 + y * 5 + band * 70) % 256)
    }

    /// The bytes of the file: the directories first, then the blocks of the smallest level.
    public var bytes: [UInt8] {
        var head: [UInt8] = isLittleEndian ? [0x49, 0x49] : [0x4D, 0x4D]
        head +=
            number(isBig ? 43 : 42, 2) + (isBig ? number(8, 2) + number(0, 2) + number(16, 8) : number(8, 4))
        // The layout is computed twice: first with positions of zero, to measure the directories.
        let levels = (0...overviews).map { side >> $0 }
        let blocks = levels.map { packedBlocks(of: $0) }
        var starts = levels.map { _ in 0 }
        let length = directories(levels, blocks, starts, at: head.count).count
        var next = head.count + length
        for level in levels.indices.reversed() {
            starts[level] = next
            next += blocks[level].reduce(0) { $0 + $1.count }
        }
        return head + directories(levels, blocks, starts, at: head.count)
            + blocks.reversed().flatMap { $0.flatMap { $0 } }
    }

    private func number(_ value: Int, _ size: Int) -> [UInt8] {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        return isLittleEndian ? bytes : bytes.reversed()
    }

    private func double(_ value: Double) -> [UInt8] {
        number(Int(bitPattern: UInt(value.bitPattern)), 8)
    }

    private func packedBlocks(of side: Int) -> [[UInt8]] {
        let wide = isTiled ? block : side, columns = (side + wide - 1) / wide,
            rows = (side + block - 1) / block
        return (0..<columns * rows).map { index in
            var bytes: [UInt8] = []
            let high = isTiled ? block : min(block, side - index / columns * block)
            for y in 0..<high {
                for x in 0..<wide {
                    for band in 0..<samples {
                        let scale = self.side / side
                        let value = sample(
                            (index % columns * wide + x) * scale, (index / columns * block + y) * scale, band)
                        if format != 3, bits == 8 {
                            bytes.append(UInt8(truncatingIfNeeded: Int(clamping: value)))
                        } else {
                            bytes += encoded(value)
                        }
                    }
                }
            }
            return compress(bytes)
        }
    }

    private func encoded(_ value: Double) -> [UInt8] {
        switch (format, bits) {
        case (3, 32): number(Int(Float(value).bitPattern), 4)
        case (3, _): double(value)
        default: number(Int(clamping: value), bits / 8)
        }
    }

    private func directories(
        _ levels: [Int], _ blocks: [[[UInt8]]], _ starts: [Int], at start: Int
    ) -> [UInt8] {
        var bytes: [UInt8] = []
        for level in levels.indices {
            bytes += directory(
                levels[level], blocks[level], starts[level], isFirst: level == 0,
                isLast: level == levels.count - 1, at: start + bytes.count)
        }
        return bytes
    }

    private func directory(
        _ side: Int, _ blocks: [[UInt8]], _ start: Int, isFirst: Bool, isLast: Bool, at place: Int
    ) -> [UInt8] {
        var position = start
        let offsets = blocks.map { block in
            defer { position += block.count }
            return position
        }
        var fields: [(tag: Int, type: Int, values: [UInt8], count: Int)] = []
        func add(_ tag: Int, _ values: [Int], _ type: Int = 4) {
            let size = type == 3 ? 2 : 4
            fields.append((tag, type, values.flatMap { number($0, size) }, values.count))
        }
        add(254, [isFirst ? 0 : 1])
        let stated = isFirst ? statedSide ?? side : side
        add(256, [stated])
        add(257, [stated])
        add(258, [Int](repeating: bits, count: samples), 3)
        add(259, [compression], 3)
        add(262, [photometric], 3)
        if !isTiled { add(273, offsets) }
        add(277, [samples], 3)
        if !isTiled {
            add(278, [block])
            add(279, blocks.map(\.count))
        }
        add(317, [predictor], 3)
        if !palette.isEmpty { add(320, palette, 3) }
        if isTiled {
            add(322, [block])
            add(323, [block])
            add(324, offsets)
            add(325, blocks.map(\.count))
        }
        if let extra { add(338, [extra], 3) }
        add(339, [Int](repeating: format, count: samples), 3)
        if isFirst { addLocation(&fields) }
        return table(fields, isLast: isLast, at: place)
    }

    private func addLocation(_ fields: inout [(tag: Int, type: Int, values: [UInt8], count: Int)]) {
        let tile = Self.tile, width = Self.edge * 2 / Double(1 << tile.zoom)
        let pixel = location?.pixel ?? width / Double(side)
        let west = location?.west ?? Double(tile.x) * width - Self.edge
        let north = location?.north ?? Self.edge - Double(tile.y) * width
        if rotation == 0 {
            fields.append((33_550, 12, [pixel, pixel, 0].flatMap(double), 3))
            fields.append((33_922, 12, [0, 0, 0, west, north, 0].flatMap(double), 6))
        } else {
            let matrix = [
                pixel, rotation, 0, west, rotation, -pixel, 0, north, 0, 0, 0, 0, 0, 0, 0, 1,
            ]
            fields.append((34_264, 12, matrix.flatMap(double), 16))
        }
        var entries: [[Int]] = [[1024, 0, 1, 1], [1025, 0, 1, 1], [3072, 0, 1, code]]
        if code == 4326 { entries = [[1024, 0, 1, 2], [1025, 0, 1, 1], [2048, 0, 1, code]] }
        var doubles: [Double] = [], text = ""
        for (key, value) in keys { entries.append([key, 0, 1, value]) }
        for (key, value) in numbers {
            entries.append([key, 34_736, 1, doubles.count])
            doubles.append(value)
        }
        for (key, value) in texts {
            entries.append([key, 34_737, value.utf8.count + 1, text.utf8.count])
            text += value + "|"
        }
        let table = [1, 1, 0, entries.count] + entries.flatMap(\.self)
        fields.append((34_735, 3, table.flatMap { number($0, 2) }, table.count))
        if !doubles.isEmpty { fields.append((34_736, 12, doubles.flatMap(double), doubles.count)) }
        if !text.isEmpty { fields.append((34_737, 2, Array(text.utf8) + [0], text.utf8.count + 1)) }
        if let metadata {
            fields.append((42_112, 2, Array(metadata.utf8) + [0], metadata.utf8.count + 1))
        }
        if let noData { fields.append((42_113, 2, Array(noData.utf8) + [0], noData.utf8.count + 1)) }
    }

    private func table(
        _ fields: [(tag: Int, type: Int, values: [UInt8], count: Int)], isLast: Bool, at place: Int
    ) -> [UInt8] {
        let word = isBig ? 8 : 4, entry = isBig ? 20 : 12
        var table = number(fields.count, isBig ? 8 : 2), outside: [UInt8] = []
        let end = place + table.count + fields.count * entry + word
        for field in fields {
            table += number(field.tag, 2) + number(field.type, 2) + number(field.count, word)
            if field.values.count <= word {
                table += field.values + [UInt8](repeating: 0, count: word - field.values.count)
            } else {
                table += number(end + outside.count, word)
                outside += field.values
            }
        }
        return table + number(isLast ? 0 : end + outside.count, word) + outside
    }
}
