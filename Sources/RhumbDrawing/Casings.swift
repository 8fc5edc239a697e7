internal import RhumbCore

/// Detects line layers that are only casings: wider lines of the same features, drawn below another layer.
struct Casings: Sendable {
    /// For the index of a casing's layer, the index of the layer on top of it.
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

    /// Returns possible ids of the layer on top of a casing; nil if the id isn't that of a casing.
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
