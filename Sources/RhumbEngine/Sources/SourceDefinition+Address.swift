internal import RhumbCore

/// Sources that the user names by address.
extension SourceDefinition {
    /// A source at a web address: a template with braces, an archive that can be read in parts, or
    /// else a TileJSON document. It has the name of its host, and the default policy.
    /// - Throws: `SourceFailure` if it can't be opened by its address.
    public init(address text: String) throws(SourceFailure) {
        let address = Self.completed(URLTemplate.normalised(ArchiveContainer.splitScheme(text).rest))
        let parts = URLReference(address), host = parts.host ?? ""
        let path = parts.path.lowercased()
        try Self.requireParts(of: address, source: host)
        self.init(id: host, name: host, addresses: [address])
        nameKeys()
        let plain = keys.reduce(address) { $0.replacing("{\($1.token)}", with: "") }
        kind = plain.contains("{") ? .tiles : Self.isArchive(path) ? .archive : .tilejson
        if kind != .archive { assumeTileSize() }
        if holdsVectorTiles { zooms = 0...SourceDefinition.usualVectorDepth }
        if kind == .tiles, let depths = RouteEngineKind.graphZooms(of: address) {
            isVector = true
            isOverlay = true
            zooms = depths
        }
        if parts.isOnThisNetwork { policy = .ownServer }
        _ = try templates()
    }

    /// Creates the definition of an archive on this machine. It is read in parts like a remote one. Regions
    /// keep their tiles if the file is removed or replaced.
    /// - Parameter path: The absolute path.
    public init(localArchive path: String) {
        self.init(id: "file", name: "file", addresses: [URLReference.file(path)])
        kind = .archive
        isLocal = true
        policy = .unlimited
    }

    /// Refuses the address of a file on a server that can't be read in parts, such as an MBTiles archive.
    /// - Parameter source: The name of the source in the message.
    /// - Throws: `SourceFailure.definition`
    static func requireParts(of address: String, source: String) throws(SourceFailure) {
        let reference = URLReference(address), path = reference.path.lowercased()
        let isWhole =
            ArchiveContainer(path: path).map { !$0.isReadInParts }
            ?? [".zip", ".gz"].contains { path.hasSuffix($0) }
        guard isWhole, !address.contains("{"), reference.localPath == nil else { return }
        throw .definition(
            source: source, "such a file can't be read remotely; download it and open the file")
    }

    /// Returns true if a text is a web address.
    public static func isAddress(_ text: String) -> Bool {
        let text = text.lowercased()
        return isBareTemplate(URLTemplate.normalised(text))
            || URLReference.isWeb(ArchiveContainer.splitScheme(text).rest)
    }

    /// Returns true for a template without a scheme, such as "localhost:8080/{z}/{x}/{y}.png".
    private static func isBareTemplate(_ text: String) -> Bool {
        guard let slash = text.firstIndex(of: "/"), text[slash...].contains("{"), !text.contains("://") else {
            return false
        }
        let host = text[..<slash], parts = host.split(separator: ":", omittingEmptySubsequences: false)
        let hasPort = parts.count == 2 && UInt16(parts[1]) != nil
        return !host.hasPrefix(".") && !host.hasPrefix("~") && (parts.count == 1 || hasPort)
            && (hasPort || host == "localhost" || host.contains("."))
    }

    /// Returns an address with its scheme, and with the query that a service of ArcGIS needs to describe
    /// itself.
    private static func completed(_ address: String) -> String {
        let plain = URLReference("http://" + address)
        let full =
            isBareTemplate(address) ? (plain.isOnThisNetwork ? "http://" : "https://") + address : address
        let services = ["/vectortileserver", "/mapserver", "/imageserver"]
        let isService = services.contains {
            full.lowercased().hasSuffix($0) || full.lowercased().hasSuffix($0 + "/")
        }
        return isService ? full + "?f=json" : full
    }

