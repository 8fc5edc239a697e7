internal import Rhumb
internal import RhumbBrowser

/// The visible map with labels and attribution, to be written in a format.
struct MapPicture: Sendable {
    /// The browser with the view and its labels.
    let browser: Browser
    /// The scene of the view for the format.
    let scene: Scene
    let format: PictureFormat
    /// True to omit the attribution.
    var isBare = false
    /// True to draw the scale bar and the traffic legend.
    var hasLegend = false
    /// The exact size in pixels; nil for that of the cells.
    var size: (width: Int, height: Int)?

    /// Returns the view whose tiles are needed for a picture in a format.
    static func view(_ viewport: Viewport, _ format: PictureFormat) -> Viewport {
        format.hasPixels ? PixelView.fine(viewport) : viewport
    }

    /// Returns the contents of the file. Takes some tenths of a second.
    func bytes() throws(ImageFailure) -> [UInt8] { try format.hasPixels ? pixels() : cells() }

    private func pixels() throws(ImageFailure) -> [UInt8] {
        let view = browser.map.viewport, fine = PixelView.fine(view)
        let raster = browser.tinted(
            PixelView.raster(
                scene, fine, browser.theme, traffic: browser.map.settings.trafficColours,
                daylight: browser.map.settings.daylight))
        let named = PixelView.written(
            over: raster, columns: view.columns, rows: view.rows,
            { browser.names(on: $0, depth: .truecolor) },
            { CellText.draw($0, as: .rimmed, shifted: browser.heightShifts, over: $1) })
        let noted = PixelView.written(
            over: named, columns: view.columns, rows: view.rows, { notes(on: $0, .truecolor) },
            { CellText.draw($0, as: .boxed, over: $1) })
        return try format.bytes(cut(browser.map.settings.hasFrame ? framed(noted) : noted)) ?? []
    }

    /// Returns the picture in its exact size. The top and the left lose less than a cell, because the
    /// attribution is at the bottom right.
    private func cut(_ picture: Raster) -> Raster {
        guard let size, size.width <= picture.width, size.height <= picture.height else { return picture }
        let pixels = picture.pixels
        var rows: [UInt8] = []
        rows.reserveCapacity(size.width * size.height * 4)
        for row in (picture.height - size.height)..<picture.height {
            let end = (row + 1) * picture.width * 4
            rows += pixels[(end - size.width * 4)..<end]
        }
        return Raster(width: size.width, height: size.height, pixels: rows) ?? picture
    }

    private func framed(_ map: Raster) -> Raster {
        let columns = CoordinateFrame.columns, rows = CoordinateFrame.rows, view = browser.map.viewport
        let padded = PixelView.padded(map, columns: columns, rows: rows, browser.theme.page.paper)
        let blank = CellGrid(columns: view.columns, rows: view.rows)
        return CellText.draw(CoordinateFrame(browser).around(blank), as: .boxed, over: padded)
    }

    private func cells() -> [UInt8] {
        var painter = MapPainter(), settings = browser.map.settings
        settings.colourBits = 8
        if format == .svg { settings.depth = .truecolor }
        if format == .text { settings.show(in: .mono) }
        let map = painter.paint(
            scene, viewport: browser.map.viewport, settings: settings, theme: browser.theme)
        let noted = notes(on: browser.names(on: map, depth: settings.depth), settings.depth)
        return format.bytes(
            settings.hasFrame ? CoordinateFrame(browser).around(noted) : noted, browser.theme) ?? []
    }

    private func notes(on map: CellGrid, _ depth: ColorDepth) -> CellGrid {
        browser.notes(on: map, isBare: isBare, hasLegend: hasLegend, depth: depth)
    }
}
