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
        return raster(of: picture, width: picture.width, height: picture.height)
            ?? Raster(width: 1, height: 1, filledWith: theme.unknown)
    }

    /// Returns a raster stretched to a size in pixels, over black.
    public static func stretched(_ raster: Raster, width: Int, height: Int) -> Raster {
        // A cell of octants has 2 × 4 pixels.
        var picture = Picture(columns: (width + 1) / 2, rows: (height + 3) / 4, symbols: .octant)
        picture.draw(
            raster,
            at: FixedPointRect(
                x0: 0, y0: 0, x1: width * FixedPointRect.one / 2, y1: height * FixedPointRect.one / 4))
        picture.fill(under: RGB(0))
        return self.raster(of: picture, width: width, height: height) ?? raster
    }

    private static func raster(of picture: Picture, width: Int, height: Int) -> Raster? {
        var pixels: [UInt8] = []
        pixels.reserveCapacity(width * height * 4)
        for row in 0..<height {
            for column in 0..<width {
                let value = picture[row, column]
                for channel in 0..<3 { pixels.append(UInt8(min(max(value[channel].rounded(), 0), 255))) }
                pixels.append(255)
            }
        }
        return Raster(width: width, height: height, pixels: pixels)
    }
}
