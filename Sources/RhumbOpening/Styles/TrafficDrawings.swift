public import RhumbCore
internal import RhumbDrawing
internal import RhumbEngine
internal import RhumbStore

/// Draws vector tiles of traffic, in the user's style if that draws traffic, or else in Rhumb's own.
package struct TrafficDrawings: TrafficDrawer {
    package init() {}

    func drawing(of source: TrafficSource, in style: Style?) -> (any TileDrawing)? {
        let painter: VectorPainter
        if let style, let name = style.source(ofTraffic: source.kind) {
            painter = VectorPainter(style, source: name, drawsBackground: false)
        } else if let own = try? Style.traffic(source.kind, source.mode ?? .standard) {
            painter = VectorPainter(own, source: Style.trafficSource, drawsBackground: false)
        } else {
            return nil
        }
        var drawing = VectorDrawing(source.definition.info, painters: [.other: painter])
        drawing.wording = { [mode = source.mode] in MapFeature.trafficAttributes($0, mode) }
        return drawing
    }

    func unpacked(_ body: [UInt8], name: String) throws(TileFailure) -> [UInt8] {
        try VectorDrawing.unpacked(body, name)
    }
}

extension MapOpener {
    /// Returns the style chosen for a theme, or else the one opened as a map, if it draws traffic; nil if
    /// neither does.
    public func trafficStyle(_ theme: MapTheme) async -> Style? {
        let chosen =
            styles.choice[theme] == nil ? nil : try? await styles.loaded(theme, of: styles.choice, web).style
        return [chosen, styles.map].compactMap(\.self).first { style in
            TrafficKind.allCases.contains { style.source(ofTraffic: $0) != nil }
        }
    }
}
