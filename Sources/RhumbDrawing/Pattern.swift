internal import CCairo
internal import RhumbCore

/// An image that fills areas as a repeating pattern, aligned to the world so that tiles join without a seam.
struct Pattern: Equatable {
    let image: StyleImage
    let opacity: Double

    /// - Returns: nil if cells can only show the pattern's mean colour.
    init?(_ layer: StyleLayer, _ property: StyleProperty, opacity: Double, _ context: inout StyleContext) {
        guard opacity > 0, let image = layer.image(property, &context) else { return nil }
        self.image = image
        self.opacity = min(opacity, 1)
    }
}

/// The alignment of patterns on a canvas.
struct PatternGrid {
    /// The tile's north-western corner, in the style's pixels from that of the world.
    let corner: SIMD2<Double>
    /// The number of canvas pixels per pixel of the style.
    let ratio: Double
}

extension Canvas {
    /// Fills the path with a pattern and keeps the path.
    func fillPath(_ pattern: Pattern, _ grid: PatternGrid, isEvenOdd: Bool) {
        covering(pattern, grid) { cairo in
            rhumb_cairo_set_fill_rule(cairo, isEvenOdd ? CAIRO_FILL_RULE_EVEN_ODD : CAIRO_FILL_RULE_WINDING)
            rhumb_cairo_clip_preserve(cairo)
        }
    }

    /// Fills the whole canvas with a pattern.
    func fill(_ pattern: Pattern, _ grid: PatternGrid) { covering(pattern, grid) { _ in } }

    private func covering(_ pattern: Pattern, _ grid: PatternGrid, clip: (OpaquePointer) -> Void) {
        var bytes = pattern.image.raster.premultiplied
        let width = Int32(pattern.image.raster.width), height = Int32(pattern.image.raster.height)
        bytes.withUnsafeMutableBufferPointer { bytes in
            let surface = rhumb_cairo_image_surface_create_for_data(
                bytes.baseAddress, CAIRO_FORMAT_ARGB32, width, height, width * 4)
            defer { rhumb_cairo_surface_destroy(surface) }
            withContext { cairo in
                rhumb_cairo_save(cairo)
                clip(cairo)
                rhumb_cairo_set_source_surface(cairo, surface, 0, 0)
                let source = rhumb_cairo_get_source(cairo)
                rhumb_cairo_pattern_set_extend(source, CAIRO_EXTEND_REPEAT)
                rhumb_cairo_pattern_set_filter(source, CAIRO_FILTER_GOOD)
                var matrix = pattern.matrix(grid)
                rhumb_cairo_pattern_set_matrix(source, &matrix)
                rhumb_cairo_paint_with_alpha(cairo, pattern.opacity)
                rhumb_cairo_restore(cairo)
            }
        }
    }
}

extension Pattern {
    /// Returns the matrix from the canvas to the image.
    fileprivate func matrix(_ grid: PatternGrid) -> cairo_matrix_t {
        func phase(_ corner: Double, _ size: Double) -> Double {
            corner.truncatingRemainder(dividingBy: size) * image.pixelRatio
        }
        var matrix = cairo_matrix_t()
        let scale = image.pixelRatio / grid.ratio
        rhumb_cairo_matrix_init(
            &matrix, scale, 0, 0, scale, phase(grid.corner.x, image.size.x),
            phase(grid.corner.y, image.size.y))
        return matrix
    }
}

extension Raster {
    /// The pixels with premultiplied alpha in a raster's channel order. As on a canvas, Cairo's red and blue
    /// are exchanged.
    fileprivate var premultiplied: [UInt8] {
        var bytes = pixels
        for at in stride(from: 0, to: bytes.count, by: 4) where bytes[at + 3] < 255 {
            for channel in at..<at + 3 {
                bytes[channel] = UInt8((Int(bytes[channel]) * Int(bytes[at + 3]) + 127) / 255)
            }
        }
        return bytes
    }
}
