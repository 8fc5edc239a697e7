internal import Glibc
internal import Rhumb

/// When a source was asked last by any of a person's programs, so that several of them keep its pace together.
struct SourcePace: Sendable {
    private let folder: String?
    /// The longest wait; what a damaged file says doesn't count.
    private static let longestWait: Int64 = 60_000_000

    init(_ folders: Folders) { folder = folders.state }

    /// Returns when the source may be asked, and notes that it is.
    func wait(_ rules: SourceRules) async {
        guard let rate = rules.requestsPerSecond, rate > 0, let folder else { return }
        Files.makeFolder(folder)
        let wait = SourcePace.place(gap: Int64(1_000_000 / rate), in: "\(folder)/asked-\(rules.id)")
        if wait > 0 { try? await Task.sleep(for: .microseconds(wait)) }
    }

    /// Takes the next free moment.
    /// - Returns: how far off it is, in microseconds.
    private static func place(gap: Int64, in path: String) -> Int64 {
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0, flock(file, LOCK_EX) == 0 else { return 0 }
        defer { close(file) }
        var last: Int64 = 0, now = timespec()
        _ = pread(file, &last, MemoryLayout<Int64>.size, 0)
        clock_gettime(CLOCK_REALTIME, &now)
        let moment = Int64(now.tv_sec) * 1_000_000 + Int64(now.tv_nsec) / 1000
        var turn = max(moment, last + gap)
        if turn - moment > longestWait { turn = moment }
        _ = pwrite(file, &turn, MemoryLayout<Int64>.size, 0)
        return turn - moment
    }
}
