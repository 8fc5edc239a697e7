public import RhumbCore

/// The configuration file: JSON with comments, whose keys are the names of the long options.
public struct Configuration: Sendable {
    private let object: JSONObject
    private let text: ConfigurationText
    private let path: String

    /// Parses the text of a file.
    /// - Parameter path: The name of the file in errors.
    /// - Throws: An error with the file, the line and a remedy.
    public init(_ bytes: [UInt8], path: String) throws(UsageError) {
        text = ConfigurationText(bytes)
        self.path = path
        let parsed: JSON
        do throws(JSONFailure) {
            parsed = try JSON.parse(text.plain)
        } catch {
            let location = TextLocation(offset: error.offset, in: text.plain)
            throw UsageError("\(path), \(location): \(error.problem); see rhumb --print-config")
        }
        guard let object = parsed.object else {
            throw UsageError("\(path): expected an object in braces; see rhumb --print-config")
        }
        self.object = object
        if let (name, location) = text.duplicate {
            throw UsageError("\(path), \(location): \"\(name)\" is set twice; keep one")
        }
        try check("sources", "an array of sources") { $0.array != nil }
        try check("keys", "an object of strings") { keys in
            keys.object?.names.allSatisfy { keys[$0]?.string != nil } == true
        }
    }

    /// Top-level members that are not options.
    private static let parts = ["sources", "keys"]

    private func check(_ name: String, _ wanted: String, _ isRight: (JSON) -> Bool) throws(UsageError) {
        guard let part = object[name], !isRight(part) else { return }
        throw UsageError("\(location(of: name)): \"\(name)\" must be \(wanted)")
    }

    /// Returns the position of a setting, for errors.
    public func location(of name: String) -> String {
        text.location(of: name).map { "\(path), \($0)" } ?? path
    }

    /// The user's own web sources, as an object with the array "sources"; nil if the file has none.
    public var sources: JSON? {
        object["sources"].map { sources in
            var list = JSONObject()
            list["sources"] = sources
            return .object(list)
        }
    }

    /// Returns the key of a service, by its name in the list of sources.
    public func key(_ name: String) -> String? { object["keys"]?[name]?.string }

    /// The values of all keys.
    public var keys: [String] { Array(namedKeys.values) }

    /// All keys, by their names in the list of sources.
    public var namedKeys: [String: String] {
        let keys = object["keys"]?.object ?? JSONObject()
        return keys.names.reduce(into: [:]) { $0[$1] = keys[$1]?.string }
    }

    /// Returns the settings as words of the command line, except those that the command line overrides or
    /// that belong to other commands.
    /// - Throws: An error about an unknown setting or an invalid value.
    public func arguments(completing invocation: Invocation) throws(UsageError) -> [String] {
        var arguments: [String] = []
        var taken: [OptionSpec] = []
        for name in object.names where !Configuration.parts.contains(name) {
            let option = try option(named: name)
            if let rival = taken.first(where: { $0.isRival(of: option) }) {
                throw UsageError(
                    "\(location(of: name)): \"\(rival.name)\" and \"\(name)\" are mutually exclusive; keep "
                        + "one")
            }
            taken.append(option)
            let meant = try self.arguments(for: option, object[name] ?? .null)
            let isKnown = CommandTable.command(invocation.command).option(named: name) != nil
            if isKnown && !invocation.settles(option) { arguments += meant }
        }
        return arguments
    }

    /// Returns the positions of the options among words, by name.
    public func locations(of arguments: [String]) -> [String: String] {
        let names = arguments.filter { $0.hasPrefix("--") }.map { String($0.dropFirst(2)) }
        return Dictionary(names.filter { object[$0] != nil }.map { ($0, location(of: $0)) }) { first, _ in
            first
        }
    }

    private func option(named name: String) throws(UsageError) -> OptionSpec {
        let all = CommandTable.commands.flatMap(\.options)
        guard let option = all.first(where: { $0.name == name }) else {
            let near = all.filter(\.isConfigurable).map(\.name).nearest(to: name)
            let hint = near.map { "did you mean \"\($0)\"?" } ?? "see rhumb --print-config"
            throw UsageError("\(location(of: name)): unknown option \"\(name)\"; \(hint)")
        }
        guard option.isConfigurable else {
            throw UsageError("\(location(of: name)): \"\(name)\" is only for the command line; remove it")
        }
        return option
    }

    private func arguments(for option: OptionSpec, _ value: JSON) throws(UsageError) -> [String] {
        guard let kind = option.value else {
            guard let isOn = value.bool else { throw wrong(option, "true or false") }
            return isOn ? ["--\(option.name)"] : []
        }
        let values = option.isRepeatable ? value.array ?? [value] : [value]
        var arguments: [String] = []
        for value in values {
            guard let text = value.string ?? value.int.map(String.init) ?? value.double.map({ "\($0)" })
            else { throw wrong(option, "a string or a number") }
            _ = try converting(kind.read(text, for: "\"\(option.name)\"")) { (error: UsageError) in
                UsageError("\(location(of: option.name)): \(error.description)")
            }
            arguments += ["--\(option.name)", text]
        }
        return arguments
    }

    private func wrong(_ option: OptionSpec, _ wanted: String) -> UsageError {
        UsageError("\(location(of: option.name)): \"\(option.name)\" must be \(wanted)")
    }
}
