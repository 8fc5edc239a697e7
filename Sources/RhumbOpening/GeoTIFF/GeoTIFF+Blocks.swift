internal import RhumbCore
internal import RhumbStore

/// The pixels of a block.
enum TIFFBlock: Sendable {
    /// Colours as RGBA with straight alpha.
    case colours([UInt8])
    /// The shares of values in the range that is stretched, or heights in metres: of one band, or of three
    /// interleaved, and their opacity if there is an alpha band. NaN where a band has no data.
    case values([Float])
    /// No data.
    case empty

    var byteCount: Int {
        switch self {
        case .colours(let bytes): bytes.count
        case .values(let values): values.count * 4
        case .empty: 16
        }
    }
}

/// The samples of a block, interleaved.
struct TIFFBlockSamples {
    let bytes: [UInt8]
    let pixels: Int
    /// A byte per pixel, 0 where the mask hides it; nil without a mask.
    let mask: [UInt8]?
}

extension GeoTIFF {
    /// Decodes a block.
    /// - Parameters:
    ///   - raw: The bytes of its sections; nil for those without data.
    ///   - stretch: The ranges of values; nil for colours and heights.
    func decoded(
        _ raw: [[UInt8]?], _ block: BlockID, _ stretch: TIFFStretch?
    ) throws(TIFFProblem) -> TIFFBlock {
        guard let found = try unpacked(raw, block) else { return .empty }
        switch meaning {
        case .picture: return .colours(colours(found.bytes, found.pixels, found.mask))
        case .palette(let palette):
            return .colours(colours(found.bytes, found.pixels, palette, found.mask))
        case .values:
            guard let stretch else { return .empty }
            return .values(values(found, stretch.share))
        case .heights:
            return .values(values(found) { height, _ in height > TIFFScale.lowest ? Float(height) : .nan })
        }
    }

    /// Decompresses a block.
    /// - Parameter raw: The bytes of its sections; nil for those without data.
    /// - Returns: Its samples; nil if it has no data.
    func unpacked(_ raw: [[UInt8]?], _ block: BlockID) throws(TIFFProblem) -> TIFFBlockSamples? {
        let level = levels[block.level], samples = level.samples, planes = planes(of: level).count
        guard isZeroWhereOmitted || raw.prefix(planes).contains(where: { $0 != nil }) else { return nil }
        let rows = level.height(ofBlock: block.row), pixels = level.blockWidth * rows
        let count = samples.isPlanar ? 1 : samples.count
        var bands: [[UInt8]] = []
        for plane in raw.prefix(planes) {
            bands.append(
                try plane.map { (bytes) throws(TIFFProblem) in
                    try samples.unpacked(bytes, level, rows: rows, count: count)
                } ?? samples.block(of: noData ?? 0, count: pixels * count))
        }
        let mixed =
            samples.isPlanar
            ? GeoTIFF.interleaved(bands, size: samples.size) : readSamples(of: bands[0], samples)
        var mask: [UInt8]?
        if !masks.isEmpty {
            mask = try masks[block.level].bytes(
                level.area(block.column, block.row), raw.dropFirst(planes))
        }
        return TIFFBlockSamples(bytes: mixed, pixels: pixels, mask: mask)
    }

    /// True if an omitted block has the value 0, as in GDAL. Pictures are transparent there, because programs
    /// omit the area beyond an orthophoto.
    private var isZeroWhereOmitted: Bool {
        noData == nil && bands.count == 1 && (meaning == .heights || meaning == .values)
    }

    /// Returns the samples of the bands to read, from those of all bands.
    private func readSamples(of bytes: [UInt8], _ samples: TIFFSamples) -> [UInt8] {
        guard readBands != Array(0..<samples.count) else { return bytes }
        let size = samples.size, pixels = bytes.count / (size * samples.count), width = readBands.count * size
        let offsets = readBands.flatMap { band in (0..<size).map { band * size + $0 } }
        return [UInt8](unsafeUninitializedCapacity: pixels * width) { out, count in
            bytes.withUnsafeBufferPointer { bytes in
                for pixel in 0..<pixels {
                    for at in 0..<width {
                        out[pixel * width + at] = bytes[pixel * size * samples.count + offsets[at]]
                    }
                }
            }
            count = pixels * width
        }
    }

