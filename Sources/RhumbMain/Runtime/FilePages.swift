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

    /// Releases the pages of the embedded gazetteer that the preparation of searches has read.
    private static func giveBackPlaces() {
        guard let start = rhumb_asset_places() else { return }
        let first = UInt(bitPattern: start)
        giveBack(first..<first + UInt(rhumb_asset_places_size()))
    }

    /// Returns the system's description of the process's memory mappings.
    private static func mappings() -> [UInt8] {
        let file = open("/proc/self/smaps", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return [] }
        defer { close(file) }
        var text: [UInt8] = [], piece = [UInt8](repeating: 0, count: 1 << 16)
        while case let count = read(file, &piece, piece.count), count > 0 { text += piece[..<count] }
        return text
    }

    /// Returns the mappings of files that are read-only and whose pages all equal the file.
    /// - Parameter mappings: The text of /proc/self/smaps; see proc_pid_smaps(5). It has thousands of lines,
    ///   so bytes are examined.
    static func unchangedRanges(in mappings: [UInt8]) -> [Range<UInt>] {
        var found: [Range<UInt>] = [], range: Range<UInt>?
        for line in mappings.split(separator: UInt8(ascii: "\n")) {
            let isSwap = line.starts(with: "Swap:".utf8)
            // The lines of a mapping have this order.
            if isSwap || line.starts(with: "Anonymous:".utf8) {
                guard let unchanged = range else { continue }
                if line.first(where: { (0x30...0x39).contains($0) }) != UInt8(ascii: "0") { range = nil }
                if isSwap, range != nil { found.append(unchanged) }
            } else if let first = line.first, !(0x41...0x5A).contains(first) {
                range = codeRange(line)
            }
        }
        return found
    }

    /// Returns the addresses of a mapping of a file with code; nil for any other line.
    private static func codeRange(_ line: ArraySlice<UInt8>) -> Range<UInt>? {
        let words = line.split(separator: UInt8(ascii: " "))
        guard words.count > 5, words[1].elementsEqual("r-xp".utf8), words[5].first == UInt8(ascii: "/") else {
            return nil
        }
        let ends = words[0].split(separator: UInt8(ascii: "-")).compactMap {
            UInt(String(decoding: $0, as: UTF8.self), radix: 16)
        }
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
