internal import Glibc
internal import Synchronization

/// The answers sent recently, within a limit of bytes.
final class ResponseMemory: Sendable {
    /// The properties of a request on which an answer depends.
    struct Key: Hashable {
        private let path: String
        /// The number of the tileset's edition.
        private let edition: Int
        /// The origin that may read the answer.
        private let origin: String?
        private let isPacked: Bool

        init(_ path: String, _ edition: Int, _ origin: String?, isPacked: Bool = false) {
            self.path = path
            self.edition = edition
            self.origin = origin
            self.isPacked = isPacked
        }
    }

    private struct State {
        var answers: [Key: PreparedTile] = [:]
        var older: [Key: PreparedTile] = [:]
        var size = 0
    }

    /// A sixteenth of the machine's memory, 32 to 512 MiB.
    static let usualLimit: Int = {
        let memory = sysconf(Int32(_SC_PHYS_PAGES)) * sysconf(Int32(_SC_PAGESIZE))
        return min(max(memory / 16, 32 << 20), 512 << 20)
    }()

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) { self.limit = limit }

    subscript(key: Key) -> PreparedTile? {
        state.withLock { state in
            if let answer = state.answers[key] { return answer }
            guard let answer = state.older[key] else { return nil }
            add(answer, key, &state)
            return answer
        }
    }

    func insert(_ answer: PreparedTile, for key: Key) {
        state.withLock { add(answer, key, &$0) }
    }

    /// Adds an answer. Half of the limit is for the answers used since the other half was filled.
    private func add(_ answer: PreparedTile, _ key: Key, _ state: inout State) {
        if state.size + answer.size > limit / 2 {
            state.older = state.answers
            state.answers = [:]
            state.size = 0
        }
        if state.answers.updateValue(answer, forKey: key) == nil { state.size += answer.size }
    }
}
