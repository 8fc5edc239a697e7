extension TileID {
    /// Parses "z/x/y", the format of `description`; nil for anything else.
    public init?(text: String) {
        let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 3, let zoom = numbers[0], let x = numbers[1], let y = numbers[2] else {
            return nil
        }
        self.init(zoom: zoom, x: x, y: y)
    }
}
