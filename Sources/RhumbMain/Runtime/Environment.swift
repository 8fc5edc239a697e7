internal import Glibc
internal import Rhumb

/// The environment in which the program was started.
enum Environment {
    /// The code of the user's language, "en" by default.
    static let language = namedLanguage ?? "en"

    /// The names on maps, in the language of the locale; the most widely readable ones without a locale.
    static let names = namedLanguage.map { $0 == "en" ? .english : NameLanguage.code($0) } ?? .usual

    /// The code of the language that the locale names; nil for none.
    private static let namedLanguage: String? = {
        let named = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { all[$0] }.first { !$0.isEmpty } ?? ""
        let code = String(named.prefix { $0.isLetter })
        return ["", "C", "POSIX"].contains(code) ? nil : code
    }()

    /// The variables.
    static let all: [String: String] = {
        var variables: [String: String] = [:]
        var entry = environ
        while let text = entry.pointee {
            let line = String(cString: text).utf8
            if let sign = line.firstIndex(of: UInt8(ascii: "=")) {
                variables[String(Substring(line[..<sign]))] = String(
                    Substring(line[line.index(after: sign)...]))
            }
            entry += 1
        }
        return variables
    }()
}
