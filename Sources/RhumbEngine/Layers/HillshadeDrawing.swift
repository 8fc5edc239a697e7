internal import Dispatch
public import RhumbCore

/// Draws light and shade from tiles whose colours are heights.
public struct HillshadeDrawing: TileDrawing {
    /// The zooms of the heights that pictures are drawn from.
    public let dataZooms: ClosedRange<Int>
    /// The expected content, because heights are stored as PNG or WebP.
    public let content = ExpectedContent.imageTile
    private let name: String
    private let encoding: ElevationEncoding
    let shade: Hillshade
    private let decoder: any ImageDecoder
    private let decoded = DecodedTiles<ElevationGrid>(byteLimit: 2 << 20)
    /// Limits the tiles that are decoded at the same time. Shading, contours and labels need up to ten at
    /// once, and each takes 2 MiB while it is decoded.
    private let turns = DispatchSemaphore(value: 2)

    /// Creates a drawing.
    /// - Parameters:
    ///   - info: The description of the source of heights.
    ///   - decoder: Decodes its tiles without changing colours.
    public init(
        _ info: TileSourceInfo, _ encoding: ElevationEncoding, _ shade: Hillshade, decoder: any ImageDecoder
    ) {
        name = info.name
        dataZooms = info.zooms
        self.encoding = encoding
        self.shade = shade
        self.decoder = decoder
    }

    /// Returns a tile of heights, decoded unless it is cached.
    public func tile(_ data: TileID, from bytes: [UInt8]) throws(TileFailure) -> any DrawnTile {
        hills(data, try heights(data, from: bytes))
    }

    /// Returns the heights of a tile, decoded unless they are cached.
    public func heights(_ data: TileID, from bytes: [UInt8]) throws(TileFailure) -> ElevationGrid {
        try decoded.tile(data, from: bytes) { () throws(TileFailure) in
            turns.wait()
            defer { turns.signal() }
            return try decode(data, bytes)
        }
    }

    /// Returns a tile of heights from the cache, or else reads and decodes it in turn with other tiles.
    /// Bodies that wait to be decoded would take another 2 MiB.
    /// - Returns: nil if the source has no such tile.
    func heights(
        _ data: TileID, reading: () throws(TileFailure) -> [UInt8]?
    ) throws(TileFailure) -> ElevationGrid? {
        try decoded.alone(data) { () throws(TileFailure) in
            if let cached = decoded[data] { return cached }
            turns.wait()
            defer { turns.signal() }
            guard let bytes = try reading() else { return nil }
            return try decoded.tile(data, from: bytes) { () throws(TileFailure) in try decode(data, bytes) }
        }
    }

    private func decode(_ data: TileID, _ bytes: [UInt8]) throws(TileFailure) -> (ElevationGrid, Int) {
        let image = try converting(decoder.decode(bytes, limits: .tile)) { (error: ImageFailure) in
            TileFailure(.badContent, "\(name) \(data): \(error)")
        }
        let heights = ElevationGrid(image, encoding)
        return (heights, heights.metres.count * MemoryLayout<Float>.size)
    }

    /// Returns a tile of heights from the cache; nil if it isn't cached.
    public func cachedTile(_ data: TileID) -> (any DrawnTile)? { decoded[data].map { hills(data, $0) } }

    /// Reads a tile while no other thread reads it.
    public func reading<Value: Sendable>(
        _ data: TileID, _ body: () throws(TileFailure) -> Value
    ) throws(TileFailure) -> Value {
        try decoded.alone(data, body)
    }

    /// Removes the decoded tiles.
    public func forgetTiles() { decoded.removeAll() }

    private func hills(_ data: TileID, _ heights: ElevationGrid) -> Hills {
        Hills(name: name, data: data, grid: heights, shade: shade)
    }
}

/// A tile of heights.
private struct Hills: DrawnTile {
    let name: String
    let data: TileID
    let grid: ElevationGrid
    let shade: Hillshade

    func picture(of tile: TileID, side: Int) throws(TileFailure) -> Raster {
        guard let picture = shade.picture(of: tile, from: data, grid, side: side) else {
            throw TileFailure(.sourceFailed, "\(name) \(tile): nothing to draw")
        }
        return picture
    }
}