    private static func interleaved(_ bands: [[UInt8]], size: Int) -> [UInt8] {
        let pixels = (bands.map(\.count).min() ?? 0) / size
        var mixed: [UInt8] = []
        mixed.reserveCapacity(pixels * size * bands.count)
        for pixel in 0..<pixels {
            for band in bands { mixed += band[(pixel * size)..<(pixel * size + size)] }
        }
        return mixed
    }

    // MARK: Pixels

    private func colours(_ bytes: [UInt8], _ pixels: Int, _ mask: [UInt8]?) -> [UInt8] {
        let count = readBands.count, second = bands.count / 2, third = bands.count - 1
        let most = (1 << samples.bits) - 1, flip: UInt8 = samples.photometric == 0 ? 255 : 0
        // No-data is a number of the file, so samples are spread over all shades when they are drawn.
        let opacities = (0...255).map { UInt8(clamping: $0 * 255 / most) },
            shades = opacities.map { $0 ^ flip }
        let none = noDataByte
        let isOpaque = alpha == nil && mask == nil && none == nil
        return [UInt8](unsafeUninitializedCapacity: pixels * 4) { out, length in
            bytes.withUnsafeBufferPointer { bytes in
                // Most pictures have no transparency; this loop has no checks of it.
                for pixel in 0..<(isOpaque ? pixels : 0) {
                    let at = pixel * count, to = pixel * 4
                    out[to] = shades[Int(bytes[at])]
                    out[to + 1] = shades[Int(bytes[at + second])]
                    out[to + 2] = shades[Int(bytes[at + third])]
                    out[to + 3] = 255
                }
                for pixel in (isOpaque ? pixels : 0)..<pixels {
                    let at = pixel * count, to = pixel * 4
                    let red = bytes[at], green = bytes[at + second], blue = bytes[at + third]
                    var opacity = alpha.map { opacities[Int(bytes[at + $0.band])] } ?? 255
                    if let none, red == none, green == none, blue == none { opacity = 0 }
                    if let mask, mask[pixel] == 0 { opacity = 0 }
                    out[to] = shades[Int(red)]
                    out[to + 1] = shades[Int(green)]
                    out[to + 2] = shades[Int(blue)]
                    out[to + 3] = opacity
                    if alpha?.isAssociated == true, opacity > 0, opacity < 255 {
                        for channel in to..<(to + 3) {
                            out[channel] = UInt8(min(Int(out[channel]) * 255 / Int(opacity), 255))
                        }
                    }
                }
            }
            length = pixels * 4
        }
    }

    private func colours(_ bytes: [UInt8], _ pixels: Int, _ palette: [RGB], _ mask: [UInt8]?) -> [UInt8] {
        let none = noDataByte
        var colours = [UInt8](repeating: 0, count: pixels * 4)
        for pixel in 0..<pixels {
            let colour = palette[min(Int(bytes[pixel]), palette.count - 1)]
            let isHidden = bytes[pixel] == none || mask.map { $0[pixel] == 0 } ?? false
            colours[pixel * 4] = colour.red
            colours[pixel * 4 + 1] = colour.green
            colours[pixel * 4 + 2] = colour.blue
            colours[pixel * 4 + 3] = isHidden ? 0 : 255
        }
        return colours
    }

    /// No-data of a picture; nil if there is none.
    private var noDataByte: UInt8? { noData.flatMap { UInt8(exactly: $0.rounded(.towardZero)) } }

    /// The number of values per pixel.
    var valueStep: Int { bands.count + (alpha == nil ? 0 : 1) }

