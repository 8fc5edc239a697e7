internal import Glibc
internal import Synchronization

/// The answers sent recently, within a limit of bytes.
final class ResponseMemory: Sendable {
    private struct State {
        var answers: [String: PreparedTile] = [:]
        var older: [String: PreparedTile] = [:]
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

    subscript(key: String) -> PreparedTile? {
        state.withLock { state in
            if let answer = state.answers[key] { return answer }
            guard let answer = state.older[key] else { return nil }
            add(answer, key, &state)
            return answer
        }
    }

    func insert(_ answer: PreparedTile, for key: String) {
        state.withLock { add(answer, key, &$0) }
    }

    /// Adds an answer. Half of the limit is for the answers used since the other half was filled.
    private func add(_ answer: PreparedTile, _ key: String, _ state: inout State) {
        if state.size + answer.size > limit / 2 {
            state.older = state.answers
            state.answers = [:]
            state.size = 0
        }
        if state.answers.updateValue(answer, forKey: key) == nil { state.size += answer.size }
    }
}
