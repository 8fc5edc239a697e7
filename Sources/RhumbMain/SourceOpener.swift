internal import Rhumb
internal import RhumbBrowser
struct DebugFolder: TileLayerDataSource {
    let root: String
    func tile(_ tile: TileID) throws(TileFailure) -> TileAnswer? {
        guard let b = Files.read("\(root)/\(tile.zoom)/\(tile.x)/\(tile.y).png") else { return .absent }
        return .bitmap(.encoded(b))
    }
}
struct SourceOpener: Sendable {
    func opened(_ words: String, _ theme: Settings.Theme) -> Result<TileLayer, Notice.Problem> {
        .failure(Notice.Problem("not yet"))
    }
    func themed(_ layers: [TileLayer], _ theme: Settings.Theme) -> [TileLayer] { layers }
}
