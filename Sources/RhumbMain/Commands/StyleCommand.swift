internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// `rhumb style`: reports the supported parts of a style, and lists its layer sets or exports its text.
struct StyleCommand {
    private let invocation: Invocation
    private let style: String

    init(_ invocation: Invocation) { (self.invocation, style) = (invocation, invocation.operand ?? "") }

    func run(_ verb: StyleVerb) async throws -> Int32 {
        switch verb {
        case .check: return try check(try await text())
        case .sets: try list(LayerSets(try await text()))
        case .export: try await export()
        case .convert: try StyleConvertCommand(invocation).run()
        case .watch: return try await MapCommand.run(invocation)
        }
        return ExitStatus.done
    }

    private func text() async throws -> StyleText {
        try await invocation.withSession { [style] session in try await session.opener.styleText(style) }
    }

    // MARK: Checking

    private func check(_ text: StyleText) throws -> Int32 {
        if invocation[.json] { try invocation.print(json(text)) } else { try Output.print(report(on: text)) }
        let isWhole = text.style.findings.isEmpty && draws(text.style) && missingData(of: text.style).isEmpty
        return isWhole ? ExitStatus.done : ExitStatus.gaps
    }

    /// Returns a sentence for each GeoJSON file of the style that doesn't exist.
    private func missingData(of style: Style) -> [String] {
        style.sources.sorted { $0.key < $1.key }.compactMap { name, source in
            guard source.kind == .geojson, case .string(let reference)? = source.data else { return nil }
            let address = StyleSource.absolute(reference, in: self.style)
            guard !SourceDefinition.isAddress(address) else { return nil }
            let path = URLReference(address).localPath ?? address
            return Files.exists(path)
                ? nil : "source \(SafeText.sanitised(name, limit: 80)): \(FileProblem(path))"
        }
    }

    /// Returns true if the style can be opened as a map: a visible layer draws one of its sources.
    private func draws(_ style: Style) -> Bool {
        style.layers.isEmpty || !StyleMap(style).parts.isEmpty
    }

    /// Returns a line for each finding, in the format of compilers, followed by a summary.
    private func report(on text: StyleText) -> String {
        let findings = text.style.findings, name = SafeText.sanitised(style)
        let lines = findings.map { finding in
            let at = text.location(of: finding.path)
            return "\(name):\(at.line):\(at.column): \(finding)"
        }
        let unused = text.style.unused.map {
            let at = text.location(of: $0.path)
            return "\(name):\(at.line):\(at.column): layer \($0.layer): no effect in cells: "
                + $0.names.joined(separator: ", ")
        }
        let unusedCount = text.style.unused.reduce(0) { $0 + $1.names.count }
        let properties = AmountText.count(unusedCount, "property", plural: "properties")
        let sums = [
            findings.isEmpty ? nil : AmountText.count(findings.count, "part") + " can't be drawn",
            unusedCount == 0 ? nil : properties + " without an effect",
        ].compactMap(\.self)
        let sum = sums.isEmpty ? "all supported" : sums.joined(separator: ", ")
        let lack = draws(text.style) ? [] : ["\(name): no visible layer draws a source"]
        let missing = missingData(of: text.style).map { "\(name): \($0)" }
        return
            (lines + unused + lack + missing + [
                "\(name): \(AmountText.count(text.style.layers.count, "layer")), \(sum)"
            ]).joined(
                separator: "\n")
            + "\n"
    }

    private func json(_ text: StyleText) -> JSON {
        let findings = text.style.findings.map { finding -> JSON in
            let location = text.location(of: finding.path)
            return [
                "line": .integer(location.line), "column": .integer(location.column),
                "layer": .text(finding.layer),
                "property": .text(finding.property), "problem": .string(finding.problem),
            ]
        }
        let unused = text.style.unused.map { unused -> JSON in
            let location = text.location(of: unused.path)
            return [
                "line": .integer(location.line), "column": .integer(location.column),
                "layer": .string(unused.layer), "properties": .array(unused.names.map(JSON.string)),
            ]
        }
        return [
            "name": .string(text.style.name), "layers": .integer(text.style.layers.count),
            "findings": .array(findings), "withoutEffect": .array(unused),
        ]
    }

    // MARK: Layer sets

    private func list(_ sets: LayerSets) throws {
        guard !invocation[.json] else {
            return try invocation.print(.array(sets.sets.map(\.json)))
        }
        let rows = sets.sets.map { set in
            [
                SafeText.sanitised(set.name, limit: 40), SafeText.sanitised(set.type ?? "-", limit: 20),
                SafeText.sanitised(
                    set.layers.map { "\($0.count) \($0.type)" }.joined(separator: ", "), limit: 80),
                set.verdict.words,
            ]
        }
        try Output.print(
            TextTable(["SOURCE", "TYPE", "LAYERS", "VERDICT"], rows).lines.map { $0 + "\n" }.joined())
    }

    // MARK: Exporting

    private func export() async throws {
        let bytes: [UInt8]
        if let theme = MapTheme(rawValue: style) {
            bytes = Style.standardText(theme)
        } else {
            bytes = try await text().node.bytes + "\n".utf8
        }
        try Output.write(document: bytes, to: Output.file(invocation[.output]))
    }
}

extension LayerSets.LayerSet {
    fileprivate var json: JSON {
        [
            "source": .string(name), "type": .text(type), "count": .integer(count),
            "layerTypes": .array(layers.map { ["type": .string($0.type), "count": .integer($0.count)] }),
            "verdict": .string(verdict.words),
        ]
    }
}

extension LayerSets.Verdict {
    fileprivate var words: String {
        switch self {
        case .drawn: "drawn"
        case .leftOut(let count): "\(count) not drawn"
        case .unused: "not used"
        case .complete: "mandatory, complete"
        case .completed(let problem): "mandatory, \(problem); using Rhumb's own layers"
        }
    }
}
