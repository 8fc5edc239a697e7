internal import RhumbCore

/// Pictures of light and shade over a map. Each is made from the heights of its own area and a narrow border
/// of the tiles around, because slopes at a border depend on both sides. Coarser heights replace missing
/// ones.
struct HillshadeTileSource: HillTileSource {
    let ground: ElevationModel
    let shade: Hillshade

    func tile(_ tile: TileID, of layer: TileLayer) throws(TileFailure) -> TileAnswer? {
        switch try ground.storedArea(around: tile) {
        case .absent: .absent
        case .remote: nil
        case .known(let area): picture(tile, area, layer)
        }
    }

    func isLocal(_ tile: TileID) -> Bool { ground.isLocal(tile, levels: 0) }

    func omission(of tile: TileID) -> TileFailure? { ground.omission(of: tile, levels: 0) }

    func forgetTiles() { ground.forgetTiles() }

    /// Requests the heights of a tile and around it, and draws it.
    func begin(_ request: TileRequest) -> Bool {
        request.fulfil { [self] () async throws(TileFailure) in
            try await ground.area(around: request.tile).map { picture(request.tile, $0, request.layer) }
                ?? .absent
        }
    }

    private func picture(_ tile: TileID, _ area: JoinedHeights, _ layer: TileLayer) -> TileAnswer {
        shade.picture(
            of: tile, from: area.data, area.grid, side: layer.tileSize.rawValue, size: area.size,
            corner: area.corner
        ).map { .bitmap(.raster($0)) } ?? .absent
    }
}
