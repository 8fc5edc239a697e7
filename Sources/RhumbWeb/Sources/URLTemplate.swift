internal import RhumbBase
public import RhumbGeo

/// The address of a source's tiles, with tokens for the parts that differ from tile to tile.
///
/// Tokens: `{z}` `{x}` `{y}`, `{-y}` (row from the south), `{q}` or `{quadkey}`, `{s}` (one of a list of
/// subdomains), `{a,b,c}` (one of these), `{r}` or `{ratio}` ("@2x" or nothing), `{bbox-epsg-3857}`
/// (west,south,east,north in metres), `{prefix}` (hexadecimal digits of x and y modulo 16), names of values
/// and of secrets. A tile always gets the same item of a list.
public struct URLTemplate: Sendable, Hashable, CustomStringConvertible {
    enum Piece: Hashable, Sendable {
        case literal(String)
        case zoom, column, row, rowFromSouth, quadkey, box, prefix
        case choice([String])
        case secret(String)
    }

    let pieces: [Piece]
    /// The names of the secrets it needs.
    public let secretNames: Set<String>
    /// The servers its addresses lead to: scheme, host and port of each.
    public let origins: Set<String>
    private let isLocal: Bool

    /// Checks a template.
    /// - Parameters:
    ///   - text: The template, starting with http:// or https://.
    ///   - subdomains: The values of `{s}`.
    ///   - scale: 2 for images with twice the pixels.
    ///   - values: The values of other tokens; part of the canonical form.
    ///   - secretNames: Tokens that are filled for requests only, and never shown.
    ///   - isDocument: True for a single document, the same for every tile.
    ///   - isLocal: True if it may be a local file.
    /// - Throws: `URLTemplateFailure`.
    public init(
        _ text: String, subdomains: [String] = [], scale: Int = 1, values: [String: String] = [:],
        secretNames: Set<String> = [], isDocument: Bool = false, isLocal: Bool = false
    ) throws(URLTemplateFailure) {
        let parser = URLTemplateParser(
            subdomains: subdomains, scale: scale, values: values, secretNames: secretNames)
        pieces = try parser.pieces(of: text)
        self.isLocal = isLocal
        self.secretNames = Set(
            pieces.compactMap { piece in if case .secret(let name) = piece { name } else { nil } })
        let hasGrid =
            pieces.contains(.zoom) && pieces.contains(.column)
            && (pieces.contains(.row) || pieces.contains(.rowFromSouth))
        guard isDocument || hasGrid || pieces.contains(.quadkey) || pieces.contains(.box) else {
            throw .noTile
        }
        let servers = try URLTemplate.servers(of: pieces)
        origins = Set(servers.map(\.origin))
        guard servers.allSatisfy({ $0.isWeb || isLocal && $0.localPath != nil }) else { throw .noWebAddress }
        guard !servers.contains(where: { $0.host?.contains("{") == true }) else { throw .secretInHost }
    }

    /// Returns a template with the tokens of other programs in Rhumb's spelling: `${z}`, `{zoom}`,
    /// `{switch:a,b}`, and braces that are percent-encoded.
    package static func normalised(_ text: String) -> String {
        var text = text
        if text.lowercased().contains("%7bz%7d") {
            for (code, brace) in [("%7B", "{"), ("%7b", "{"), ("%7D", "}"), ("%7d", "}")] {
                text = text.replacing(code, with: brace)
            }
        }
        for (foreign, own) in [("${", "{"), ("{switch:", "{"), ("{zoom}", "{z}")] {
            text = text.replacing(foreign, with: own)
        }
        return text
    }

    /// Returns the address of a tile. A secret without a value is left empty.
    /// - Parameter secrets: The unescaped values by name.
    public func address(for tile: TileID, secrets: [String: String] = [:]) -> HTTPAddress {
        let (url, filled) = filled(for: tile, secrets)
        return HTTPAddress(url, secrets: filled, isLocal: isLocal)
    }

    /// Returns the text of an address, and the secret values in it.
    func filled(for tile: TileID, _ secrets: [String: String]) -> (url: String, values: [String]) {
        var url = "", filled: [String] = []
        for piece in pieces {
            guard case .secret(let name) = piece else {
                url += text(of: piece, for: tile)
                continue
            }
            let value = secrets[name] ?? "", encoded = PercentCoding.encoded(value)
            url += encoded
            filled += [value, encoded]
        }
        return (url, filled)
    }

    /// True if it has a list from which each tile uses one item.
    var hasChoice: Bool { pieces.contains { if case .choice = $0 { true } else { false } } }

    /// The template as a cache key, equal for all templates that lead to the same tiles. Tokens have their
    /// short names, subdomains become `{s}`, and values are filled in. Secrets are removed, and so are query
    /// items that contain one or change from moment to moment (`t`).
    public var canonical: String {
        var reference = URLReference(pieces.map(canonicalText).joined())
        reference.query = reference.query.flatMap(canonicalQuery)
        reference.removeUser()
        return reference.description
    }

    /// The canonical form, sanitised.
    public var description: String { SafeText.sanitised(canonical) }

    private func text(of piece: Piece, for tile: TileID) -> String {
        switch piece {
        case .literal(let text): text
        case .zoom: "\(tile.zoom)"
        case .column: "\(tile.x)"
        case .row: "\(tile.y)"
        case .rowFromSouth: "\(tile.tmsRow)"
        case .quadkey: tile.quadkey
        case .box: tile.metreBox
        case .prefix: String(tile.x % 16, radix: 16) + String(tile.y % 16, radix: 16)
        case .choice(let choices): choices[(tile.x + tile.y) % choices.count]
        case .secret: ""
        }
    }

    private func canonicalText(of piece: Piece) -> String {
        switch piece {
        case .literal(let text): text
        case .zoom: "{z}"
        case .column: "{x}"
        case .row: "{y}"
        case .rowFromSouth: "{-y}"
        case .quadkey: "{q}"
        case .box: "{bbox-epsg-3857}"
        case .prefix: "{prefix}"
        case .choice: "{s}"
        case .secret(let name): "{\(name)}"
        }
    }

    private func canonicalQuery(_ query: String) -> String? {
        let secretTokens = secretNames.filter { !$0.hasPrefix("secret-") }.map { "{\($0)}" }
        let kept = query.split(separator: "&").filter { item in
            let name = item.prefix { $0 != "=" }
            let holdsSecret = secretTokens.contains { item.contains($0) }
            return !holdsSecret && !SecretNames.isSecret(name) && name != "t"
        }
        return kept.isEmpty ? nil : kept.joined(separator: "&")
    }

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
