import RhumbBrowser
import RhumbCore
import RhumbDrawing
import RhumbEngine
import RhumbTestSupport

/// Helpers for tests of live layers: features, layers, and a browser over a blank map at 60° N 22° E.
protocol OverlayFixture {}

extension OverlayFixture {
    func point(
        _ latitude: Double, _ longitude: Double, _ name: String = "", id: String = ""
    ) -> OverlayFeature {
        OverlayFeature(
            .point(Mercator.world(Coordinate(latitude: latitude, longitude: longitude))), id: id, name: name)
    }

    func line(_ places: [(Double, Double)], heights: [Float] = [], isTrack: Bool = false) -> OverlayFeature {
        let path = OverlayPath(places.map { Coordinate(latitude: $0.0, longitude: $0.1) }, heights: heights)
        return OverlayFeature(.line([path]), name: "way", isTrack: isTrack)
    }

    func track(_ places: [(Double, Double)], heights: [Float] = []) -> OverlayFeature {
        line(places, heights: heights, isTrack: true)
    }

    func live(
        _ features: some Sequence<OverlayFeature>, number: Int = 0, depth: ColorDepth = .truecolor
    ) -> LiveLayer {
        let live = LiveLayer(
            id: "over.\(number)", name: "own \(number)", palette: OverlayPalette(number),
            overlayTheme: .init(depth: depth))
        live.index = OverlayIndex(features)
        return live
    }

    func browser(
        _ layers: [LiveLayer], columns: Int = 80, rows: Int = 24, zoom: Double = 10,
        depth: ColorDepth = .truecolor
    ) -> Browser {
        var settings = Settings()
        settings.depth = depth
        settings.labels = false
        return Browser(
            columns: columns, rows: rows,
            layers: [.test(BlankSource())] + layers.map { OverlayDrawing.layer($0) },
            camera: Camera(center: Coordinate(latitude: 60, longitude: 22), zoom: zoom), settings: settings)
    }
}
