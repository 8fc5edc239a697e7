internal import Glibc
internal import RhumbCore
internal import RhumbEngine
internal import RhumbStore

/// One picture of a file at one resolution, divided into blocks: tiles or strips.
struct TIFFLevel: Sendable {
    let file: TIFFFile
    let samples: TIFFSamples
    let width: Int, height: Int
    let blockWidth: Int, blockHeight: Int
    let fields: [UInt16: TIFFFile.Field]
    let isTiled: Bool
    /// The JPEG tables of all blocks; empty for none.
    let jpegTables: [UInt8]

    /// The maximum size of a decoded block in pixels and in bytes.
    private static let blockLimit = (pixels: 1 << 24, bytes: 128 << 20)
    /// The maximum number of blocks of all bands.
    private static let countLimit = 1 << 32
    /// The maximum size of a stored block in bytes.
    private static let sectionLimit: UInt64 = 160 << 20

    init(_ file: TIFFFile, _ fields: [UInt16: TIFFFile.Field]) throws(TIFFProblem) {
        self.file = file
        self.fields = fields
        samples = try TIFFSamples(file, fields)
        width = Int(clamping: try file.number(fields[256]) ?? 0)
        height = Int(clamping: try file.number(fields[257]) ?? 0)
        guard (1...1 << 30).contains(width), (1...1 << 30).contains(height) else {
            throw .damaged("its size is \(width) × \(height)")
        }
        isTiled = fields[322] != nil
        let wide = isTiled ? try file.number(fields[322]) : UInt64(width)
        let high = try file.number(fields[isTiled ? 323 : 278])
        blockWidth = Int(clamping: wide ?? 0)
        let rows = Int(clamping: high ?? UInt64(height))
        blockHeight = isTiled ? rows : min(rows, height)
        guard blockWidth > 0, blockHeight > 0 else { throw .damaged("its tiles have no size") }
        let (area, overflows) = blockWidth.multipliedReportingOverflow(by: blockHeight)
        let bits = Int(clamping: try file.number(fields[258]) ?? 1)
        let bands = Int(clamping: try file.number(fields[277]) ?? 1)
        let bytes = area.saturatingMultiply(bits).saturatingMultiply(bands) / 8
        guard !overflows, area <= TIFFLevel.blockLimit.pixels, bytes <= TIFFLevel.blockLimit.bytes else {
            throw .unsupported(
                "its blocks of \(blockWidth) × \(blockHeight) pixels are too large",
                advice: "divide it with gdal_translate -of COG IN OUT")
        }
        jpegTables = try file.raw(fields[347])
        let count = columns.saturatingMultiply(self.rows).saturatingMultiply(bands)
        guard count <= TIFFLevel.countLimit else {
            throw .unsupported(
                "it has too many blocks of \(blockWidth) × \(blockHeight) pixels",
                advice: "make larger ones with gdal_translate -of COG IN OUT")
        }
    }

    /// Returns an overview of a picture; nil if the directory has another shape or other samples, or can't be
    /// read. Its compression and its layout may differ from the picture's.
    static func overview(
        _ file: TIFFFile, _ fields: [UInt16: TIFFFile.Field], of finest: TIFFLevel
    ) throws(TIFFProblem) -> TIFFLevel? {
        do throws(TIFFProblem) {
            let level = try TIFFLevel(file, fields)
            return level.isReduced(from: finest) && level.samples.areNumbers(of: finest.samples) ? level : nil
        } catch {
            switch error {
            case .damaged, .unsupported: return nil
            case .missing, .unreadable, .notLoaded: throw error
            }
        }
    }

    /// Returns true if this level is smaller than the finest one, and has the same shape.
    private func isReduced(from finest: TIFFLevel) -> Bool {
        guard width <= finest.width, height <= finest.height, (width, height) != (finest.width, finest.height)
        else { return false }
        let wide = Double(finest.width) / Double(width), high = Double(finest.height) / Double(height)
        // Sizes are rounded to whole pixels.
        let slack = 1.5 * (wide / Double(height) + high / Double(width) + 0.02)
        return abs(wide - high) <= slack * max(wide, high)
    }