    /// Returns the values of a block's bands, and their opacity if there is an alpha band.
    /// - Parameters:
    ///   - step: 1 for all pixels, or the distance of the pixels to read.
    ///   - convert: Converts a value of a band, which is finite in samples of whole numbers.
    func values<Value: BinaryFloatingPoint>(
        _ block: TIFFBlockSamples, each step: Int = 1, _ convert: (_ value: Double, _ band: Int) -> Value
    ) -> [Value] {
        let size = samples.size, width = valueStep, count = (block.pixels + step - 1) / step
        let none = noData.map { TIFFNoData($0, samples) }
        return [Value](unsafeUninitializedCapacity: count * width) { out, length in
            block.bytes.withUnsafeBytes { bytes in
                for pixel in 0..<count {
                    let at = pixel * step * width, to = pixel * width
                    let isHidden = block.mask.map { $0[pixel * step] == 0 } ?? false
                    var divisor = 1.0
                    if let alpha {
                        let opacity = opacity(of: number(bytes, (at + alpha.band) * size))
                        out[to + bands.count] = Value(opacity)
                        if alpha.isAssociated, opacity > 0 { divisor = opacity }
                    }
                    for band in bands.indices {
                        let sample = number(bytes, (at + bands[band]) * size)
                        let isMissing =
                            isHidden || sample.isNaN || none?.matches(sample) == true
                            || isMissingHeight(sample)
                        out[to + band] =
                            isMissing ? .nan : convert(scales[band].value(sample / divisor), band)
                    }
                }
            }
            length = count * width
        }
    }

    /// True if a sample is one that terrain models store where they have no height. Samples of more bits in
    /// steps of less than a foot, such as centimetres, reach these numbers as heights.
    private func isMissingHeight(_ sample: Double) -> Bool {
        meaning == .heights && (sample == -32_768 || sample == -32_767)
            && (samples.bits == 16 || abs(scales[0].factor) > 0.3)
    }

    /// Returns the opacity of a value of the alpha band, 0…1. Larger samples than 16 bits have no common
    /// maximum, so any positive value is opaque.
    private func opacity(of value: Double) -> Double {
        switch (samples.kind, samples.bits) {
        case (.unsigned, ...16): value / Double(1 << samples.bits - 1)
        case (.signed, ...16): min(max(value / Double(1 << (samples.bits - 1) - 1), 0), 1)
        default: value > 0 ? 1 : 0
        }
    }

    private func number(_ bytes: UnsafeRawBufferPointer, _ at: Int) -> Double {
        switch (samples.kind, samples.size * 8) {
        case (.float, 16): Double(bytes.loadUnaligned(fromByteOffset: at, as: Float16.self))
        case (.float, 64): bytes.loadUnaligned(fromByteOffset: at, as: Double.self)
        case (.float, _): Double(bytes.loadUnaligned(fromByteOffset: at, as: Float.self))
        case (.signed, 64): Double(bytes.loadUnaligned(fromByteOffset: at, as: Int64.self))
        case (.signed, 32): Double(bytes.loadUnaligned(fromByteOffset: at, as: Int32.self))
        case (.signed, 16): Double(bytes.loadUnaligned(fromByteOffset: at, as: Int16.self))
        case (.signed, _): Double(bytes.loadUnaligned(fromByteOffset: at, as: Int8.self))
        case (.unsigned, 64): Double(bytes.loadUnaligned(fromByteOffset: at, as: UInt64.self))
        case (.unsigned, 32): Double(bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self))
        case (.unsigned, 16): Double(bytes.loadUnaligned(fromByteOffset: at, as: UInt16.self))
        case (.unsigned, _): Double(bytes[at])
        }
    }
}

/// The value of pixels without data. It is text, which may have more digits than the samples or less, so that
/// floating-point samples match it if they are almost equal. The rule is that of GDAL.
private struct TIFFNoData {
    private let value: Double
    private let isFloat: Bool
    /// The value in the precision of samples of at most 32 bits; nil for larger ones.
    private let short: Float?

    init(_ value: Double, _ samples: TIFFSamples) {
        isFloat = samples.kind == .float
        self.value = isFloat ? value : value.rounded(.towardZero)
        short = samples.kind == .float && samples.bits <= 32 ? Float(value) : nil
    }

    func matches(_ sample: Double) -> Bool {
        if sample == value { return true }
        guard isFloat else { return false }
        guard let short else { return TIFFNoData.areClose(sample, value) }
        let sample = Float(sample)
        return sample == short || TIFFNoData.areClose(sample, short)
    }

    /// The sum of large numbers is infinite, so that they are close.
    private static func areClose<Number: BinaryFloatingPoint>(_ one: Number, _ other: Number) -> Bool {
        abs(one - other) < Number(Float.ulpOfOne) * abs(one + other) * 2
    }
}

