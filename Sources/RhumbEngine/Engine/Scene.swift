public import RhumbCore
internal import Synchronization

/// The drawable contents of a view at a moment: for each layer, from bottom to top, the pictures with their
/// positions, and the areas without one.
public struct Scene: Sendable {
    /// The layers, from bottom to top.
    public var layers: [LayerScene]

    /// - Parameter layers: The layers, from bottom to top.
    public init(layers: [LayerScene]) { self.layers = layers }

    /// The number of tiles in view that are loading.
    public var loadingCount: Int { layers.reduce(0) { $0 + $1.count(of: .loading) } }
    /// The number of tiles in view that failed.
    public var failedCount: Int { layers.reduce(0) { $0 + $1.gaps.count(where: \.isFailed) } }
    /// The number of tiles in view that failed for lack of a network, which `failedCount` includes.
    public var unreachableCount: Int { layers.reduce(0) { $0 + $1.gaps.count(where: \.isUnreachable) } }
    /// The shown editions of sources that have newer ones.
    public var olderEditions: [TileEdition] {
        layers.flatMap(\.pictures).compactMap(\.mark.edition).reduce(into: []) { found, edition in
            if !found.contains(edition) { found.append(edition) }
        }
    }

    /// The number of visible pictures that may be stale.
    public var staleCount: Int {
        layers.reduce(0) { $0 + $1.pictures.count { $0.mark.standing.isStale } }
    }
    /// True if a tile is being faded in, so that the next frame differs.
    public var isFading: Bool { layers.contains { $0.pictures.contains { $0.strength < 1 } } }
    /// True if every tile in view is loaded, absent or failed.
    public var isComplete: Bool { loadingCount == 0 }
}

/// One layer's part of a scene.
public struct LayerScene: Sendable {
    /// The layer.
    public let layer: TileLayer
    /// The zoom of the tiles that should be drawn.
    public let tileZoom: Int
    /// The pictures, in drawing order.
    public var pictures: [Picture] = []
    /// The areas without a picture.
    public var gaps: [Gap] = []
    /// The traffic incidents marked on the layer.
    public var signs: [TrafficSign] = []

    /// Creates a layer without pictures.
    public init(layer: TileLayer, tileZoom: Int) {
        self.layer = layer
        self.tileZoom = tileZoom
    }

    /// A raster and its position.
    public struct Picture: Sendable, Equatable {
        /// The picture.
        public let raster: Raster
        /// The tile that the picture shows.
        public let tile: PlacedTile
        /// The area of the map that it fills: its tile, or a part of it.
        public let area: PlacedTile
        /// The age and origin of the tile.
        public let mark: TileMark
        /// The share of the picture, above 0 to 1, in a mix of two pictures of an area.
        public var strength = 1.0

        /// Creates a picture of `tile` over the whole of `area`.
        public init(raster: Raster, tile: PlacedTile, area: PlacedTile, mark: TileMark = TileMark()) {
            self.raster = raster
            self.tile = tile
            self.area = area
            self.mark = mark
        }

        func with(strength: Double) -> Picture {
            var picture = self
            picture.strength = strength
            return picture
        }
    }

    /// An area whose own tile is missing or not fully drawn. A picture of another zoom may cover it in the
    /// meantime.
    public struct Gap: Sendable, Equatable {
        /// The reason why nothing can be drawn.
        public enum Reason: Sendable, Equatable {
            case loading, absent
            case failed(TileFailure)
        }
        /// The missing tile.
        public let area: PlacedTile
        /// The reason why nothing can be drawn.
        public let reason: Reason
        /// The parts of it that no picture of another zoom covers.
        public let bare: [PlacedTile]

        /// True if pictures of other zooms cover it.
        public var isCovered: Bool { bare.isEmpty }

        /// True if the tile is not stored and the network is off.
        var isOffline: Bool {
            if case .failed(let failure) = reason { failure.reason == .offline } else { false }
        }

        /// True if the tile is not stored, and its host can't be reached or the network is off.
        public var isUnreachable: Bool {
            guard case .failed(let failure) = reason else { return false }
            return failure.reason == .offline || failure.remedy?.unreachableHost != nil
        }

        /// True if the tile failed.
        var isFailed: Bool {
            if case .failed = reason { true } else { false }
        }
    }

    /// The areas to mark as failed, without any picture. Offline areas have not failed, and a map without
    /// shading or contours is whole.
    public var failedAreas: [PlacedTile] {
        layer.hillGround == nil ? gaps.filter { $0.isFailed && !$0.isOffline }.flatMap(\.bare) : []
    }

    func count(of reason: Gap.Reason) -> Int { gaps.count { $0.reason == reason } }
}

