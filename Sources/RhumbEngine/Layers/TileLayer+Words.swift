extension TileLayer {
    /// The text that opens its source again, whatever theme it is drawn in.
    public var words: String {
        if let openedBy { return openedBy }
        let plain = plainID
        for prefix in ["source:", "web:", "file:", "terrain:", "region:"] where plain.hasPrefix(prefix) {
            return String(plain.dropFirst(prefix.count))
        }
        return String(plain)
    }

    /// True if it was opened by the address or the name of a web source.
    public var isNamedOnWeb: Bool { ["web:", "source:", "region:"].contains { plainID.hasPrefix($0) } }

    private var plainID: Substring {
        id.hasPrefix("vector.") ? id.drop { $0 != ":" }.dropFirst() : id[...]
    }
}
