internal import RhumbCore

/// The mask of a level: a picture of one band that is 0 where the level has no data. Its blocks may have
/// another size than the level's, and it may be in a file of its own.
struct TIFFMask: Sendable {
    let level: TIFFLevel
    /// The size of the level that it masks, in pixels.
    private var width: Int, height: Int

    /// The maximum number of its blocks for one block of a level, and for one of a smaller level.
    private static let blockLimit = 4096, quickLimit = 1024

    init(_ file: TIFFFile, _ fields: [UInt16: TIFFFile.Field]) throws(TIFFProblem) {
        level = try TIFFLevel(file, fields)
        (width, height) = (level.width, level.height)
        let samples = level.samples
        guard samples.count == 1, [1, 8].contains(samples.bits), samples.kind == .unsigned,
            !samples.compression.isImage
        else {
            throw .unsupported(
                "its mask has \(samples.count) bands of \(samples.bits) bits, compressed with "
                    + "\(samples.compression)", advice: TIFFSamples.remedy("-co COMPRESS=DEFLATE"))
        }
    }

    /// Returns the mask for a level that may be smaller.
    func scaled(to level: TIFFLevel) -> TIFFMask {
        var mask = self
        mask.width = level.width
        mask.height = level.height
        return mask
    }

    /// Returns true if a block of a level needs few of its blocks.
    func isQuick(_ level: TIFFLevel) -> Bool {
        let axes = axes(level.area(0, 0))
        return axes.columns.count * axes.rows.count <= TIFFMask.quickLimit
    }

    /// Returns the columns and rows of its blocks that cover an area of the level's pixels.
    private func axes(_ area: PixelBox) -> (columns: ClosedRange<Int>, rows: ClosedRange<Int>) {
        let columns = pixels(area.x, width, level.width), rows = pixels(area.y, height, level.height)
        return (
            columns[0] / level.blockWidth...columns[columns.count - 1] / level.blockWidth,
            rows[0] / level.blockHeight...rows[rows.count - 1] / level.blockHeight
        )
    }

    /// Returns its columns or rows at the centres of the level's. Those beyond the level are its last one.
    private func pixels(_ range: Range<Int>, _ side: Int, _ own: Int) -> [Int] {
        range.map { min(side == own ? $0 : (2 * $0 + 1) * own / (2 * side), own - 1) }
    }

    private func blocks(_ area: PixelBox) throws(TIFFProblem) -> [(column: Int, row: Int)] {
        let axes = axes(area)
        guard axes.columns.count * axes.rows.count <= TIFFMask.blockLimit else {
            throw .unsupported("its mask has too many blocks", advice: TIFFSamples.remedy(""))
        }
        return axes.rows.flatMap { row in axes.columns.map { ($0, row) } }
    }

    /// Returns the sections of the blocks that cover an area; nil for those without data.
    func sections(_ area: PixelBox) throws(TIFFProblem) -> [FileSection?] {
        try blocks(area).map { (column, row) throws(TIFFProblem) in
            try level.section(column, row, plane: 0)
        }
    }

    /// Returns a byte per pixel of an area, 0 where the mask hides it.
    /// - Parameter raw: The bytes of its sections.
    func bytes(_ area: PixelBox, _ raw: ArraySlice<[UInt8]?>) throws(TIFFProblem) -> [UInt8] {
        var mask = [UInt8](repeating: 0, count: area.x.count * area.y.count)
        let columns = pixels(area.x, width, level.width), rows = pixels(area.y, height, level.height)
        for (block, bytes) in zip(try blocks(area), raw) {
            guard let bytes else { continue }
            let high = level.height(ofBlock: block.row), left = block.column * level.blockWidth,
                top = block.row * level.blockHeight
            let found = try level.samples.unpacked(bytes, level, rows: high, count: 1)
            let shown =
                columns.partitioningIndex {
                    $0 >= left
                }..<columns.partitioningIndex {
                    $0 >= left + level.blockWidth
                }
            for (y, row) in rows.enumerated() where row >= top && row < top + high {
                for x in shown {
                    mask[y * columns.count + x] = found[(row - top) * level.blockWidth + columns[x] - left]
                }
            }
        }
        return mask
    }
}
