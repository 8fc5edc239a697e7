internal import RhumbCore

/// Drawing ahead from local tiles. The part of a picture in view is drawn first, the rest once no tile in
/// view is missing. The tiles that the view reaches next follow.
extension TileEngine {
    /// Returns the part of a picture to draw now; nil for all of it.
    func partToDraw(of key: TileKey, _ layer: TileLayer) -> PixelBox? {
        // Parts of contours are not worth it, because most of their time makes the lines.
        guard let view, layer.hillGround == nil, drawsHere(key.tile, of: layer), !ahead.contains(key),
            board.mark(of: key) == nil
        else { return nil }
        let copies = layer.cover(of: view.viewport).filter { $0.tile == key.tile }
        guard copies.count == 1, let copy = copies.first else { return nil }
        let seen = layer.seenPart(of: copy, in: view.viewport), side = layer.tileSize.rawValue
        // Drawing nearly the whole picture first would only draw it twice.
        return seen.count < side * side * 3 / 4 ? seen : nil
    }

    /// Draws a picture again if it was drawn for another view and lacks a part that this one shows.
    func redraw(_ placed: PlacedTile, of layer: TileLayer, ifNotDrawnFor viewport: Viewport) {
        let key = TileKey(layer: layer.id, tile: placed.tile)
        guard !layer.isDrawn(board.mark(of: key)?.drawnPart, where: placed, isSeenIn: viewport) else {
            return
        }
        ahead.remove(key)
        apply(.forgotten, to: key)
    }

    /// Draws a picture again if the view has moved while a part of it was drawn.
    func checkPart(of key: TileKey) {
        guard let view, wanted[key] != nil, let layer = view.layers.first(where: { $0.id == key.layer })
        else { return }
        for placed in layer.cover(of: view.viewport) where placed.tile == key.tile {
            redraw(placed, of: layer, ifNotDrawnFor: view.viewport)
        }
        apply(.wanted, to: key)
    }

    /// Draws the missing parts of pictures, and then more pictures around the view: those already drawn often
    /// take less memory than expected.
    func completePictures() {
        guard prefetchLimits.drawsAhead, let view, !work.keys.contains(where: ahead.contains) else { return }
        for key in wanted.keys where board.mark(of: key)?.drawnPart != nil {
            ahead.insert(key)
            apply(.forgotten, to: key)
            apply(.wanted, to: key)
        }
        if queued.isEmpty {
            for key in drawnAhead(of: view) where wanted[key] == nil {
                wanted[key] = wanted.count
                ahead.insert(key)
                apply(.wanted, to: key)
            }
        }
        startJobs()
    }

    /// True if a picture may be drawn ahead. Only one at a time is drawn, to leave room for the view.
    var mayDrawAhead: Bool { !isViewAwaited && !work.keys.contains(where: ahead.contains) }

    /// Returns the tiles that the view's next step reaches, those in its direction first. Limits them to the
    /// memory that the tiles in view leave, of maps and of the layers over them. If the view moves to and
    /// fro, tiles already drawn come first, because each turn would evict them.
    func drawnAhead(of view: View) -> [TileKey] {
        guard prefetchLimits.drawsAhead else { return [] }
        let around = view.viewport.resized(
            columns: view.viewport.columns * 3 / 2, rows: view.viewport.rows * 3 / 2)
        let layers = view.layers.filter(\.isVisible)
        var seen: Set<TileKey> = [], room = board.byteLimit, overlayRoom = board.overlayByteLimit
        var likelyBytes: [TileLayer.ID: Int] = [:]
        func fresh(_ viewport: Viewport, _ layer: TileLayer) -> [TileAhead] {
            layer.cover(of: viewport).map { TileKey(layer: layer.id, tile: $0.tile) }
                .filter { seen.insert($0).inserted }
                .map { key in
                    let bytes = board.byteCount(of: key)
                    return TileAhead(
                        key: key, bytes: bytes ?? likelyBytes[layer.id] ?? layer.likelyBytes,
                        isDrawn: bytes != nil, isOverlay: layer.isTransparent)
                }
        }
        func take(_ tile: TileAhead) {
            if tile.isOverlay { overlayRoom -= tile.bytes } else { room -= tile.bytes }
        }
        /// Takes the room for a tile if there is enough, and returns true.
        func hasRoom(for tile: TileAhead) -> Bool {
            guard tile.bytes <= (tile.isOverlay ? overlayRoom : room) else { return false }
            take(tile)
            return true
        }
        for layer in layers {
            let tiles = fresh(view.viewport, layer), drawn = tiles.filter(\.isDrawn)
            tiles.forEach(take)
            if !drawn.isEmpty { likelyBytes[layer.id] = drawn.reduce(0) { $0 + $1.bytes } / drawn.count }
        }
        var next = [view.viewport.stepped(motion), around].flatMap { viewport in
            layers.filter { $0.drawing != nil || $0.hillGround != nil }.flatMap { layer in
                fresh(viewport, layer).filter { drawsHere($0.key.tile, of: layer) }
            }
        }
        if hasTurned { next = next.filter(\.isDrawn) + next.filter { !$0.isDrawn } }
        return next.filter(hasRoom).map(\.key)
    }

    /// Returns true if a picture costs only time to draw. A server's tiles are requested when they come into
    /// view.
    private func drawsHere(_ tile: TileID, of layer: TileLayer) -> Bool {
        guard layer.policy.lookAhead, !TrafficKind.allCases.contains(where: { $0.feature == layer.feature })
        else { return false }
        if let hills = layer.source as? any HillTileSource { return hills.isLocal(layer.dataTile(for: tile)) }
        return layer.drawing != nil && layer.isAtHand(layer.dataTile(for: tile))
    }
}

/// A tile that may be drawn ahead.
private struct TileAhead {
    let key: TileKey
    /// The size of its picture; the likely one if it isn't drawn.
    let bytes: Int
    let isDrawn: Bool
    let isOverlay: Bool
}

extension TileLayer {
    /// The likely size of a picture in bytes. Lines over a map pack into less than a third.
    fileprivate var likelyBytes: Int {
        let whole = tileSize.rawValue * tileSize.rawValue * 4
        return isTransparent && drawing != nil ? whole / 3 : whole
    }
}

extension Viewport {
    /// Returns the view moved by a quarter of its size.
    fileprivate func stepped(_ motion: (x: Double, y: Double)) -> Viewport {
        func step(_ motion: Double, _ cells: Int) -> Int {
            motion == 0 ? 0 : (motion > 0 ? cells : -cells) / 4
        }
        return panned(columns: step(motion.x, columns), rows: step(motion.y, rows))
    }
}
