internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// `rhumb style`: what of a style is drawn, its layers by sources, and its text.
@MainActor
struct StyleCommand {
    private let invocation: Invocation
    private let words: String

    init(_ invocation: Invocation) { (self.invocation, words) = (invocation, invocation.operand ?? "") }

    func run(_ verb: StyleVerb) async throws -> Int32 {
        switch verb {
        case .check: return try check(try await text())
        case .sets: try list(LayerSets(try await text()))
        case .export: try await export()
        case .convert: try StyleConvertCommand(invocation).run()
        case .watch: return try await OpenMap.run(invocation)
        }
        return ExitStatus.done
    }

    private func text() async throws -> StyleText {
        try await invocation.withSession { [words] session in try await session.opener.styleText(words) }
    }

    // MARK: Check

    private func check(_ text: StyleText) throws -> Int32 {
        try Output.print(invocation[.json] ? json(text).text + "\n" : report(on: text))
        return text.style.findings.isEmpty ? ExitStatus.done : ExitStatus.gaps
    }

    /// A line for each finding, as compilers write them, then the sum.
    private func report(on text: StyleText) -> String {
        let findings = text.style.findings, place = SafeText.sanitised(words)
        let lines = findings.map { finding in
            let at = text.place(of: finding)
            return "\(place):\(at.line):\(at.column): \(finding)"
        }
        let sum =
            switch findings.count {
            case 0: "all supported"
            case 1: "1 part can't be drawn"
            default: "\(findings.count) parts can't be drawn"
            }
        return (lines + ["\(place): \(text.style.layers.count) layers, \(sum)"]).joined(separator: "\n")
            + "\n"
    }

    private func json(_ text: StyleText) -> JSON {
        func value(_ text: String?) -> JSON { text.map(JSON.string) ?? .null }
        let findings = text.style.findings.map { finding -> JSON in
            let place = text.place(of: finding)
            return [
                "line": .integer(place.line), "column": .integer(place.column), "layer": value(finding.layer),
                "property": value(finding.property), "problem": .string(finding.problem),
            ]
        }
        return [
            "name": .string(text.style.name), "layers": .integer(text.style.layers.count),
            "findings": .array(findings),
        ]
    }

    // MARK: Sets

    private func list(_ sets: LayerSets) throws {
        guard !invocation[.json] else {
            return try Output.print(JSON.array(sets.sets.map(\.json)).text + "\n")
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

    // MARK: Export

    private func export() async throws {
        let bytes: [UInt8]
        if let theme = MapTheme(rawValue: words) {
            bytes = Style.standardText(theme)
        } else {
            bytes = try await text().node.bytes + "\n".utf8
        }
        try Output.write(document: bytes, to: Output.file(invocation[.output]))
    }
}

extension LayerSets.LayerSet {
    fileprivate var json: JSON {
        let layers = self.layers.reduce(into: JSONObject()) { $0[$1.type] = .integer($1.count) }
        return [
            "source": .string(name), "type": type.map(JSON.string) ?? .null, "count": .integer(count),
            "layers": .object(layers), "verdict": .string(verdict.words),
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