    /// The number of pixels.
    var area: Int { width * height }

    var columns: Int { (width + blockWidth - 1) / blockWidth }
    var rows: Int { (height + blockHeight - 1) / blockHeight }

    /// The number of rows in a block; the last strip may be lower.
    func height(ofBlock row: Int) -> Int {
        isTiled ? blockHeight : min(blockHeight, height - row * blockHeight)
    }

    /// Returns the pixels of a block. Those of a tile may exceed the level.
    func area(_ column: Int, _ row: Int) -> PixelBox {
        PixelBox(
            x: column * blockWidth..<(column + 1) * blockWidth,
            y: row * blockHeight..<row * blockHeight + height(ofBlock: row))
    }

    /// Returns the section of a block; nil if it has no data.
    /// - Parameter plane: The band, if each has blocks of its own; otherwise 0.
    func section(
        _ column: Int, _ row: Int, plane: Int
    ) throws(TIFFProblem) -> FileSection? {
        let index = UInt64((plane * rows + row) * columns + column)
        let offset = try file.number(fields[isTiled ? 324 : 273], at: index)
        let count = try file.number(fields[isTiled ? 325 : 279], at: index)
        guard let offset else { throw .damaged("it lacks a block") }
        // A single strip of an uncompressed file may have no length.
        let size = blockWidth * height(ofBlock: row) * samples.count * samples.bits / 8
        let length = count ?? UInt64(size)
        guard offset > 0, length > 0 else { return nil }
        guard length <= TIFFLevel.sectionLimit else { throw .damaged("a block has \(length) bytes") }
        guard offset < TIFFFile.baseStep else { throw .damaged("a block is at byte \(offset)") }
        return FileSection(offset: offset + file.base, length: length)
    }
}

/// The format of a file's samples.
struct TIFFSamples: Equatable, Sendable {
    enum Kind: UInt64 { case unsigned = 1, signed = 2, float = 3 }

    let count: Int
    let bits: Int
    let kind: Kind
    /// True if each band has blocks of its own.
    let isPlanar: Bool
    let compression: TIFFCompression
    let predictor: UInt64
    let photometric: UInt64

    init(_ file: TIFFFile, _ fields: [UInt16: TIFFFile.Field]) throws(TIFFProblem) {
        count = Int(clamping: try file.number(fields[277]) ?? 1)
        photometric = try file.number(fields[262]) ?? 1
        let all = try file.numbers(fields[258]).map { Int(clamping: $0) }
        let depth = all.first ?? 1
        bits = depth
        guard all.allSatisfy({ $0 == depth }) else {
            throw .unsupported("its bands have different depths", advice: TIFFSamples.remedy("-ot Byte"))
        }
        let form = try file.number(fields[339]) ?? 1
        guard let kind = Kind(rawValue: form == 4 ? 1 : form) else {
            throw .unsupported("it has complex numbers", advice: TIFFSamples.remedy("-ot Float32"))
        }
        self.kind = kind
        isPlanar = try file.number(fields[284]) == 2
        let code = try file.number(fields[259]) ?? 1
        guard let known = TIFFCompression(rawValue: code) else {
            let name = TIFFCompression.others[code] ?? "of kind \(code)"
            throw .unsupported(
                "its compression is \(name)", advice: TIFFSamples.remedy("-co COMPRESS=DEFLATE"))
        }
        compression = known
        predictor = try file.number(fields[317]) ?? 1
        try check()
    }

