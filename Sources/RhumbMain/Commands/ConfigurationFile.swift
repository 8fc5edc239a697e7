internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

extension Invocation {
    /// Returns the invocation with the options of the configuration file that the command line doesn't set.
    /// - Throws: A sentence if the file can't be read or parsed, except for `rhumb doctor`, which reports
    ///   it. A missing file is an error only if the user named it.
    func completed(by arguments: [String], _ environment: [String: String]) throws -> Invocation {
        guard isConfigurable else { return self }
        let found: Configuration?
        do { found = try configuration(environment) } catch  where command == .doctor { return self }
        guard let configuration = found else { return self }
        let given = try configuration.arguments(completing: self).map {
            HomeFolder.expanded(URLCredentials.own.takeWord($0), environment["HOME"])
        }
        // Options may precede the command, wherever it is among the words.
        var invocation = try Invocation(given + arguments)
        invocation.locations = configuration.locations(of: given)
        return invocation
    }

    /// Returns the contents of the configuration file; nil if there is none.
    /// - Throws: A sentence if it is unreadable or invalid.
    func configuration(_ environment: [String: String]) throws -> Configuration? {
        guard let (path, isNamed) = configurationPath(environment) else { return nil }
        guard let bytes = Files.read(path) else {
            guard isNamed || Files.exists(path) else { return nil }
            throw FileProblem(path, limit: 1 << 20)
        }
        let configuration = try Configuration(bytes, path: path)
        Output.hide(configuration.keys)
        return configuration
    }

    /// True if the file can affect the command.
    private var isConfigurable: Bool {
        let isAsking = self[.help] || self[.version] || self[.printConfig]
        return !isAsking && CommandTable.command(command).options.contains(where: \.isConfigurable)
    }

    /// Returns the path of the file, and whether the user named it.
    func configurationPath(_ environment: [String: String]) -> (path: String, isNamed: Bool)? {
        if let path = self[.config] ?? environment["RHUMB_CONFIG"], !path.isEmpty { return (path, true) }
        return Folders(environment: environment).config.map { ($0 + "/config.json", false) }
    }
}
