internal import Glibc
internal import Rhumb
internal import Synchronization

/// The keys in the addresses that a person types: taken out of them at the door, and kept in this
/// process's memory alone.
enum TypedKeys {
    private static let values = Mutex<[String: String]>([:])

    /// By the variables they stand for.
    static var all: [String: String] { values.withLock { $0 } }

    /// The words without keys, which are remembered.
    static func take(_ words: String) -> String {
        let value = words.hasPrefix("--") ? words.firstIndex(of: "=").map { words.index(after: $0) } : nil
        let start = value ?? words.startIndex, typed = TypedAddress(String(words[start...]))
        values.withLock { $0.merge(typed.keys) { _, new in new } }
        Output.hide(typed.keys.values)
        return words[..<start] + typed.text
    }

    /// The words of the command line without keys, also for those who list processes.
    static func takeArguments() -> [String] {
        let words = CommandLine.arguments.map(take)
        for (at, word) in words.enumerated() where word != CommandLine.arguments[at] {
            guard let place = CommandLine.unsafeArgv[at] else { continue }
            let room = strlen(place), shown = Array(word.utf8.prefix(room))
            for offset in 0..<room { place[offset] = offset < shown.count ? CChar(bitPattern: shown[offset]) : 0 }
        }
        return words
    }
}
