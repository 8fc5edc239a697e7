internal import RhumbCore
package import RhumbEngine

extension StyleSource {
    /// Returns the web source that the style's source refers to.
    /// - Parameters:
    ///   - name: The source's name in the style.
    ///   - base: The location of the style; addresses may be relative to it.
    /// - Throws: `SourceFailure` if there is no valid address.
    package func definition(named name: String, in base: String) throws(SourceFailure) -> SourceDefinition {
        let addresses = (tiles.isEmpty ? [url].compactMap(\.self) : tiles).map {
            StyleSource.absolute($0, in: base)
        }
        guard let first = addresses.first else {
            throw .definition(source: name, "the style has no URL for it")
        }
        guard SourceDefinition.isAddress(first) else {
            throw .definition(source: name, "its URL is not a web address; use one that begins with https:")
        }
        var definition = try SourceDefinition(address: first)
        definition.name = name
        definition.attribution = attribution
        definition.isVector = kind == .vector
        definition.bounds = bounds
        if let size = TileSize(rawValue: tileSize), kind != .vector { definition.tileSize = size }
        if !tiles.isEmpty {
            definition.kind = .tiles
            definition.keys = []
            definition.addresses = isTMS ? addresses.map { $0.replacing("{y}", with: "{-y}") } : addresses
            let usual = kind == .vector ? SourceDefinition.usualVectorDepth : zooms.upperBound
            let deepest = hasDeepestZoom ? zooms.upperBound : usual
            definition.zooms = min(zooms.lowerBound, deepest)...deepest
        }
        definition.nameKeys()
        _ = try definition.templates()
        return definition
    }

    /// Returns the path of the archive on this machine that the source refers to; nil for an address, and in
    /// a style from a server, which has no access to files.
    func archivePath(in base: String) -> String? {
        guard !URLReference(base).isWeb, let address = url ?? tiles.first else { return nil }
        let (scheme, rest) = ArchiveContainer.splitScheme(address)
        var path = rest
        if path.hasSuffix("/{z}/{x}/{y}") { path = String(path.dropLast("/{z}/{x}/{y}".count)) }
        path = URLReference(path).localPath ?? (scheme.isEmpty ? path : PercentCoding.decoded(path))
        guard !path.contains("://"), !path.contains("{"), !path.utf8.contains(0) else { return nil }
        return StyleSource.absolute(path, in: base)
    }

    /// Returns an address in a document, resolved against the document's location.
    package static func absolute(_ address: String, in base: String) -> String {
        let here = URLReference(base)
        guard !SourceDefinition.isAddress(address) else { return address }
        if here.isWeb { return here.resolving(URLReference(address)).description }
        guard !address.hasPrefix("/"), let slash = base.lastIndex(of: "/") else { return address }
        return base[...slash] + address
    }
}
