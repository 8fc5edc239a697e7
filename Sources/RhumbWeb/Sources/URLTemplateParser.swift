internal import RhumbBase

/// The reason why a template can't be used.
public enum URLTemplateFailure: Error, Equatable, Sendable, CustomStringConvertible {
    case unknownToken(String)
    /// A brace has no counterpart.
    case unclosedToken
    /// The template has `{s}`, but there are no subdomains.
    case noSubdomains
    /// The address is the same for every tile.
    case noTile
    case noWebAddress
    /// Subdomains have too many combinations to list the servers.
    case tooManyHosts
    /// The name of the server contains a key.
    case secretInHost

    /// The tokens that an address may contain, in braces.
    static let knownTokens = [
        "{z}", "{x}", "{y}", "{-y}", "{q}", "{quadkey}", "{s}", "{a,b,c}", "{r}", "{ratio}",
        "{bbox-epsg-3857}", "{prefix}",
    ]

    public var description: String {
        switch self {
        case .unknownToken(let name):
            "unknown token {\(SafeText.sanitised(name, limit: 40))} in the template; known are "
                + URLTemplateFailure.knownTokens.joined(separator: " ")
                + " and the names of the source's values and keys"
        case .unclosedToken: "unbalanced brace in the template"
        case .noSubdomains: "the template has {s}, but the source has no subdomains"
        case .noTile: "the template needs {z}, {x} and {y}, or {q}, or {bbox-epsg-3857}"
        case .tooManyHosts: "the template has too many servers; use fewer subdomains"
        case .secretInHost: "the template has a key in the host name; move it behind"
        case .noWebAddress: "the template is not a web URL; it must begin with http:// or https://"
        }
    }
}

struct URLTemplateParser {
    let subdomains: [String]
    let scale: Int
    let values: [String: String]
    let secretNames: Set<String>

    func pieces(of text: String) throws(URLTemplateFailure) -> [URLTemplate.Piece] {
        var pieces: [URLTemplate.Piece] = []
        var rest = text[...]
        while let open = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
            guard rest[open] == "{", let close = rest[open...].firstIndex(of: "}") else {
                throw .unclosedToken
            }
            append(.literal(String(rest[..<open])), to: &pieces)
            append(try piece(String(rest[rest.index(after: open)..<close])), to: &pieces)
            rest = rest[rest.index(after: close)...]
        }
        append(.literal(String(rest)), to: &pieces)
        return pieces
    }

    private func append(_ piece: URLTemplate.Piece, to pieces: inout [URLTemplate.Piece]) {
        guard case .literal(let text) = piece else { return pieces.append(piece) }
        if case .literal(let before)? = pieces.last {
            pieces[pieces.count - 1] = .literal(before + text)
        } else if !text.isEmpty {
            pieces.append(piece)
        }
    }

    private func piece(_ name: String) throws(URLTemplateFailure) -> URLTemplate.Piece {
        switch name {
        case "z": return .zoom
        case "x": return .column
        case "y": return .row
        case "-y": return .rowFromSouth
        case "q", "quadkey": return .quadkey
        case "bbox-epsg-3857": return .box
        case "prefix": return .prefix
        case "r", "ratio": return .literal(scale == 2 ? "@2x" : "")
        case "s":
            guard !subdomains.isEmpty else { throw .noSubdomains }
            return .choice(subdomains)
        default: return try named(name)
        }
    }

    private func named(_ name: String) throws(URLTemplateFailure) -> URLTemplate.Piece {
        if secretNames.contains(name) { return .secret(name) }
        if let value = values[name] { return .literal(value) }
        let choices = name.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        guard choices.count > 1, choices.allSatisfy({ !$0.isEmpty }) else { throw .unknownToken(name) }
        return .choice(choices)
    }
}