    private func check() throws(TIFFProblem) {
        guard count > 0 else { throw .damaged("it has no bands") }
        guard kind == .float ? [16, 32, 64].contains(bits) : (1...32).contains(bits) || bits == 64 else {
            throw .unsupported(
                "its samples have \(bits) bits",
                advice: TIFFSamples.remedy(kind == .float ? "-ot Float32" : "-ot UInt16"))
        }
        if compression.isImage, bits != 8 || !(isPlanar ? [1] : [1, 3, 4]).contains(count) {
            throw .unsupported(
                "its \(count) bands of \(bits) bits are compressed as images",
                advice: TIFFSamples.remedy("-co COMPRESS=DEFLATE"))
        }
        if compression == .jpeg, count == 4 {
            throw .unsupported(
                "its JPEG blocks have 4 bands", advice: TIFFSamples.remedy("-co COMPRESS=DEFLATE"))
        }
        if compression == .zstandard, let package = Compression.zstd.missingPackage {
            throw .unsupported(
                "it is compressed with Zstandard, and libzstd is not installed",
                advice: "install \(package), or use " + TIFFSamples.remedy("-co COMPRESS=DEFLATE"))
        }
        guard (1...3).contains(predictor) else { throw .damaged("its predictor is \(predictor)") }
        if predictor > 1, isPacked, bits > 8 {
            throw .unsupported(
                "its samples of \(bits) bits have a predictor", advice: TIFFSamples.remedy("-ot UInt16"))
        }
    }

    /// Returns true if samples have the numbers and the colours of a picture's, stored in any way.
    func areNumbers(of picture: TIFFSamples) -> Bool {
        count == picture.count && bits == picture.bits && kind == picture.kind && colours == picture.colours
    }

    /// The meaning of the numbers: 1 for grey, red, green and blue, which JPEG may store as YCbCr, or the
    /// photometric interpretation.
    private var colours: UInt64 {
        switch photometric {
        case 1, 2: 1
        case 6 where compression == .jpeg: 1
        default: photometric
        }
    }

    /// True if samples do not begin at whole bytes, or have no number type of their size.
    var isPacked: Bool { ![8, 16, 32, 64].contains(bits) }
    /// The size in bytes of the smallest number type that holds a sample.
    var size: Int { bits <= 8 ? 1 : bits <= 16 ? 2 : bits <= 32 ? 4 : 8 }

    /// Returns the command that converts the file with further options.
    static func remedy(_ options: String) -> String {
        "convert it with gdal_translate -of COG \(options) IN OUT"
    }
}

/// A GeoTIFF: its levels of resolution, its location and the meaning of its bands. It reads nothing by
/// itself but fields that are loaded already.
struct GeoTIFF: Sendable {
    /// The meaning of the bands.
    enum Meaning: Equatable, Sendable {
        /// 8-bit brightness or colours.
        case picture
        case palette([RGB])
        /// Values of up to three bands, which are stretched to colours.
        case values
        /// Heights in metres.
        case heights
    }

    /// The band of opacities.
    struct Alpha: Equatable, Sendable {
        /// Its position in the samples of a decoded pixel.
        var band: Int
        /// True if the colours are multiplied by the opacity.
        let isAssociated: Bool
    }

    let file: TIFFFile
    /// The samples of the finest level.
    let samples: TIFFSamples
    let reference: GeoReference
    /// The levels of resolution, the finest first.
    let levels: [TIFFLevel]
    /// The mask of each level; empty for none.
    let masks: [TIFFMask]
    let meaning: Meaning
    /// The bands to read: the shown ones, then that of opacities.
    let readBands: [Int]
    /// The positions of the shown bands in the samples of a decoded pixel: one, or red, green and blue.
    let bands: Range<Int>
    /// The conversion of the samples of each shown band to values; to metres for heights.
    let scales: [TIFFScale]
    /// The band of opacities; nil if there is none.
    let alpha: Alpha?
    /// The value of pixels without data; nil if there is none.
    let noData: Double?
    let bounds: Bounds
    let copyright: String

