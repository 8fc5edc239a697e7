internal import Glibc
internal import Rhumb

extension URLCredentials {
    /// The credentials of this process.
    static let own = URLCredentials { Output.hide($0) }

    /// Returns a word of the command line without keys.
    func takeWord(_ word: String) -> String {
        let value = word.hasPrefix("--") ? word.firstIndex(of: "=").map { word.index(after: $0) } : nil
        let start = value ?? word.startIndex
        return word[..<start] + take(String(word[start...]))
    }

    /// Returns a line typed in the program without the keys in its addresses, including those after a prefix
    /// such as "day=".
    func takeLine(_ line: String) -> String {
        line.split(separator: " ", omittingEmptySubsequences: false).map { word in
            let sign = word.firstIndex(of: "=").flatMap {
                word[..<$0].allSatisfy(\.isLetter) ? word.index(after: $0) : nil
            }
            let start = sign ?? word.startIndex
            return word[..<start] + take(String(word[start...]))
        }.joined(separator: " ")
    }

    /// Returns the words of the command line without keys, and hides the keys from process listings.
    func takeArguments() -> [String] {
        let arguments = CommandLine.arguments.map(takeWord)
        for (at, word) in arguments.enumerated() where word != CommandLine.arguments[at] {
            guard let argument = CommandLine.unsafeArgv[at] else { continue }
            let room = strlen(argument), shown = Array(word.utf8.prefix(room))
            for offset in 0..<room {
                argument[offset] = offset < shown.count ? CChar(bitPattern: shown[offset]) : 0
            }
        }
        return arguments
    }
}