extension TileBoard {
    /// The time between two frames of a fading scene.
    public static let fadeStep = TileFades.step
    /// The maximum number of zooms between a missing tile and the ancestor that replaces it. A tile enlarged
    /// 2^8 times has a single colour.
    static let ancestorReach = 8

    /// Returns the drawable contents of a view.
    /// - Parameters:
    ///   - layers: The layers in any order; they are drawn by role and `zIndex`.
    ///   - now: The time of a frame in a sequence, on a monotonic clock. Tiles of layers that fade in then
    ///     replace their substitutes gradually. nil for a single frame.
    public func scene(of viewport: Viewport, layers: [TileLayer], at now: Duration? = nil) -> Scene {
        fades.withLock { fades in
            if let now { fades.begin(at: now) }
            return read { lookup in
                var scene = Scene(
                    layers: layers.stacked.filter { $0.isShown(at: viewport.camera.zoom) }
                        .map { layerScene($0, viewport, lookup) })
                guard now != nil else { return scene }
                for at in scene.layers.indices where scene.layers[at].layer.fadesIn {
                    fade(&scene.layers[at], by: &fades, lookup)
                }
                return scene
            }
        }
    }

    private func fade(
        _ scene: inout LayerScene, by fades: inout TileFades, _ lookup: (TileKey) -> (TileState, TileMark)?
    ) {
        let layer = scene.layer, zoom = scene.tileZoom
        func key(_ placed: PlacedTile) -> TileKey { TileKey(layer: layer.id, tile: placed.tile) }
        for gap in scene.gaps where gap.isCovered { fades.noteStandIn(for: key(gap.area)) }
        var pictures: [LayerScene.Picture] = []
        for picture in scene.pictures {
            let strength = picture.tile.tile.zoom == zoom ? fades.strength(of: key(picture.tile)) : 1
            let old = strength < 1 ? substitutes(for: picture.tile, of: layer, lookup).pictures : []
            pictures += old.map { $0.with(strength: 1 - strength) }
            pictures.append(picture.with(strength: old.isEmpty ? 1 : strength))
        }
        scene.pictures = pictures
    }

    private func layerScene(
        _ layer: TileLayer, _ viewport: Viewport, _ lookup: (TileKey) -> (TileState, TileMark)?
    ) -> LayerScene {
        let zoom = layer.tileZoom(at: viewport.camera.zoom)
        var scene = LayerScene(layer: layer, tileZoom: zoom)
        for placed in layer.cover(of: viewport) {
            let found = lookup(TileKey(layer: layer.id, tile: placed.tile))
            if case (.ready(let raster), let mark)? = found {
                scene.pictures.append(.init(raster: raster, tile: placed, area: placed, mark: mark))
                if layer.isDrawn(mark.drawnPart, where: placed, isSeenIn: viewport) { continue }
                scene.gaps.append(.init(area: placed, reason: .loading, bare: [placed]))
                continue
            }
            let substitutes =
                layer.hasFallback
                ? substitutes(for: placed, of: layer, lookup) : Substitutes(pictures: [], bare: [placed])
            scene.pictures += substitutes.pictures
            scene.gaps.append(.init(area: placed, reason: reason(found?.0), bare: substitutes.bare))
        }
        return scene
    }

    private func reason(_ state: TileState?) -> LayerScene.Gap.Reason {
        switch state {
        case .failed(let failure): .failed(failure)
        case .absent: .absent
        case .ready, nil: .loading
        }
    }

    /// The pictures of other zooms in place of a missing tile.
    private struct Substitutes {
        var pictures: [LayerScene.Picture] = []
        /// The parts of the tile without a picture.
        var bare: [PlacedTile] = []
    }

    /// Returns the substitutes for a missing tile: its loaded descendants, scaled down, and elsewhere the
    /// nearest ancestor, enlarged. The areas do not overlap.
    private func substitutes(
        for placed: PlacedTile, of layer: TileLayer, _ lookup: (TileKey) -> (TileState, TileMark)?
    ) -> Substitutes {
        func raster(_ tile: TileID) -> Drawn? {
            let found = lookup(TileKey(layer: layer.id, tile: tile))
            guard let found, case .ready(let raster) = found.0 else { return nil }
            return Drawn(raster: raster, mark: found.1)
        }
        let ancestor = ancestor(of: placed, in: layer, raster)
        /// Fills an area that is not loaded itself.
        func fill(_ area: PlacedTile, levels: Int) -> Substitutes {
            var whole = Substitutes(), hasOwn = false
            for quarter in area.tile.children.map({ PlacedTile(tile: $0, copy: area.copy) }) where levels > 0
            {
                let part =
                    raster(quarter.tile).map { Substitutes(pictures: [$0.picture(quarter, over: quarter)]) }
                    ?? fill(quarter, levels: levels - 1)
                hasOwn = hasOwn || part.pictures.contains { $0.tile.tile.zoom > placed.tile.zoom }
                whole.pictures += part.pictures
                whole.bare += part.bare
            }
            guard !hasOwn else { return whole }
            return ancestor.map { Substitutes(pictures: [$0.drawn.picture($0.tile, over: area)]) }
                ?? Substitutes(bare: [area])
        }
        return fill(placed, levels: TileEngine.descendantReach)
    }