    /// Reads the directories of a file.
    /// - Parameters:
    ///   - name: The name of the map.
    ///   - sides: The files beside it.
    ///   - isTerrain: True if the user has named the file as a terrain model; false to guess.
    init(
        _ bytes: any TIFFBytes, name: String, sides: TIFFSideFiles = TIFFSideFiles(), isTerrain: Bool = false
    ) throws(TIFFProblem) {
        file = try TIFFFile(bytes)
        let main = file.directories[0]
        let finest = try TIFFLevel(file, main)
        samples = finest.samples
        reference = try GeoReference(file, main)
        bounds = try reference.bounds(width: finest.width, height: finest.height)
        (levels, masks) = try GeoTIFF.levels(file, finest, sides)
        copyright = try file.text(main[33_432]) ?? ""
        let metadata = TIFFBandMetadata(try file.text(main[42_112]) ?? "", sides.statements)
        let roles = try BandRoles(file, main, samples, metadata)
        let none = try file.text(main[42_113])
        noData = (sides.statements[roles.shown.first ?? 0]?["nodata"] ?? none).flatMap {
            Double($0.trimmed.split(separator: " ").first ?? "")
        }
        let unit = try GeoTIFF.heightUnit(file, main, name, metadata, isTerrain: isTerrain)
        meaning = try GeoTIFF.meaning(
            file, main, samples, roles, isHeights: unit != nil, isTerrain: isTerrain)
        let isHeights = meaning == .heights
        scales = roles.shown.map { band in
            let scale = metadata.scale(band: band)
            return isHeights ? scale.inUnits(unit ?? 1) : scale
        }
        readBands = roles.shown + (roles.alpha.map { [$0.band] } ?? [])
        bands = roles.shown.indices
        var alpha = roles.alpha
        alpha?.band = bands.count
        self.alpha = alpha
    }

    /// Returns the levels and their masks. Directories that fit neither are ignored. As in GDAL, the file of
    /// overviews counts only for a file without any.
    private static func levels(
        _ file: TIFFFile, _ finest: TIFFLevel, _ sides: TIFFSideFiles
    ) throws(TIFFProblem) -> ([TIFFLevel], [TIFFMask]) {
        var levels = [finest], masks: [TIFFMask] = []
        for fields in file.directories.dropFirst() {
            let kind = try file.number(fields[254]) ?? 0
            if kind & 4 != 0 {
                masks.append(try TIFFMask(file, fields))
            } else if kind & 1 != 0, let level = try TIFFLevel.overview(file, fields, of: finest) {
                levels.append(level)
            }
        }
        if levels.count == 1, let file = sides.overviews {
            for fields in file.directories {
                let kind = try file.number(fields[254]) ?? 0
                if kind & 4 != 0 {
                    masks.append(try TIFFMask(file, fields))
                } else if let level = try TIFFLevel.overview(file, fields, of: finest) {
                    levels.append(level)
                }
            }
        }
        if let file = sides.masks {
            for fields in file.directories { masks.append(try TIFFMask(file, fields)) }
        }
        levels.sort { $0.area > $1.area }
        if masks.isEmpty { return (levels, []) }
        guard masks.contains(where: { $0.level.width == finest.width && $0.level.height == finest.height })
        else {
            throw .unsupported("its mask has another size", advice: "remove the mask, or make it again")
        }
        // An overview without a mask of its size has the next larger one.
        let pairs = levels.compactMap { level in
            masks.filter { $0.level.width >= level.width && $0.level.height >= level.height }
                .min { $0.level.area < $1.level.area }
                .map { (level, $0.scaled(to: level)) }
        }.filter { level, mask in level.area == finest.area || mask.isQuick(level) }
        return (pairs.map(\.0), pairs.map(\.1))
    }

    // MARK: Blocks

    /// A block of a level.
    struct BlockID: Hashable, Sendable {
        let level: Int
        let column: Int
        let row: Int
    }

    /// Returns the sections of a block: one for each band with blocks of its own, then the mask's. A missing
    /// section has no data.
    func sections(of block: BlockID) throws(TIFFProblem) -> [FileSection?] {
        let level = levels[block.level]
        var sections: [FileSection?] = []
        for plane in planes(of: level) {
            sections.append(try level.section(block.column, block.row, plane: plane))
        }
        guard !masks.isEmpty else { return sections }
        return sections + (try masks[block.level].sections(level.area(block.column, block.row)))
    }

    /// Returns the bands whose blocks are read, if each has blocks of its own; otherwise 0, which stands for
    /// all.
    func planes(of level: TIFFLevel) -> [Int] { level.samples.isPlanar ? readBands : [0] }
}
