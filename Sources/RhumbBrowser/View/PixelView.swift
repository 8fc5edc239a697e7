public import RhumbCore
public import RhumbEngine

/// The map as a picture of 8 × 16 pixels for each cell of the view, for files.
public enum PixelView {
    private static let scale = 4
    /// The number of zooms by which the picture's tiles are deeper than those of the view in cells.
    public static let zoomsAhead = 2
    /// The radius of city lights, in pixels.
    static let glow = 3

    /// Returns the view for the picture: the same area, `zoomsAhead` zooms deeper.
    public static func fine(_ viewport: Viewport) -> Viewport {
        let camera = viewport.camera
        return Viewport(
            camera: Camera(center: camera.center, zoom: camera.zoom + Double(zoomsAhead)),
            columns: viewport.columns * scale, rows: viewport.rows * scale,
            cellAspect: viewport.cellAspect)
    }

    /// Draws a scene as a picture.
    /// - Parameters:
    ///   - scene: The scene of the fine view.
    ///   - fine: The result of `fine(_:)`.
    ///   - daylight: The shown daylight; nil for none.
    /// - Returns: An opaque picture of `fine.columns * 2` × `fine.rows * 4` pixels.
    public static func raster(
        _ scene: Scene, _ fine: Viewport, _ theme: Settings.Theme, traffic: TrafficColours = .standard,
        daylight: Daylight? = nil
    ) -> Raster {
        var painter = MapPainter(), settings = Settings()
        settings.symbols = .octant
        settings.trafficColours = traffic
        settings.daylight = daylight
        let picture = painter.picture(of: scene, fine, settings, theme)
        var pixels: [UInt8] = []
        pixels.reserveCapacity(picture.width * picture.height * 4)
        for row in 0..<picture.height {
            for column in 0..<picture.width {
                let value = picture[row, column]
                for channel in 0..<3 { pixels.append(UInt8(min(max(value[channel].rounded(), 0), 255))) }
                pixels.append(255)
            }
        }
        return Raster(width: picture.width, height: picture.height, pixels: pixels)
            ?? Raster(width: 1, height: 1, filledWith: theme.unknown)
    }
}
