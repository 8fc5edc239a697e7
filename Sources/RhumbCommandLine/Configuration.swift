internal import RhumbCore

/// The configuration file: JSON whose names are those of the long options, with // comments.
public struct Configuration: Sendable {
    private let object: JSONObject
    private let path: String

    /// Reads the file's text.
    /// - Parameter path: what to call it in errors.
    /// - Throws: a sentence with the file, the line and what to do.
    public init(_ bytes: [UInt8], path: String) throws(UsageError) {
        let plain = Configuration.withoutComments(bytes)
        self.path = path
        let parsed: JSON
        do throws(JSONFailure) {
            parsed = try JSON.parse(plain)
        } catch {
            let line = plain.prefix(error.offset).count { $0 == 10 } + 1
            throw UsageError("\(path), line \(line): \(error.problem); see rhumb --print-config")
        }
        guard let object = parsed.object else {
            throw UsageError("\(path): it should be an object in braces; see rhumb --print-config")
        }
        self.object = object
    }

    /// The words that mean the same on the command line, for a command; what other commands know
    /// is left out.
    /// - Throws: a sentence naming what no command knows, or the value that is wrong.
    public func words(for command: CommandSpec) throws(UsageError) -> [String] {
        var words: [String] = []
        for name in object.names {
            guard CommandTable.commands.contains(where: { $0.option(named: name) != nil }) else {
                throw UsageError("\(path): no option is called \"\(name)\"; see rhumb --print-config")
            }
            guard let option = command.option(named: name), let value = object[name] else { continue }
            words += try self.words(for: option, value)
        }
        return words
    }

    private func words(for option: OptionSpec, _ value: JSON) throws(UsageError) -> [String] {
        guard let kind = option.value else {
            guard let isOn = value.bool else { throw wrong(option, "true or false") }
            return isOn ? ["--\(option.name)"] : []
        }
        let values = value.array ?? [value]
        var words: [String] = []
        for value in values {
            guard let text = value.string ?? value.int.map(String.init) ?? value.double.map({ "\($0)" })
            else { throw wrong(option, "a text or a number") }
            do throws(UsageError) {
                _ = try kind.read(text, for: option.name)
            } catch {
                throw UsageError("\(path): \(error.description)")
            }
            words += ["--\(option.name)", text]
        }
        return words
    }

    private func wrong(_ option: OptionSpec, _ wanted: String) -> UsageError {
        UsageError("\(path): \"\(option.name)\" wants \(wanted)")
    }

    /// The bytes with comments blanked, so that places in errors stay right. Slashes within
    /// strings are no comments.
    static func withoutComments(_ bytes: [UInt8]) -> [UInt8] {
        var plain = bytes
        var isInString = false, isEscaped = false, isInComment = false
        for at in plain.indices {
            let byte = plain[at]
            if byte == 10 {
                isInComment = false
            } else if isInComment {
                plain[at] = 32
            } else if isInString {
                if !isEscaped && byte == UInt8(ascii: "\"") { isInString = false }
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
            } else if byte == UInt8(ascii: "\"") {
                isInString = true
            } else if byte == UInt8(ascii: "/"), at + 1 < plain.count, plain[at + 1] == byte {
                isInComment = true
                plain[at] = 32
            }
        }
        return plain
    }

    /// A file that changes nothing and shows everything that may stand in one.
    public static var example: String {
        var lines = ["// Rhumb's configuration: the long options by name. Options given by hand win."]
        lines.append("{")
        let options = CommandTable.open.options.filter { !left.contains($0.name) }
        for (at, option) in options.enumerated() {
            let comma = at == options.count - 1 ? "" : ","
            let value = option.value.map { "\"\($0.placeholder)\"" } ?? "true"
            lines += ["    // \(option.help)", "    // \"\(option.name)\": \(value)\(comma)"]
        }
        return (lines + ["}"]).joined(separator: "\n") + "\n"
    }

    /// What makes sense by hand only.
    private static let left = ["help", "version", "config", "print-config", "bbox"]
}
