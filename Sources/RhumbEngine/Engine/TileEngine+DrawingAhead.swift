internal import RhumbCore

/// Drawing ahead from local tiles. The part of a picture in view is drawn first, the rest once no tile in
/// view is missing. The tiles that the view reaches next follow.
extension TileEngine {
    /// Returns the part of a picture to draw now; nil for all of it.
    func partToDraw(of key: TileKey, _ layer: TileLayer) -> PixelBox? {
        guard let view, drawsHere(key.tile, of: layer), !ahead.contains(key), board.mark(of: key) == nil
        else { return nil }
        let places = layer.cover(of: view.viewport).filter { $0.tile == key.tile }
        guard places.count == 1, let place = places.first else { return nil }
        let seen = layer.seenPart(of: place, in: view.viewport), side = layer.tileSize.rawValue
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

    /// Draws the missing parts of pictures.
    func completePictures() {
        guard prefetchLimits.drawsAhead else { return }
        for key in wanted.keys where board.mark(of: key)?.drawnPart != nil {
            ahead.insert(key)
            apply(.forgotten, to: key)
            apply(.wanted, to: key)
        }
        startJobs()
    }

    /// True if a picture may be drawn ahead. Only one at a time is drawn, to leave room for the view.
    var mayDrawAhead: Bool { !isViewAwaited && !work.keys.contains(where: ahead.contains) }

    /// Returns the tiles that the view's next step reaches, those in its direction first. Limits them to the
    /// memory that the tiles in view of all layers leave. If the view moves to and fro, tiles already drawn
    /// come first, because each turn would evict them.
    func drawnAhead(of view: View) -> [TileKey] {
        guard prefetchLimits.drawsAhead else { return [] }
        let around = view.viewport.resized(
            columns: view.viewport.columns * 3 / 2, rows: view.viewport.rows * 3 / 2)
        let layers = view.layers.filter(\.isVisible)
        var seen: Set<TileKey> = [], room = board.byteLimit
        func fresh(_ viewport: Viewport, _ layer: TileLayer) -> [(key: TileKey, bytes: Int?, whole: Int)] {
            let whole = layer.tileSize.rawValue * layer.tileSize.rawValue * 4
            return layer.cover(of: viewport).map { TileKey(layer: layer.id, tile: $0.tile) }.filter {
                seen.insert($0).inserted
            }
            .map { ($0, board.byteCount(of: $0), whole) }
        }
        for layer in layers { for tile in fresh(view.viewport, layer) { room -= tile.bytes ?? tile.whole } }
        var next = [view.viewport.stepped(motion), around].flatMap { viewport in
            layers.filter { $0.drawing != nil }.flatMap { layer in
                fresh(viewport, layer).filter { drawsHere($0.key.tile, of: layer) }
            }
        }
        if hasTurned { next = next.filter { $0.bytes != nil } + next.filter { $0.bytes == nil } }
        return next.prefix { tile in
            room -= tile.bytes ?? tile.whole
            return room >= 0
        }.map(\.key)
    }

    /// Returns true if a picture costs only time to draw. A server's tiles are requested when they come into
    /// view.
    private func drawsHere(_ tile: TileID, of layer: TileLayer) -> Bool {
        layer.drawing != nil && layer.policy.lookAhead && layer.isAtHand(layer.dataTile(for: tile))
            && !TrafficKind.allCases.contains { $0.feature == layer.feature }
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
