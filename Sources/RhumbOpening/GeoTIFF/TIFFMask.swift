internal import RhumbCore

/// The mask of a level: a picture of one band that is 0 where the level has no data. Its blocks may have
/// another size than the level's, and it may be in a file of its own.
struct TIFFMask: Sendable {
    let level: TIFFLevel
    private let samples: TIFFSamples
    private let file: TIFFFile
    /// The offset to add to positions in the mask's file.
    private let base: UInt64

    /// The maximum number of its blocks for one block of a level.
    private static let blockLimit = 4096

    init(_ file: TIFFFile, _ fields: [UInt16: TIFFFile.Field], base: UInt64) throws(TIFFProblem) {
        self.file = file
        self.base = base
        level = try TIFFLevel(file, fields)
        samples = try TIFFSamples(file, fields)
        guard samples.count == 1, [1, 8].contains(samples.bits), samples.kind == .unsigned,
            !samples.compression.isImage
        else {
            throw .unsupported(
                "its mask has \(samples.count) bands of \(samples.bits) bits, compressed with "
                    + "\(samples.compression)", advice: TIFFSamples.remedy("-co COMPRESS=DEFLATE"))
        }
    }

    /// Returns the columns and rows of its blocks that cover an area of pixels.
    private func blocks(_ area: PixelBox) throws(TIFFProblem) -> [(column: Int, row: Int)] {
        let right = min(area.x.upperBound, level.width) - 1, bottom = min(area.y.upperBound, level.height) - 1
        let columns = area.x.lowerBound / level.blockWidth...right / level.blockWidth
        let rows = area.y.lowerBound / level.blockHeight...bottom / level.blockHeight
        guard columns.count * rows.count <= TIFFMask.blockLimit else {
            throw .unsupported("its mask has too many blocks", advice: TIFFSamples.remedy(""))
        }
        return rows.flatMap { row in columns.map { ($0, row) } }
    }

    /// Returns the sections of the blocks that cover an area; nil for those without data.
    func sections(_ area: PixelBox) throws(TIFFProblem) -> [FileSection?] {
        try blocks(area).map { (column, row) throws(TIFFProblem) in
            try level.section(column, row, plane: 0, samples, file).map {
                FileSection(offset: $0.offset + base, length: $0.length)
            }
        }
    }

    /// Returns a byte per pixel of an area, 0 where the mask hides it.
    /// - Parameter raw: The bytes of its sections.
    func bytes(_ area: PixelBox, _ raw: ArraySlice<[UInt8]?>) throws(TIFFProblem) -> [UInt8] {
        var mask = [UInt8](repeating: 0, count: area.x.count * area.y.count)
        for (block, bytes) in zip(try blocks(area), raw) {
            guard let bytes else { continue }
            let rows = level.height(ofBlock: block.row), left = block.column * level.blockWidth,
                top = block.row * level.blockHeight
            let found = try samples.unpacked(bytes, level, rows: rows, count: 1, file)
            let columns = (left..<left + level.blockWidth).clamped(to: area.x)
            for y in (top..<top + rows).clamped(to: area.y) {
                let from = (y - top) * level.blockWidth + columns.lowerBound - left
                let to = (y - area.y.lowerBound) * area.x.count + columns.lowerBound - area.x.lowerBound
                mask.replaceSubrange(to..<to + columns.count, with: found[from..<from + columns.count])
            }
        }
        return mask
    }
}
