internal import CAssets
internal import Glibc

/// The memory pages of the program's own files. For each page that is needed, the system loads many around
/// it. Most are needed only once, at the start of the program.
enum FilePages {
    /// Releases memory that equals the contents of files. It is read again on the next access.
    static func giveBack() {
        giveBackPlaces()
        for range in unchangedRanges(in: mappings()) { giveBack(range) }
    }

    /// Releases the embedded gazetteer, because opening it reads the whole file.
    static func giveBackPlaces() {
        guard let start = rhumb_asset_places() else { return }
        let first = UInt(bitPattern: start)
        giveBack(first..<first + UInt(rhumb_asset_places_size()))
    }

    /// Returns the system's description of the process's memory mappings.
    private static func mappings() -> String {
        let file = open("/proc/self/smaps", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        var text: [UInt8] = [], piece = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = read(file, &piece, piece.count), count > 0 { text += piece[..<count] }
        return String(decoding: text, as: UTF8.self)
    }

    /// Returns the mappings of files that are read-only and whose pages all equal the file.
    /// - Parameter mappings: The text of /proc/self/smaps; see proc_pid_smaps(5).
    static func unchangedRanges(in mappings: String) -> [Range<UInt>] {
        var found: [Range<UInt>] = [], range: Range<UInt>?
        for line in mappings.split(separator: "\n") {
            let words = line.split(separator: " ")
            if let name = words.first, name.hasSuffix(":") {
                // The lines of a mapping have this order.
                guard let unchanged = range, name == "Anonymous:" || name == "Swap:" else { continue }
                if words.dropFirst().first != "0" { range = nil }
                if name == "Swap:", range != nil { found.append(unchanged) }
            } else {
                range =
                    words.count > 5 && words[1] == "r-xp" && words[5].hasPrefix("/")
                    ? addresses(words[0]) : nil
            }
        }
        return found
    }

    /// Parses a range of addresses such as "7f00-7f10".
    private static func addresses(_ words: Substring) -> Range<UInt>? {
        let ends = words.split(separator: "-").compactMap { UInt($0, radix: 16) }
        return ends.count == 2 && ends[0] < ends[1] ? ends[0]..<ends[1] : nil
    }

    /// Releases the whole pages of a range, which must be backed by a file.
    private static func giveBack(_ range: Range<UInt>) {
        let page = UInt(sysconf(Int32(_SC_PAGESIZE)))
        let first = (range.lowerBound + page - 1) / page * page, end = range.upperBound / page * page
        guard first < end else { return }
        madvise(UnsafeMutableRawPointer(bitPattern: first), Int(end - first), MADV_DONTNEED)
    }
}