extension TIFFSamples {
    /// Returns samples with the number of this format that is the closest to a value.
    fileprivate func block(of value: Double, count: Int) -> [UInt8] {
        let whole = value.isNaN ? 0 : value.rounded(.towardZero)
        let number: UInt64 =
            switch (kind, size) {
            case (.float, 2): UInt64(Float16(value).bitPattern)
            case (.float, 4): UInt64(Float(value).bitPattern)
            case (.float, _): value.bitPattern
            case (.unsigned, _):
                min(UInt64(exactly: max(whole, 0)) ?? .max, UInt64.max >> UInt64(64 - bits))
            case (.signed, _):
                UInt64(
                    bitPattern: Int64(
                        min(max(Int(clamping: whole), Int.min >> (64 - bits)), Int.max >> (64 - bits))))
            }
        if number == 0 { return [UInt8](repeating: 0, count: count * size) }
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: number >> UInt64($0 * 8)) }
        return [UInt8](unsafeUninitializedCapacity: count * size) { out, length in
            for at in 0..<count * size { out[at] = bytes[at % size] }
            length = count * size
        }
    }

    /// Returns the samples of a block: bytes, or numbers in little-endian order. Samples of other sizes are
    /// extended to the next of 8, 16 and 32 bits.
    /// - Parameter count: The number of samples per pixel in the block.
    func unpacked(
        _ bytes: [UInt8], _ level: TIFFLevel, rows: Int, count: Int
    ) throws(TIFFProblem) -> [UInt8] {
        if compression.isImage {
            let image = compression.image(
                bytes, tables: level.jpegTables, samples: count, isYCbCr: photometric == 6)
            guard let image, image.width == level.blockWidth, image.height >= rows else {
                throw .damaged("a block can't be decoded")
            }
            return Array(image.samples.prefix(level.blockWidth * rows * count))
        }
        let rowBytes = (level.blockWidth * count * bits + 7) / 8
        guard var found = compression.unpacked(bytes, count: rowBytes * rows) else {
            throw .damaged("a block can't be decompressed")
        }
        guard !isPacked else {
            return extended(
                found, row: level.blockWidth * count, rows: rows,
                isReversed: bits == 24 && !level.file.isLittleEndian)
        }
        // Predicted floats are stored with their highest bytes first in every file.
        if predictor != 3 { level.file.normalise(&found, size: size) }
        if predictor > 1, bits >= 8 {
            TIFFCompression.undoPrediction(predictor, &found, row: rowBytes, samples: count, size: size)
        }
        return found
    }

    /// Returns samples that do not fill their number type as numbers in little-endian order.
    /// - Parameter isReversed: True if the bytes of a sample are in little-endian order. Samples are a stream
    ///   of bits, the highest first, in all files; but libtiff swaps the bytes of 24 bits in big-endian ones.
    private func extended(_ bytes: [UInt8], row: Int, rows: Int, isReversed: Bool) -> [UInt8] {
        let rowBytes = (row * bits + 7) / 8, sign: UInt32 = kind == .signed ? 1 << UInt32(bits - 1) : 0
        var numbers: [UInt8] = []
        numbers.reserveCapacity(row * rows * size)
        for y in 0..<rows {
            var at = y * rowBytes, buffer: UInt64 = 0, count = 0
            for _ in 0..<row {
                var number: UInt32
                if isReversed {
                    number = UInt32(bytes[at]) | UInt32(bytes[at + 1]) << 8 | UInt32(bytes[at + 2]) << 16
                    at += 3
                } else {
                    while count < bits {
                        buffer = buffer << 8 | UInt64(bytes[at])
                        (at, count) = (at + 1, count + 8)
                    }
                    count -= bits
                    number =
                        UInt32(truncatingIfNeeded: buffer >> UInt64(count))
                        & (UInt32.max >> UInt32(32 - bits))
                }
                if number & sign != 0 { number |= ~(sign &<< 1 &- 1) }
                for byte in 0..<size { numbers.append(UInt8(truncatingIfNeeded: number >> UInt32(byte * 8))) }
            }
        }
        return numbers
    }
}
