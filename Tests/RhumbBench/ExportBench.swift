internal import Glibc
internal import RhumbCore
internal import RhumbStore

/// Measures writing archives of 100,000 tiles of 15 kB and a million tiles of 400 bytes, a quarter of them
/// sea.
enum ExportBench {
    static func rows() -> [BenchRow] {
        var template = Array("/tmp/rhumb-bench-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { return [] }
        let folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        defer { rmdir(folder) }
        return ArchiveFormat.allCases.flatMap { format in
            [(100_000, 15_000), (1_000_000, 400)].compactMap { row(format, tiles: $0.0, bytes: $0.1, folder) }
        }
    }

    private static func row(_ format: ArchiveFormat, tiles: Int, bytes: Int, _ folder: String) -> BenchRow? {
        let path = folder + "/map." + format.rawValue
        defer { unlink(path) }
        let before = peakMemory
        let clock = ContinuousClock(), start = clock.now
        guard (try? write(format, tiles, bytes, path)) != nil else { return nil }
        let seconds = start.duration(to: clock.now) / .seconds(1)
        let grown = Int((peakMemory - before).rounded())
        return BenchRow(
            name: "\(format.rawValue), \(tiles) tiles of \(bytes) bytes", value: Double(tiles) / seconds,
            unit: "tiles/s", anchor: "peak memory grew by \(grown) MiB")
    }

    private static func write(_ format: ArchiveFormat, _ tiles: Int, _ bytes: Int, _ path: String) throws {
        let writer = try format.writer(to: path, label: ExportLabel(name: "bench"))
        let first = TileID.firstHilbertID(zoom: 12)
        var body = [UInt8](repeating: 0, count: bytes)
        for index in 0..<tiles {
            guard let tile = TileID(hilbertID: first + UInt64(index)) else { continue }
            let isSea = index / 64 % 4 == 0
            for place in 0..<8 {
                body[place] = isSea ? 0 : UInt8(truncatingIfNeeded: (index + 1) >> (8 * place))
            }
            try writer.add(tile, body)
        }
        _ = try writer.finish()
    }
}

/// The peak memory use of the program so far, in MiB.
var peakMemory: Double {
    var usage = rusage()
    getrusage(RUSAGE_SELF.rawValue, &usage)
    return Double(usage.ru_maxrss) / 1024
}
