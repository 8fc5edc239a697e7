internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

extension Invocation {
    /// The same with what the configuration file says and the command line does not.
    /// - Throws: a sentence, when the file can't be read or understood; a usual place without a
    ///   file is no error.
    func completed(by words: [String], _ environment: [String: String]) throws -> Invocation {
        guard isConfigurable, let configuration = try configuration(environment) else { return self }
        let given = try configuration.words(completing: self).map(TypedKeys.own.takeWord)
        let name = command.text.split(separator: " ").count
        return try Invocation(Array(words.prefix(name)) + given + words.dropFirst(name))
    }

    /// What the configuration file says; nil if there is none.
    /// - Throws: a sentence, when it can't be read or understood.
    func configuration(_ environment: [String: String]) throws -> Configuration? {
        guard let (path, isNamed) = configurationPlace(environment) else { return nil }
        guard let bytes = Files.read(path) else {
            guard isNamed || Files.exists(path) else { return nil }
            throw Notice.Problem("\(path) can't be read; name another file with --config or RHUMB_CONFIG")
        }
        let configuration = try Configuration(bytes, path: path)
        Output.hide(configuration.keys)
        return configuration
    }

    /// Whether the file can say anything to what was asked for.
    private var isConfigurable: Bool {
        let isAsking = self[.help] || self[.version] || self[.printConfig]
        return !isAsking && CommandTable.command(command).options.contains(where: \.isConfigurable)
    }

    /// Where the file is, and whether somebody named it.
    func configurationPlace(_ environment: [String: String]) -> (path: String, isNamed: Bool)? {
        if let path = self[.config] ?? environment["RHUMB_CONFIG"], !path.isEmpty { return (path, true) }
        return Folders(environment: environment).config.map { ($0 + "/config.json", false) }
    }
}
