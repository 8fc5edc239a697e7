internal import RhumbBase

extension URLTemplate {
    /// The maximum number of servers of a source.
    private static let serverLimit = 64

    /// Returns the beginnings of its addresses up to the end of the host, one for each choice of subdomains.
    /// Tile numbers count as 0, secrets as their names in braces.
    /// - Throws: `.tooManyHosts`.
    static func servers(of pieces: [Piece]) throws(URLTemplateFailure) -> [URLReference] {
        var texts = [""]
        for piece in pieces where texts.contains(where: { !hasWholeHost($0) }) {
            texts = texts.flatMap { text in hasWholeHost(text) ? [text] : choices(piece).map { text + $0 } }
            guard texts.count <= serverLimit else { throw .tooManyHosts }
        }
        return texts.map { URLReference($0) }
    }

    private static func hasWholeHost(_ text: String) -> Bool {
        guard let slashes = text.firstRange(of: "://") else { return false }
        return text[slashes.upperBound...].contains { "/?#".contains($0) }
    }

    private static func choices(_ piece: Piece) -> [String] {
        switch piece {
        case .literal(let text): [text]
        case .choice(let choices): choices
        case .secret(let name): ["{\(name)}"]
        default: ["0"]
        }
    }
}
