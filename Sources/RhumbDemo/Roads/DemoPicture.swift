internal import RhumbCore
internal import RhumbDrawing

/// Raster tiles of the fictional road network, as PNG files.
enum DemoPicture {
    /// The core and outline colours of a line.
    typealias Paint = (core: RGB, edge: RGB)

    /// Draws the flow on the roads of a tile.
    /// - Parameters:
    ///   - width: The width of a line in pixels; main roads are slightly wider.
    ///   - paint: Returns the colours for a share of free flow on a road; nil to skip it.
    static func flow(
        _ tile: TileID, side: Int, moment: Int, width: Double, marker: String,
        paint: (Double, DemoRoad) -> Paint?
    ) -> [UInt8] {
        var canvas = TileCanvas(tile, side: side)
        let roads = DemoRoad.crossing(tile.box, upTo: tile.zoom + 2)
        for isCore in [false, true] {
            for road in roads {
                let own = width * (road.level + 3 <= tile.zoom ? 1.3 : 1) * Double(side) / 256
                for (from, to, middle) in pieces(of: road, tile) {
                    guard let paint = paint(road.flow(middle, moment: moment), road) else { continue }
                    canvas.line(
                        from: canvas.pixel(road.point(from)), to: canvas.pixel(road.point(to)),
                        width: isCore ? own : own + 2, isCore ? paint.core : paint.edge)
                }
            }
        }
        return file(canvas, marker)
    }

    /// Draws the incidents on the roads of a tile, each as the affected stretch with a disc at its centre.
    static func incidents(
        _ tile: TileID, side: Int, moment: Int, marker: String, paint: (Int) -> Paint
    ) -> [UInt8] {
        var canvas = TileCanvas(tile, side: side)
        let scale = Double(side) / 256
        let incidents = DemoIncident.near(margin(tile), upTo: tile.zoom + 2, moment: moment)
        for incident in incidents {
            let colours = paint(incident.magnitude)
            let pixels = incident.line.map(canvas.pixel)
            for (width, colour) in [(5.0, colours.edge), (3.0, colours.core)] {
                for (from, to) in zip(pixels, pixels.dropFirst()) {
                    canvas.line(from: from, to: to, width: width * scale, colour)
                }
            }
        }
        for incident in incidents {
            let colours = paint(incident.magnitude)
            let pixel = canvas.pixel(incident.place)
            canvas.disc(at: pixel, radius: 7 * scale, colours.edge)
            canvas.disc(at: pixel, radius: 5.5 * scale, colours.core)
            canvas.disc(at: pixel, radius: 2 * scale, RGB(0xFFFFFF))
        }
        return file(canvas, marker)
    }

    /// Splits a road into pieces of 1/64 of the tile, extending slightly beyond the tile's edges.
    private static func pieces(
        of road: DemoRoad, _ tile: TileID
    ) -> [(from: Double, to: Double, middle: Double)] {
        let box = tile.box, step = (box.maxX - box.minX) / 64
        let start = road.isMeridian ? box.minY : box.minX
        return (-1...64).map { at in
            let from = start + Double(at) * step
            return (from, from + step, from + step / 2)
        }
    }

    /// Returns the tile's box with a margin, because discs of neighbouring tiles extend into this one.
    private static func margin(_ tile: TileID) -> WorldBox {
        var box = tile.box
        let edge = (box.maxX - box.minX) / 16
        box.minX = box.minX - edge
        box.minY = box.minY - edge
        box.maxX = box.maxX + edge
        box.maxY = box.maxY + edge
        return box
    }

    private static func file(_ canvas: TileCanvas, _ marker: String) -> [UInt8] {
        guard let raster = canvas.raster, let file = try? PNGEncoder.encode(raster) else { return [] }
        return PNGText.inserting(marker, into: file)
    }
}

/// Inserts a text into a PNG file (ISO/IEC 15948, 11.3.3.2), so that tests can recognise the file wherever
/// its bytes are stored.
enum PNGText {
    /// Returns the file with a tEXt chunk, keyword "Comment", inserted before its end.
    static func inserting(_ text: String, into file: [UInt8]) -> [UInt8] {
        guard file.count > 12 else { return file }
        let content = Array("tEXtComment\0".utf8) + Array(text.utf8)
        let chunk =
            bigEndian(UInt32(truncatingIfNeeded: content.count - 4)) + content + bigEndian(checksum(content))
        return file.dropLast(12) + chunk + file.suffix(12)
    }

    private static func bigEndian(_ value: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }

    /// Returns the CRC-32 that PNG requires.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var remainder = UInt32.max
        for byte in bytes {
            remainder ^= UInt32(byte)
            for _ in 0..<8 { remainder = remainder >> 1 ^ (remainder & 1 == 1 ? 0xEDB8_8320 : 0) }
        }
        return ~remainder
    }
}