    /// Returns true if a path names an archive that can be read in parts.
    public static func isArchive(_ path: String) -> Bool {
        ArchiveContainer(path: path)?.isReadInParts == true
    }

    /// Returns true for the address of a .tif or .tiff file.
    public static func isGeoTIFF(_ address: String) -> Bool {
        !address.contains("{") && ArchiveContainer(path: URLReference(address).path) == .geoTIFF
    }

    /// True if it has tiles of several sizes.
    public var hasTileSizes: Bool {
        addresses.contains { address in ["{tileSize}", "{r}", "{ratio}"].contains { address.contains($0) } }
    }

    /// Sets the tile size that its template states (`tileSize=512`, `/512/{z}`, `@2x`), or else the default:
    /// 512 pixels if the template leaves the size open, as TomTom's SDK does.
    mutating func assumeTileSize() {
        if addresses.allSatisfy({ $0.contains("{tileSize}") }) { tileSize = .pixels512 }
        isTileSizeAssumed = !hasTileSizes
        guard isTileSizeAssumed, let address = addresses.first else { return }
        let reference = URLReference(address), path = reference.path.split(separator: "/")
        let items = (reference.query ?? "").split(separator: "&").filter {
            $0.lowercased().hasPrefix("tilesize=")
        }
        let words =
            items.map { $0.dropFirst("tilesize=".count) }
            + path.indices.dropFirst().filter { path[$0] == "{z}" }.map { path[$0 - 1] }
        let stated =
            words.firstNonNil { Int($0).flatMap(TileSize.init(rawValue:)) } ?? .pixels256
        tileSize = address.contains("@2x") ? TileSize(rawValue: stated.rawValue * 2) ?? stated : stated
    }

    /// Returns true if the source has tiles of a size. A size that was only assumed excludes no other.
    private func offers(_ size: TileSize) -> Bool {
        func haveAll(_ tokens: String...) -> Bool {
            addresses.allSatisfy { address in tokens.contains { address.contains($0) } }
        }
        return switch size {
        case _ where isTileSizeAssumed, tileSize: true
        case .pixels256: haveAll("{tileSize}", "{r}", "{ratio}")
        case .pixels512: haveAll("{tileSize}", "{r}", "{ratio}", "@2x")
        default: haveAll("{tileSize}")
        }
    }

    /// Returns the source with tiles of another size.
    /// - Throws: `SourceFailure` if it has only one size.
    public func sized(_ size: TileSize) throws(SourceFailure) -> SourceDefinition {
        guard offers(size) else {
            throw .definition(
                source: id, "its tiles are \(tileSize.rawValue) pixels wide, and none are \(size.rawValue)")
        }
        var sized = self
        sized.tileSize = size
        sized.isTileSizeAssumed = false
        return sized
    }

    /// Returns the source with tiles of double resolution along each side, which have 512 pixels.
    /// - Throws: `SourceFailure.oneScale` if its addresses don't distinguish such tiles.
    public func doubled() throws(SourceFailure) -> SourceDefinition {
        guard hasTileSizes || addresses.contains(where: { $0.contains("@2x") }) else {
            throw .oneScale(source: id)
        }
        return try sized(.pixels512)
    }

    /// True for vector tiles, according to a document or to the addresses.
    public var holdsVectorTiles: Bool {
        isVector
            || addresses.contains { address in
                let path = URLReference(address).path.lowercased()
                return kind == .tiles && (path.hasSuffix(".pbf") || path.hasSuffix(".mvt"))
            }
    }
}

extension URLReference {
    /// True if the host is this machine or on its network, and thus the user's own server.
    var isOnThisNetwork: Bool {
        guard let host else { return false }
        if isLoopback || host.hasSuffix(".local") { return true }
        let numbers = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        guard numbers.count == 4, let first = numbers[0], let second = numbers[1], !numbers.contains(nil)
        else { return false }
        return first == 10 || (first == 192 && second == 168) || (first == 172 && (16...31).contains(second))
    }
}
