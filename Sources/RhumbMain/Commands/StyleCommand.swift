internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// `rhumb style check`: what of a style is left out, and why.
struct StyleCommand {
    let invocation: Invocation

    @MainActor
    func run() async throws -> Int32 {
        let path = invocation.operand ?? ""
        let style = try await invocation.withSession { session in
            try await VectorStyles(prefersStored: false).style(at: path, session.opener.web)
        }
        try Output.print(invocation[.json] ? json(style).text + "\n" : text(style, path))
        return style.findings.isEmpty ? ExitStatus.done : ExitStatus.gaps
    }

    private func text(_ style: Style, _ path: String) -> String {
        let count = style.findings.count
        let drawn = "\(SafeText.sanitised(path)): \(style.layers.count) layers"
        let sum = count == 0 ? "\(drawn), all understood" : "\(drawn), \(count) thing\(count == 1 ? "" : "s") left out:"
        return ([sum] + style.findings.map { "  \($0)" }).joined(separator: "\n") + "\n"
    }

    private func json(_ style: Style) -> JSON {
        func text(_ value: String?) -> JSON { value.map(JSON.string) ?? .null }
        let findings = style.findings.map { finding -> JSON in
            ["layer": text(finding.layer), "property": text(finding.property), "problem": .string(finding.problem)]
        }
        return ["name": .string(style.name), "layers": .integer(style.layers.count), "findings": .array(findings)]
    }
}
