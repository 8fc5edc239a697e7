internal import RhumbBase
public import RhumbWeb

extension ExpectedContent {
    /// Returns the name of the content if it isn't the expected one; nil if it is.
    public func misfit(_ body: [UInt8], contentType: String?) -> String? {
        let kind = ContentKind(of: body)
        switch self {
        case .imageTile:
            if [.png, .jpeg, .webp, .gzip].contains(kind) { return nil }
            return body.isEmpty ? "nothing" : kind == .unknown ? "an unknown image format" : kind.rawValue
        case .vectorTile: return vectorMisfit(body, kind, contentType)
        case .archiveStart:
            if kind == .html { return "html" }
            switch FileSignature(body) {
            case .pmTiles, .versatiles, .tiff, .bigTIFF: return nil
            default: return "a file of another kind"
            }
        case .archiveRange:
            return kind == .html || isHTML(contentType) && kind != .gzip ? "html" : nil
        case .document:
            return kind == .html ? "html" : nil
        }
    }

    /// Checks a vector tile. An empty body is a tile without layers, and a compressed one can't be checked
    /// yet.
    private func vectorMisfit(_ body: [UInt8], _ kind: ContentKind, _ contentType: String?) -> String? {
        switch kind {
        case .gzip: return nil
        case .unknown:
            if isHTML(contentType) { return "html" }
            return (try? VectorTile(body)) == nil ? "invalid vector tile data" : nil
        default: return (try? VectorTile(body)).map(\.layerNames.isEmpty) == false ? nil : kind.rawValue
        }
    }

    private func isHTML(_ contentType: String?) -> Bool {
        (contentType ?? "").lowercased().hasPrefix("text/html")
    }
}
