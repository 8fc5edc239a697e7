internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// `rhumb style convert`: converts a style with placeholders for keys into one for an editor, and back.
struct StyleConvertCommand {
    private let invocation: Invocation

    init(_ invocation: Invocation) { self.invocation = invocation }

    func run() throws {
        guard let base = invocation[.base] else {
            throw UsageError("style convert needs --base FILE, the original style")
        }
        let conversion = try StyleConversion(base: StyleText(file: path(base)).node)
        if invocation.operand == "maputnik" { try convert(conversion) } else { try restore(conversion) }
    }

    // MARK: Converting for the editor

    private func convert(_ conversion: StyleConversion) throws {
        try refuse([(Option.edited.name, invocation[.edited])])
        var options = StyleConversion.Options(sprite: invocation[.sprites], glyphs: invocation[.glyphs])
        options.visibility = invocation[.visibility].flatMap(StyleConversion.Visibility.init) ?? .predefined
        let plain = conversion.forEditor(options).style.bytes
        options.key = try keys()
        let made = conversion.forEditor(options), file = Output.file(invocation[.output])
        guard file != nil || made.style.bytes == plain else {
            throw Notice.Problem(
                "the converted style contains keys; use -o FILE to write a file only you can read")
        }
        try write(made, to: file, isPrivate: made.style.bytes != plain)
    }

    /// Returns the keys in the given file, or else those that the servers may receive.
    private func keys() throws -> @Sendable (String, String) -> String? {
        guard let name = invocation[.keysFile] else {
            let catalog = try invocation.catalog()
            return { catalog.key(for: $0, in: $1) }
        }
        let file = path(name)
        guard let bytes = Files.read(file) else { throw MapOpenFailure.unreadable(file: file) }
        let keys: StyleKeys
        if bytes.starts(with: "bplist".utf8)
            || bytes.first(where: { !" \t\r\n\u{FEFF}".utf8.contains($0) }) == UInt8(ascii: "<")
        {
            keys = try converting(StyleKeys(xml: bytes)) { (error: StyleKeysFailure) in
                MapOpenFailure.document(file: file, problem: "\(error)")
            }
        } else {
            keys = StyleKeys(try Configuration(bytes, path: file).namedKeys)
        }
        Output.hide(keys.secrets)
        return { keys.key(for: $0, in: $1) }
    }

    // MARK: Converting back

    private func restore(_ conversion: StyleConversion) throws {
        try refuse([
            (Option.keysFile.name, invocation[.keysFile]), (Option.sprites.name, invocation[.sprites]),
            (Option.glyphs.name, invocation[.glyphs]), (Option.visibility.name, invocation[.visibility]),
        ])
        guard let edited = invocation[.edited] else {
            throw UsageError("style convert tomtom needs --edited FILE, the style saved by the editor")
        }
        let secrets =
            try invocation.catalog().secrets + (invocation.configuration(Environment.all)?.keys ?? [])
        let made = try conversion.restored(StyleText(file: path(edited)).node, hiding: secrets)
        try write(made, to: Output.file(invocation[.output]), isPrivate: false)
    }

    // MARK: Files

    private func refuse(_ options: [(name: String, value: String?)]) throws(UsageError) {
        guard let other = options.first(where: { $0.value != nil }) else { return }
        throw UsageError("style convert \(invocation.operand ?? ""): unexpected option --\(other.name)")
    }

    /// Returns a file's path relative to the given folder.
    private func path(_ name: String) -> String {
        guard let folder = invocation[.workFolder], !name.hasPrefix("/") else { return name }
        return "\(folder)/\(name)"
    }

    private func write(_ made: StyleConversion.Outcome, to file: String?, isPrivate: Bool) throws {
        try Output.write(document: made.style.bytes + "\n".utf8, to: file.map(path), isPrivate: isPrivate)
        guard !invocation[.silent] else { return }
        for remark in made.remarks { Output.say("rhumb: \(remark)") }
    }
}
