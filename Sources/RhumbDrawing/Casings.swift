internal import RhumbCore

/// Which line layers are only the rims of others: wider lines of the same features, drawn before.
struct Casings: Sendable {
    /// The index of the inner layer for the index of its casing.
    let inner: [Int: Int]

    private static let marks = ["casing", "outline", "case", "border"]

    init(_ layers: [StyleLayer]) {
        let lines = layers.indices.filter { layers[$0].kind == .line }
        var inner: [Int: Int] = [:]
        for index in lines {
            guard let stems = Casings.stems(of: layers[index].id) else { continue }
            let above = lines.filter { $0 > index && layers[$0].source == layers[index].source }
            inner[index] =
                above.first { stems.contains(layers[$0].id) }
                ?? above.first { layers[$0].subject == layers[index].subject }
        }
        self.inner = inner
    }

    /// Returns the possible names of the inner layer of a casing; nil for a name that is not a casing's.
    private static func stems(of id: String) -> [String]? {
        let words = id.split { "-_ .".contains($0) }
        guard let at = words.firstIndex(where: { marks.contains($0.lowercased()) }) else { return nil }
        let before = words[..<at].joined(separator: "\u{0}"),
            after = words[(at + 1)...].joined(separator: "\u{0}")
        let joined = [before, after].filter { !$0.isEmpty }.joined(separator: "\u{0}")
        return ["-", "_", " ", "."].flatMap { separator in
            [joined, before].map { name in String(name.map { $0 == "\u{0}" ? separator : $0 }) }
        }
    }
}
