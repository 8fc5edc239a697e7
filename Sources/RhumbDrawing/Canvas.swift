internal import CCairo
internal import Glibc
internal import RhumbCore

/// A square of pixels for antialiased drawing. Coordinates are in pixels, y down.
struct Canvas: ~Copyable {
    let side: Int
    /// The memory in which Cairo draws: rows of 32-bit pixels.
    private let bytes: UnsafeMutableBufferPointer<UInt8>
    private let surface: OpaquePointer
    private let cairo: OpaquePointer

    /// Draws a raster on a transparent background.
    /// - Parameter side: Size in pixels, at least 1.
    /// - Returns: nil if memory ran out or Cairo failed.
    static func raster(side: Int, _ draw: (borrowing Canvas) -> Void) -> Raster? {
        var isDrawn = false
        var pixels = SparePixels.take(side * side * 4) ?? populatedPixels(side * side * 4)
        pixels.withUnsafeMutableBufferPointer { bytes in
            bytes.initialize(repeating: 0)
            guard VectorPainter.canDraw, let canvas = Canvas(side: side, bytes) else { return }
            draw(canvas)
            isDrawn = canvas.finish()
        }
        return isDrawn ? Raster(width: side, height: side, pixels: pixels) : nil
    }

    private init?(side: Int, _ bytes: UnsafeMutableBufferPointer<UInt8>) {
        let row = Int32(side * 4)
        guard
            let surface = rhumb_cairo_image_surface_create_for_data(
                bytes.baseAddress, CAIRO_FORMAT_ARGB32, Int32(side), Int32(side), row)
        else { return nil }
        guard rhumb_cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS,
            let cairo = rhumb_cairo_create(surface)
        else {
            rhumb_cairo_surface_destroy(surface)
            return nil
        }
        self.side = side
        self.bytes = bytes
        self.surface = surface
        self.cairo = cairo
        // Pixels are averaged into cells later, which makes better antialiasing invisible.
        rhumb_cairo_set_antialias(cairo, CAIRO_ANTIALIAS_FAST)
        rhumb_cairo_set_tolerance(cairo, 0.25)
    }

    deinit {
        rhumb_cairo_destroy(cairo)
        rhumb_cairo_surface_destroy(surface)
    }

    /// Limits all further drawing to a box of pixels.
    func clip(to box: PixelBox) {
        rhumb_cairo_rectangle(
            cairo, Double(box.x.lowerBound), Double(box.y.lowerBound), Double(box.x.count),
            Double(box.y.count))
        rhumb_cairo_clip(cairo)
    }

    /// Fills the whole canvas with a colour.
    func fill(_ colour: StyleColour) {
        use(colour)
        rhumb_cairo_paint(cairo)
    }

    /// Begins a new subpath.
    func move(to point: SIMD2<Double>) { rhumb_cairo_move_to(cairo, point.x, point.y) }

    func line(to point: SIMD2<Double>) { rhumb_cairo_line_to(cairo, point.x, point.y) }

    func close() { rhumb_cairo_close_path(cairo) }

    func circle(at centre: SIMD2<Double>, radius: Double) {
        rhumb_cairo_new_sub_path(cairo)
        rhumb_cairo_arc(cairo, centre.x, centre.y, radius, 0, 2 * .pi)
    }

    /// Fills the path and keeps it.
    func fillPath(_ colour: StyleColour, isEvenOdd: Bool) {
        use(colour)
        rhumb_cairo_set_fill_rule(cairo, isEvenOdd ? CAIRO_FILL_RULE_EVEN_ODD : CAIRO_FILL_RULE_WINDING)
        rhumb_cairo_fill_preserve(cairo)
    }

    /// Strokes the path and keeps it.
    func strokePath(_ stroke: Stroke) {
        use(stroke.colour)
        rhumb_cairo_set_line_width(cairo, stroke.width)
        rhumb_cairo_set_line_cap(cairo, stroke.cap.cairo)
        rhumb_cairo_set_line_join(cairo, stroke.join.cairo)
        rhumb_cairo_set_miter_limit(cairo, stroke.miterLimit)
        rhumb_cairo_set_dash(cairo, stroke.dashes, Int32(clamping: stroke.dashes.count), 0)
        rhumb_cairo_stroke_preserve(cairo)
    }

    /// Calls a closure with the Cairo context for other operations. The closure must restore any settings.
    func withContext(_ body: (OpaquePointer) -> Void) { body(cairo) }

    func clearPath() { rhumb_cairo_new_path(cairo) }

    /// Sets the source colour with red and blue exchanged, because Cairo's pixels begin with blue and
    /// rasters' with red.
    private func use(_ colour: StyleColour) {
        rhumb_cairo_set_source_rgba(cairo, colour.blue, colour.green, colour.red, colour.alpha)
    }

    /// Converts Cairo's pixels to straight alpha.
    /// - Returns: False if Cairo failed.
    private func finish() -> Bool {
        rhumb_cairo_surface_flush(surface)
        guard rhumb_cairo_status(cairo) == CAIRO_STATUS_SUCCESS else { return false }
        bytes.withMemoryRebound(to: UInt32.self) { pixels in
            guard pixels.reduce(.max, &) < 0xFF00_0000 else { return }
            for at in pixels.indices { pixels[at] = straight(pixels[at]) }
        }
        return true
    }
}

/// Returns memory for the pixels of a raster, which the kernel populates at once. Page faults on first write
/// would take nearly twice as long. Older kernels reject the request, which does no harm.
private func populatedPixels(_ size: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: size) { bytes, filled in
        let page = 4096, start = UInt(bitPattern: bytes.baseAddress) & ~UInt(page - 1)
        if size >= 64 * page {
            madvise(UnsafeMutableRawPointer(bitPattern: start), size, MADV_POPULATE_WRITE)
        }
        filled = size
    }
}

/// Converts a pixel from premultiplied to straight alpha. Alpha is in Cairo's highest byte.
private func straight(_ pixel: UInt32) -> UInt32 {
    let alpha = pixel >> 24
    if alpha == 255 { return pixel }
    guard alpha > 0 else { return 0 }
    func channel(_ shift: UInt32) -> UInt32 {
        min((pixel >> shift & 0xFF) * 255 + alpha / 2, 255 * alpha) / alpha
    }
    return channel(0) | channel(8) << 8 | channel(16) << 16 | alpha << 24
}

/// The appearance of a stroked path. Lengths are in pixels.
struct Stroke: Equatable {
    enum Cap: String { case butt, round, square }
    enum Join: String { case miter, round, bevel }

    var colour: StyleColour
    var width: Double
    var cap = Cap.butt
    var join = Join.miter
    var miterLimit = 2.0
    /// Lengths of alternating dashes and gaps; empty for a solid line.
    var dashes: [Double] = []

    /// Maximum distance of a mark from the path, including corners and ends.
    var reach: Double { width / 2 * max(join == .miter ? miterLimit : 1, cap == .square ? 1.5 : 1) }
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
