internal import CCairo
internal import RhumbCore

/// A square of pixels that shapes are drawn on, antialiased; coordinates are pixels, y down.
struct Canvas: ~Copyable {
    let side: Int
    private let surface: OpaquePointer
    private let cairo: OpaquePointer

    /// nil if Cairo has no memory for it.
    init?(side: Int) {
        guard let surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, Int32(side), Int32(side)) else { return nil }
        guard cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS, let cairo = cairo_create(surface) else {
            cairo_surface_destroy(surface)
            return nil
        }
        self.side = side
        self.surface = surface
        self.cairo = cairo
        // Pixels are averaged into cells: the finest antialiasing would be lost.
        cairo_set_antialias(cairo, CAIRO_ANTIALIAS_FAST)
        cairo_set_tolerance(cairo, 0.25)
    }

    deinit {
        cairo_destroy(cairo)
        cairo_surface_destroy(surface)
    }

    /// Covers everything with a colour.
    func fill(_ colour: StyleColour) {
        use(colour)
        cairo_paint(cairo)
    }

    /// Begins a new part of the path.
    func move(to point: SIMD2<Double>) { cairo_move_to(cairo, point.x, point.y) }

    func line(to point: SIMD2<Double>) { cairo_line_to(cairo, point.x, point.y) }

    func close() { cairo_close_path(cairo) }

    func circle(at centre: SIMD2<Double>, radius: Double) {
        cairo_new_sub_path(cairo)
        cairo_arc(cairo, centre.x, centre.y, radius, 0, 2 * .pi)
    }

    /// Fills the path; it stays.
    func fillPath(_ colour: StyleColour, isEvenOdd: Bool) {
        use(colour)
        cairo_set_fill_rule(cairo, isEvenOdd ? CAIRO_FILL_RULE_EVEN_ODD : CAIRO_FILL_RULE_WINDING)
        cairo_fill_preserve(cairo)
    }

    /// Strokes the path; it stays.
    func strokePath(_ stroke: Stroke) {
        use(stroke.colour)
        cairo_set_line_width(cairo, stroke.width)
        cairo_set_line_cap(cairo, stroke.cap.cairo)
        cairo_set_line_join(cairo, stroke.join.cairo)
        cairo_set_miter_limit(cairo, stroke.miterLimit)
        cairo_set_dash(cairo, stroke.dashes, Int32(clamping: stroke.dashes.count), 0)
        cairo_stroke_preserve(cairo)
    }

    func clearPath() { cairo_new_path(cairo) }

    private func use(_ colour: StyleColour) {
        cairo_set_source_rgba(cairo, colour.red, colour.green, colour.blue, colour.alpha)
    }

    /// The picture; nil if Cairo failed on the way.
    consuming func raster() -> Raster? {
        cairo_surface_flush(surface)
        guard cairo_status(cairo) == CAIRO_STATUS_SUCCESS, let start = cairo_image_surface_get_data(surface)
        else { return nil }
        let stride = Int(cairo_image_surface_get_stride(surface)), side = side
        let pixels = [UInt8](unsafeUninitializedCapacity: side * side * 4) { target, filled in
            for row in 0..<side {
                let source = UnsafeRawPointer(start + row * stride).assumingMemoryBound(to: UInt32.self)
                for column in 0..<side {
                    let pixel = straight(UInt32(source[column]))
                    UnsafeMutableRawBufferPointer(target)
                        .storeBytes(of: pixel, toByteOffset: (row * side + column) * 4, as: UInt32.self)
                }
            }
            filled = side * side * 4
        }
        return Raster(width: side, height: side, pixels: pixels)
    }
}

/// From Cairo's word, alpha highest and multiplied in, to red first in memory and straight alpha.
private func straight(_ pixel: UInt32) -> UInt32 {
    let alpha = pixel >> 24
    if alpha == 255 { return (pixel & 0xFF00_FF00 | pixel << 16 & 0xFF_0000 | pixel >> 16 & 0xFF).littleEndian }
    guard alpha > 0 else { return 0 }
    func channel(_ shift: UInt32) -> UInt32 { min((pixel >> shift & 0xFF) * 255 + alpha / 2, 255 * alpha) / alpha }
    return (channel(16) | channel(8) << 8 | channel(0) << 16 | alpha << 24).littleEndian
}

/// How a path is stroked; lengths in pixels.
struct Stroke: Equatable {
    enum Cap: String { case butt, round, square }
    enum Join: String { case miter, round, bevel }

    var colour: StyleColour
    var width: Double
    var cap = Cap.butt
    var join = Join.miter
    var miterLimit = 2.0
    /// Lengths of strokes and gaps by turns; empty for an unbroken line.
    var dashes: [Double] = []
}

extension Stroke.Cap {
    fileprivate var cairo: cairo_line_cap_t {
        switch self {
        case .butt: CAIRO_LINE_CAP_BUTT
        case .round: CAIRO_LINE_CAP_ROUND
        case .square: CAIRO_LINE_CAP_SQUARE
        }
    }
}

extension Stroke.Join {
    fileprivate var cairo: cairo_line_join_t {
        switch self {
        case .miter: CAIRO_LINE_JOIN_MITER
        case .round: CAIRO_LINE_JOIN_ROUND
        case .bevel: CAIRO_LINE_JOIN_BEVEL
        }
    }
}
