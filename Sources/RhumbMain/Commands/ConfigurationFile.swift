internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

extension Invocation {
    /// The same with what the configuration file says and the command line does not.
    /// - Throws: a sentence, when the file can't be read or understood; a usual place without a
    ///   file is no error.
    func completed(by words: [String], _ environment: [String: String]) throws -> Invocation {
        guard isConfigurable, let (path, isNamed) = configurationPlace(environment) else { return self }
        guard let bytes = Files.read(path) else {
            guard isNamed || Files.exists(path) else { return self }
            throw Notice.Problem("\(path) can't be read; name another file with --config or RHUMB_CONFIG")
        }
        let given = try Configuration(bytes, path: path).words(completing: self)
        let name = command.isEmpty ? 0 : 1
        return try Invocation(Array(words.prefix(name)) + given + words.dropFirst(name))
    }

    /// Whether the file can say anything to what was asked for.
    private var isConfigurable: Bool {
        let isAsking = has("help") || has("version") || has("print-config")
        let options = CommandTable.command(command)?.options ?? []
        return !isAsking && options.contains(where: \.isConfigurable)
    }

    /// Where the file is, and whether somebody named it.
    func configurationPlace(_ environment: [String: String]) -> (path: String, isNamed: Bool)? {
        if let path = text("config") ?? environment["RHUMB_CONFIG"], !path.isEmpty { return (path, true) }
        return Folders(environment: environment).config.map { ($0 + "/config.json", false) }
    }
}
