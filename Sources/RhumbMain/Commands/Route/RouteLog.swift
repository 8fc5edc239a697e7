internal import Rhumb
internal import Synchronization

/// The last routes whose providers let them be kept, newest first, in a file that is its owner's alone.
struct RouteLog: Sendable {
    private let folder: String?
    private var path: String? { folder.map { $0 + "/routes.json" } }
    private static let limit = 20
    private static let longest = 8 << 20
    /// Held while the file is read and written anew.
    private static let writing = Mutex(())

    init(_ folders: Folders) { folder = folders.state }

    /// All that are kept; none where the file can't be read.
    var all: [RouteAnswer] {
        guard let bytes = path.flatMap({ Files.read($0, limit: RouteLog.longest) }), let json = try? JSON.parse(bytes) else { return [] }
        return (json.array ?? []).compactMap(RouteAnswer.init(json:))
    }

    /// The answer to the same question, however old.
    func answer(to request: RouteRequest) -> RouteAnswer? { all.first { $0.request.asksTheSame(as: request) } }

    /// Keeps an answer, if it may be kept.
    func add(_ answer: RouteAnswer) {
        guard answer.mayBeKept, let folder, let path else { return }
        RouteLog.writing.withLock { _ in write(answer, in: folder, to: path) }
    }

    private func write(_ answer: RouteAnswer, in folder: String, to path: String) {
        var kept = [answer] + all.filter { !$0.request.asksTheSame(as: answer.request) }
        var bytes: [UInt8] = []
        repeat {
            kept = Array(kept.prefix(RouteLog.limit))
            bytes = Array(JSON.array(kept.map(\.json)).text.utf8)
            if bytes.count > RouteLog.longest { kept.removeLast() }
        } while bytes.count > RouteLog.longest && !kept.isEmpty
        Files.makeFolder(folder)
        try? Files.write(bytes, to: path, isPrivate: true)
    }
}
