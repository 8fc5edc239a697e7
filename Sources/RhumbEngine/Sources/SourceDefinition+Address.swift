internal import RhumbCore

/// Sources that a person names by their address.
extension SourceDefinition {
    /// A source that lies at a web address: a template with braces, an archive (.pmtiles), or else
    /// a TileJSON document. Called by its host, with the rules for sources that state none.
    /// - Throws: `SourceFailure` saying what can't be opened by its address.
    public init(address text: String) throws(SourceFailure) {
        let address = text.hasPrefix("pmtiles://") ? String(text.dropFirst("pmtiles://".count)) : text
        let parts = URLReference(address), host = parts.host ?? ""
        let path = parts.path.lowercased()
        if path.hasSuffix(".mbtiles") || path.hasSuffix(".zip") || path.hasSuffix(".gz") {
            throw .definition(source: host, "a file of that kind can't be read in parts; download it, and open the file")
        }
        self.init(id: host, name: host, addresses: [address])
        kind = address.contains("{") ? .tiles : path.hasSuffix(".pmtiles") ? .pmtiles : .tilejson
        _ = try templates()
    }

    /// Whether words are an address on the web.
    public static func isAddress(_ words: String) -> Bool {
        ["http://", "https://", "pmtiles://http"].contains { words.lowercased().hasPrefix($0) }
    }

    /// Whether it offers tiles of more than one size.
    public var hasTileSizes: Bool {
        addresses.contains { address in ["{tileSize}", "{r}", "{ratio}"].contains { address.contains($0) } }
    }

    /// The same source with tiles of another size.
    /// - Throws: `SourceFailure` if it has but one.
    public func sized(_ size: TileSize) throws(SourceFailure) -> SourceDefinition {
        guard size == tileSize || hasTileSizes else {
            throw .definition(source: id, "its tiles are \(tileSize.rawValue) pixels wide, and it has no others")
        }
        var sized = self
        sized.tileSize = size
        return sized
    }

    /// Whether its tiles are vector tiles, as a document said or its addresses tell.
    public var holdsVectorTiles: Bool {
        isVector || addresses.contains { address in
            let path = URLReference(address).path.lowercased()
            return kind == .tiles && (path.hasSuffix(".pbf") || path.hasSuffix(".mvt"))
        }
    }
}
