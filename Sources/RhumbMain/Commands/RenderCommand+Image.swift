internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// Pictures of image files, and the check of options that would have no effect.
extension RenderCommand {
    /// Draws an image file stretched over the cells, or in its own size if the format has pixels and the
    /// options give no size.
    func render(image name: String) throws -> Int32 {
        let bytes = try Files.contents(name, limit: ImageLimits.picture.bytes)
        let raster = try converting(SniffingDecoder().decode(bytes, limits: .picture)) {
            (error: ImageFailure) in Notice.Problem("\(name): \(error)")
        }
        if let bytes = try format.bytes(sized(raster)) {
            try Output.write(bytes, to: path)
            return ExitStatus.done
        }
        let settings = settings
        let symbols = settings.isUnicode ? settings.symbols : .ascii
        let whole = FixedPointRect(
            x0: 0, y0: 0, x1: size.columns * FixedPointRect.one, y1: size.rows * FixedPointRect.one)
        var picture = Picture(columns: size.columns, rows: size.rows, symbols: symbols)
        if settings.sharpness > 0 {
            var fine = Picture.fine(columns: size.columns, rows: size.rows, symbols: symbols)
            fine.draw(raster, at: whole)
            picture.condense(fine, sharpness: Float(settings.sharpness))
        } else {
            picture.draw(raster, at: whole)
        }
        picture.fill(under: RGB(0))
        var grid = CellGrid(columns: size.columns, rows: size.rows)
        CellRenderer(symbols: symbols, depth: settings.depth, options: settings.rendering).render(
            picture, into: &grid)
        try Output.write(format.bytes(grid, theme(at: nil)) ?? [], to: path)
        return ExitStatus.done
    }

    private func sized(_ raster: Raster) -> Raster {
        guard let asked = invocation[.size] else { return raster }
        let size = asked.pixels ?? (width: asked.columns * 8, height: asked.rows * 16)
        return PixelView.stretched(raster, width: size.width, height: size.height)
    }

    /// Checks the options on the command line. Those of the configuration file are for all pictures, so they
    /// may have no effect on this one.
    /// - Throws: `UsageError` for an option that would have no effect.
    static func checkOptions(
        of invocation: Invocation, _ format: PictureFormat, _ options: MapOptions
    ) throws(UsageError) {
        let typed = invocation.typedOptions
        func refuse(_ names: [String], _ reason: String) throws(UsageError) {
            guard let name = typed.first(where: names.contains) else { return }
            throw UsageError("--\(name) has no effect \(reason); omit it")
        }
        if invocation[.image] != nil {
            try refuse(mapOptions, "on --image, which draws no map")
            if let operand = invocation.operand {
                throw UsageError("--image draws no map; omit \(SafeText.sanitised(operand, limit: 80))")
            }
        }
        if format.hasPixels {
            try refuse(["symbols", "sharpen"], "on \(format.rawValue) output, which has no glyphs")
        }
        if format.hasAllColours || invocation.colors.map({ $0 != .indexed256 }) ?? false {
            try refuse(["mix"], "without --colors 256")
        }
        let isChosen = invocation[.format] != nil || invocation[.output] != nil
        if format == .text, isChosen, invocation.colors != .mono {
            try refuse(["colors"], "on text output; write ANSI instead")
        }
        if options.isLocalMap { try refuse(["tile-size", "scale"], "on a file or folder") }
        if options.isMapFile { try refuse(["tms"], "on a file, only on a folder") }
        if !invocation[.legend], !invocation[.hills], invocation[.contours] == nil {
            try refuse(["units"], "without --legend or --contours")
        }
        if invocation[.shownRoute] == nil { try refuse(["engine"], "without --route") }
        if invocation[.traffic] == nil { try refuse(["traffic-colors"], "without --traffic") }
        try refuse(["prefetch"], "on an image, for which nothing is fetched ahead")
        try refuse(["rate", "metered"], "on an image, which downloads no region")
        if !invocation[.offline] { try refuse(["pass-through"], "without --offline") }
        if invocation[.offline], invocation[.passThrough] == nil {
            try refuse(["user-agent", "ca-file", "cache-proxy-only"], "with --offline")
        }
        if options.sources.first != EmbeddedWorld.name {
            try refuse(["streets"], "on a map other than the built-in world")
        }
        if options.overlays.isEmpty { try refuse(["style-by", "ttl"], "without features, such as --over") }
    }

    /// The options of the map, by name.
    private static let mapOptions = [
        "center", "zoom", "width", "bbox", "tile-size", "scale", "tms", "quilt", "detail", "streets",
        "labels", "names", "grid", "at", "hills", "contours", "over", "gpsd", "style-by", "ttl", "traffic",
        "traffic-colors", "route", "engine", "terrain", "units", "legend", "frame",
    ]
}
