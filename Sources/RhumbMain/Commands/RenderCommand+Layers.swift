internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// The layers of a picture.
extension RenderCommand {
    /// Returns layers as the picture's format shows them.
    func drawn(_ layers: [TileLayer]) -> [TileLayer] {
        format.hasPixels ? layers.map { $0.ahead(by: PixelView.zoomsAhead) } : layers
    }

    /// Returns the layers of shading and contours. Without heights, the map is drawn without hills, and the
    /// exit status reports the gap.
    /// - Throws: `Notice.Problem` if the source that the user named can't be opened.
    func hills(
        _ choice: HillsChoice, over layers: [TileLayer]
    ) async throws(Notice.Problem) -> [TileLayer] {
        var hills: [TileLayer] = []
        do throws(Notice.Problem) {
            hills = try await HeightSource(invocation[.terrain], session).hills(
                choice, over: layers, by: options.opener, theme(at: nil),
                zoomsAhead: format.hasPixels ? PixelView.zoomsAhead : 0)
            if hills.isEmpty { Output.say("rhumb: No heights are stored here; the map has no hills") }
        } catch {
            guard invocation[.terrain] == nil else { throw error }
            Output.say("rhumb: The map has no hills: \(error)")
        }
        if hills.isEmpty { remarks.add() }
        return hills
    }
}
