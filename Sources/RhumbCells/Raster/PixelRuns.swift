/// The pixels of a picture as runs of one colour. Drawn maps and lines consist of such runs, which take a
/// fraction of the memory and can be summed run by run.
struct PixelRuns: Equatable, Sendable {
    /// The runs within rows. The low three bytes are red, green and blue. The top byte is alpha or, if the
    /// picture is opaque, the number of pixels minus one.
    private let runs: [UInt32]
    /// The number of pixels minus one of each run; empty if the picture is opaque.
    private let lengths: [UInt8]
    /// The index of each row's first run, followed by the number of runs.
    private let starts: [Int32]

    /// The size in bytes.
    var byteCount: Int { (runs.count + starts.count) * 4 + lengths.count }

    /// The average number of pixels per run that makes packing worthwhile.
    private static let leastLength = 2

    /// - Parameter bytes: Rows of RGBA pixels, `width` pixels per row.
    /// - Returns: nil if the runs are too short.
    init?(_ bytes: [UInt8], width: Int, height: Int, isOpaque: Bool) {
        let limit = width * height / Self.leastLength
        guard Int32(exactly: limit) != nil, Self.seemWorthIt(bytes, width, height) else { return nil }
        var starts: [Int32] = [0], count = 0
        starts.reserveCapacity(height + 1)
        let runs = UnsafeMutableBufferPointer<UInt32>.allocate(capacity: limit)
        let lengths = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: limit)
        defer {
            runs.deallocate()
            lengths.deallocate()
        }
        withUnsafeTemporaryAllocation(of: Int32.self, capacity: width + 1) { ends in
            bytes.withUnsafeBytes { bytes in
                while starts.count <= height,
                    let end = Self.append(
                        bytes, row: starts.count - 1, width: width, ends, to: runs, lengths, from: count)
                {
                    count = end
                    starts.append(Int32(end))
                }
            }
        }
        guard starts.count > height else { return nil }
        if isOpaque {
            for run in 0..<count { runs[run] = runs[run] & 0xFF_FFFF | UInt32(lengths[run]) << 24 }
        }
        // The copies allocate only as much memory as they need.
        self.runs = Array(runs[..<count])
        self.lengths = isOpaque ? [] : Array(lengths[..<count])
        self.starts = starts
    }

    /// Returns true if a few sampled rows have long runs, so that shaded relief and photographs are rejected
    /// at little cost.
    private static func seemWorthIt(_ bytes: [UInt8], _ width: Int, _ height: Int) -> Bool {
        bytes.withUnsafeBytes { bytes in
            let rows = Array(stride(from: height / 32, to: height, by: 16))
            let runs = rows.reduce(into: 0) { runs, row in
                var before = UInt32.zero
                for at in row * width..<(row + 1) * width {
                    let next = bytes.loadUnaligned(fromByteOffset: at * 4, as: UInt32.self)
                    runs += next == before ? 0 : 1
                    before = next
                }
            }
            return runs * leastLength <= rows.count * width
        }
    }

    /// Appends the runs of a row.
    /// - Parameter ends: Space for one more element than the row has pixels.
    /// - Returns: The end of the runs; nil if they don't fit.
    private static func append(
        _ bytes: UnsafeRawBufferPointer, row: Int, width: Int, _ ends: UnsafeMutableBufferPointer<Int32>,
        to runs: UnsafeMutableBufferPointer<UInt32>, _ lengths: UnsafeMutableBufferPointer<UInt8>,
        from start: Int
    ) -> Int? {
        func pixel(_ column: Int) -> UInt32 {
            bytes.loadUnaligned(fromByteOffset: (row * width + column) * 4, as: UInt32.self)
        }
        // Colour changes are unpredictable, so nothing branches on them except the end of the list.
        var count = 0, before = pixel(0)
        for column in 1..<max(width, 1) {
            let next = pixel(column)
            ends[count] = Int32(column)
            count += next == before ? 0 : 1
            before = next
        }
        ends[count] = Int32(width)
        var first = 0, index = start
        for end in ends[...count] {
            while first < end {
                let length = min(Int(end) - first, 256)
                guard index < runs.count else { return nil }
                runs[index] = pixel(first).littleEndian
                lengths[index] = UInt8(length - 1)
                index += 1
                first += length
            }
        }
        return index
    }

    /// The pixels one by one, four bytes RGBA each, row by row.
    var pixels: [UInt8] {
        let count = runs.indices.reduce(0) { $0 + length($1) }
        return [UInt8](unsafeUninitializedCapacity: count * 4) { bytes, filled in
            for at in runs.indices {
                let pixel = (lengths.isEmpty ? runs[at] | 0xFF00_0000 : runs[at]).littleEndian
                for _ in 0..<length(at) {
                    UnsafeMutableRawBufferPointer(bytes).storeBytes(
                        of: pixel, toByteOffset: filled, as: UInt32.self)
                    filled += 4
                }
            }
        }
    }

    /// Returns the number of pixels of a run.
    private func length(_ run: Int) -> Int {
        Int(lengths.isEmpty ? UInt8(runs[run] >> 24) : lengths[run]) + 1
    }

    /// Adds part of a row to sums of pixels that are stored as differences from their left neighbours.
    /// - Parameters:
    ///   - columns: A non-empty range within the row.
    ///   - weight: The factor of its pixels, 0…255.
    ///   - differences: An array with one element for each column.
    func addRow(
        _ row: Int, _ columns: Range<Int>, times weight: UInt16,
        to differences: UnsafeMutablePointer<SIMD4<UInt16>>
    ) {
        runs.withUnsafeBufferPointer { runs in
            lengths.withUnsafeBufferPointer { lengths in
                let isOpaque = lengths.isEmpty
                var next = Int(starts[row]), end = 0, before = SIMD4<UInt16>.zero
                while end < columns.upperBound {
                    let run = runs[next], start = end
                    end += Int(isOpaque ? UInt8(run >> 24) : lengths[next]) + 1
                    next += 1
                    guard end > columns.lowerBound else { continue }
                    let pixel = (isOpaque ? Self.opaque(run) : Self.multiplied(run)) &* weight
                    differences[max(start - columns.lowerBound, 0)] &+= pixel &- before
                    before = pixel
                }
            }
        }
    }

    private static func opaque(_ run: UInt32) -> SIMD4<UInt16> {
        SIMD4(UInt16(run & 0xFF), UInt16(run >> 8 & 0xFF), UInt16(run >> 16 & 0xFF), 255)
    }

    /// Returns a colour times its alpha, rounded to the nearest, and alpha.
    private static func multiplied(_ run: UInt32) -> SIMD4<UInt16> {
        let alpha = run >> 24
        guard alpha > 0 else { return .zero }
        let products = SIMD4(run & 0xFF, run >> 8 & 0xFF, run >> 16 & 0xFF, 255) &* alpha &+ 128
        return SIMD4(truncatingIfNeeded: (products &+ products &>> 8) &>> 8)
    }

    /// Returns true if both share memory.
    func isIdentical(to other: PixelRuns) -> Bool {
        runs.withUnsafeBufferPointer { own in
            other.runs.withUnsafeBufferPointer { own.baseAddress == $0.baseAddress }
        }
    }
}
