public import RhumbCore
public import RhumbEngine

/// An engine with a manual clock.
public struct EngineHarness: Sendable {
    public let engine: TileEngine
    public let clock: ManualClock

    public init(
        fetcher: (any TileFetcher)? = nil, boardBytes: Int = 24 << 20, clock: ManualClock = ManualClock(),
        decoder: any ImageDecoder = ThreeByteDecoder(), prefetch: PrefetchLimits = PrefetchLimits()
    ) {
        self.clock = clock
        engine = TileEngine(
            decoder: decoder, fetcher: fetcher, board: TileBoard(byteLimit: boardBytes),
            clock: clock.engineClock, prefetch: prefetch)
    }

    /// Shows a view and waits until everything in it has arrived, is absent or has failed.
    public func show(_ viewport: Viewport, _ layers: [TileLayer]) async {
        engine.show(viewport, layers: layers)
        await engine.settled()
    }

    public func state(_ layer: TileLayer, _ tile: TileID) -> TileState? {
        engine.board.state(of: TileKey(layer: layer.id, tile: tile))
    }
}

extension TileLayer {
    /// Returns a layer named "test" over a source of 256-pixel tiles.
    public static func test(
        _ source: any TileLayerDataSource, id: String = "test", zooms: ClosedRange<Int> = 0...20,
        size: TileSize = .pixels256
    ) -> TileLayer {
        TileLayer(
            id: id, source: source, info: TileSourceInfo(name: id, zooms: zooms, tileSize: size))
    }
}

extension Viewport {
    /// Returns a view of 64 × 32 cells, which are 128 × 128 map pixels.
    public static func small(_ longitude: Double, _ latitude: Double, zoom: Double) -> Viewport {
        Viewport(
            camera: Camera(
                center: Coordinate(latitude: latitude, longitude: longitude), zoom: zoom),
            columns: 64, rows: 32)
    }
}
