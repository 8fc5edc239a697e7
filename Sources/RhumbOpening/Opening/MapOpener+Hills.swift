public import RhumbCore
public import RhumbEngine
internal import RhumbDrawing

/// Shading and contours over a map.
extension MapOpener {
    private static let contourPrefix = "contours"
    private static let casedPrefix = "contours.cased"
    /// The memory for decoded contours, which are made again in milliseconds.
    private static let contourByteLimit = 2 << 20

    /// Returns the layers of a choice, bottom to top.
    /// - Parameters:
    ///   - ground: The heights.
    ///   - zoomsAhead: The number of zooms by which tiles are finer than the map's zoom in cells.
    ///   - areCased: True for lines over pictures. Without colours they have black sides, because a bright
    ///     picture hides white lines.
    /// - Throws: `MapOpenFailure`, in theory only.
    public func hills(
        _ choice: HillsChoice, of ground: ElevationModel, _ theme: MapTheme, zoomsAhead: Int = 0,
        areCased: Bool = false
    ) throws(MapOpenFailure) -> [TileLayer] {
        // The greys of few colours would hide the lines.
        let hasGreys = styles.depth == .truecolor || styles.depth == .indexed256
        let shading = choice.isShaded && (hasGreys || choice.contours == nil) ? [ground.shading] : []
        guard let spacing = choice.contours else { return shading }
        let source = ContourTileSource(ground, spacing, zoomsAhead: zoomsAhead), info = source.info
        let drawing = VectorDrawing(
            info, layerNames: [Self.contourPrefix],
            painters: try contourPainters(theme, areCased: areCased), hasGround: false,
            byteLimit: Self.contourByteLimit)
        let distance = spacing.distance.map { "\($0)" } ?? "auto"
        let id = contourID("\(distance)\(spacing.isInFeet ? "ft" : "m")", theme, areCased: areCased)
        var layer = TileLayer(id: id, source: source, info: info).drawn(by: drawing)
        // Twice the resolution of the map, as other vector tiles.
        layer.detail = ContourTileSource.detail
        layer.isTransparent = true
        layer.feature = .terrain
        layer.policy = ground.shading.policy
        layer.info.hasLabels = false
        return shading + [layer]
    }

    /// Returns a layer of contours in another theme; nil for other layers, and if it has that theme already.
    func contours(_ layer: TileLayer, _ theme: MapTheme) throws(MapOpenFailure) -> TileLayer? {
        guard layer.isContours, let drawing = layer.drawing as? VectorDrawing else { return nil }
        let areCased = layer.id.hasPrefix(Self.casedPrefix)
        let id = contourID(
            layer.id.split(separator: ":").last.map(String.init) ?? "", theme, areCased: areCased)
        guard id != layer.id else { return nil }
        var restyled = layer.named(id)
        restyled.drawing = drawing.restyled(
            try contourPainters(theme, areCased: areCased), hasGround: false)
        return restyled
    }

    private func contourID(_ distance: String, _ theme: MapTheme, areCased: Bool) -> TileLayer.ID {
        "\(areCased ? Self.casedPrefix : Self.contourPrefix).\(theme.mark(styles.depth)):\(distance)"
    }

    private func contourPainters(
        _ theme: MapTheme, areCased: Bool
    ) throws(MapOpenFailure) -> [TileSchema: VectorPainter] {
        do throws(StyleFailure) {
            let style = try Style.contours(theme, styles.depth, areCased: areCased)
            return [.other: VectorPainter(style, source: Style.contourSource, drawsBackground: false)]
        } catch {
            throw .document(file: "the style of contours", problem: "\(error)")
        }
    }
}
