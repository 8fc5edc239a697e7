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
        let memory = MemoryGrowth()
        let clock = ContinuousClock(), start = clock.now
        guard (try? write(format, tiles, bytes, path)) != nil else { return nil }
        let seconds = start.duration(to: clock.now) / .seconds(1)
        let grown = Int(memory.peak.rounded())
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

/// Memory use of this process, in MiB.
struct MemoryGrowth {
    private let before: Double

    /// Starts a measurement, and resets the peak of the whole program. Returns unused memory to the system
    /// first, which later allocations would use again without any growth.
    init() {
        // Swift's module of glibc lacks it.
        if let trim = dlsym(nil, "malloc_trim") {
            _ = unsafeBitCast(trim, to: (@convention(c) (Int) -> Int32).self)(0)
        }
        if let file = fopen("/proc/self/clear_refs", "w") {
            fputs("5", file)
            fclose(file)
        }
        before = MemoryGrowth.status("VmRSS:", of: "self")
    }

    /// The difference between the peak since the start and the use at the start.
    var peak: Double { MemoryGrowth.status("VmHWM:", of: "self") - before }

    /// Returns a figure that the kernel reports about a process; 0 if it has none.
    static func status(_ name: String, of process: String) -> Double {
        guard let file = fopen("/proc/\(process)/status", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, 256, file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            guard text.hasPrefix(name) else { continue }
            return (Double(text.dropFirst(name.count).filter(\.isNumber)) ?? 0) / 1024
        }
        return 0
    }
}
