internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

extension Invocation {
    /// The same with what the configuration file says and the command line does not.
    /// - Throws: a sentence, when the file can't be read or understood; a usual place without a
    ///   file is no error.
    func completed(by words: [String], _ environment: [String: String]) throws -> Invocation {
        guard let (path, isNamed) = place(environment), let command = CommandTable.command(command),
            !has("help"), !has("version"), !has("print-config")
        else { return self }
        guard let bytes = Files.read(path) else {
            guard isNamed || Files.exists(path) else { return self }
            throw Notice.Problem("\(path) can't be read; name another file with --config or RHUMB_CONFIG")
        }
        let given = try Configuration(bytes, path: path).words(for: command)
        let name = command.name.isEmpty ? 0 : 1
        return try Invocation(Array(words.prefix(name)) + given + words.dropFirst(name))
    }

    /// Where the file is, and whether somebody named it.
    private func place(_ environment: [String: String]) -> (path: String, isNamed: Bool)? {
        if let path = text("config") ?? environment["RHUMB_CONFIG"], !path.isEmpty { return (path, true) }
        return Folders(environment: environment).config.map { ($0 + "/config.json", false) }
    }
}