    private struct Drawn {
        let raster: Raster
        let mark: TileMark

        func picture(_ tile: PlacedTile, over area: PlacedTile) -> LayerScene.Picture {
            LayerScene.Picture(raster: raster, tile: tile, area: area, mark: mark)
        }
    }

    private func ancestor(
        of placed: PlacedTile, in layer: TileLayer, _ raster: (TileID) -> Drawn?
    ) -> (drawn: Drawn, tile: PlacedTile)? {
        let lowest = max(layer.sourceZooms.lowerBound, placed.tile.zoom - Self.ancestorReach)
        for levels in stride(from: 1, through: placed.tile.zoom - lowest, by: 1) {
            guard let up = placed.tile.ancestor(levels: levels) else { break }
            if let found = raster(up) { return (found, PlacedTile(tile: up, copy: placed.copy)) }
        }
        return nil
    }
}

extension TileLayer {
    /// The number of zooms below a source's lowest one at which the layer is hidden. A tile then has an
    /// eighth of its size.
    public static let shrinkReach = 3.0

    /// Returns true if the view is too far out for the source's lowest zoom. The single tile of zoom 0 serves
    /// every view.
    public func isTooFarOut(at zoom: Double) -> Bool {
        let ideal = zoom + detail + Double(tileSize.zoomOffset)
        return sourceZooms.lowerBound > 0 && ideal < Double(sourceZooms.lowerBound) - Self.shrinkReach
    }

    /// Returns the part of a tile's picture that a view shows, with a margin of one cell, because whole cells
    /// are drawn.
    func seenPart(of placed: PlacedTile, in viewport: Viewport) -> PixelBox {
        let view = viewport.resized(columns: viewport.columns + 2, rows: viewport.rows + 2).box,
            tile = placed.box
        let side = tileSize.rawValue, scale = Double(side) / (tile.maxX - tile.minX)
        func pixels(_ low: Double, _ high: Double) -> Range<Int> {
            let low = min(max(low * scale, 0), Double(side)), high = min(max(high * scale, low), Double(side))
            return Int(low.rounded(.down))..<Int(high.rounded(.up))
        }
        return PixelBox(
            x: pixels(view.minX - tile.minX, view.maxX - tile.minX),
            y: pixels(view.minY - tile.minY, view.maxY - tile.minY))
    }

    /// Returns true if the part of a tile's picture that a view shows is drawn.
    /// - Parameter part: The drawn part; nil for all.
    func isDrawn(_ part: PixelBox?, where placed: PlacedTile, isSeenIn viewport: Viewport) -> Bool {
        part?.contains(seenPart(of: placed, in: viewport)) ?? true
    }

    /// Returns the layer's tiles that a view needs, those nearest to the centre first; empty if the layer is
    /// hidden.
    public func cover(of viewport: Viewport) -> [PlacedTile] {
        let zoom = viewport.camera.zoom
        guard isShown(at: zoom), !isTooFarOut(at: zoom) else { return [] }
        return TileCover.tiles(in: viewport, zoom: tileZoom(at: zoom), bounds: boundingBox)
    }
}

extension Scene {
    /// The shortest pause of the servers that refuse tiles in view for now; nil if there is none.
    public var retryPause: Duration? {
        layers.flatMap(\.gaps).compactMap { gap -> Duration? in
            guard case .failed(let failure) = gap.reason, failure.reason == .refused else { return nil }
            return failure.retryAfter
        }.min()
    }

    /// The reasons why parts of tiles in view are missing in their pictures. Pictures of one tile share
    /// theirs.
    public var omissions: [TileFailure] {
        layers.flatMap(\.pictures).compactMap(\.mark.omission).reduce(into: []) { found, omission in
            if !found.contains(omission) { found.append(omission) }
        }
    }

    /// The tiles in view that failed, by layer. A tile occurs once, even if several areas of the view show
    /// parts of it.
    public var failedTiles: Set<TileKey> {
        var tiles: Set<TileKey> = []
        for layer in layers {
            for gap in layer.gaps where gap.isFailed {
                let excess = max(gap.area.tile.zoom - layer.layer.sourceZooms.upperBound, 0)
                tiles.insert(
                    TileKey(
                        layer: layer.layer.id, tile: gap.area.tile.ancestor(levels: excess) ?? gap.area.tile))
            }
        }
        return tiles
    }
}
