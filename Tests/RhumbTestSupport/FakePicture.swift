public import Rhumb

/// Returns a real PNG of 8×8 pixels with a different pattern for every tile.
public func fakePicture(_ tile: TileID, side: Int = 8) -> [UInt8] {
    let seed = UInt8(truncatingIfNeeded: tile.x &* 31 &+ tile.y &* 17 &+ tile.zoom)
    var pixels = (0..<side * side).flatMap { at -> [UInt8] in
        [UInt8(truncatingIfNeeded: at), seed, UInt8(tile.zoom), 255]
    }
    pixels[2] = UInt8(truncatingIfNeeded: tile.x)
    pixels[6] = UInt8(truncatingIfNeeded: tile.y)
    return encoded(Raster(width: side, height: side, pixels: pixels))
}

/// Returns a real PNG of one colour.
public func blankPicture(_ colour: RGB, side: Int = 8) -> [UInt8] {
    encoded(Raster(width: side, height: side, filledWith: colour))
}

private func encoded(_ raster: Raster?) -> [UInt8] {
    raster.flatMap { try? PNGEncoder.encode($0) } ?? []
}

/// Reads image headers with the real readers.
public let imageProbe: TileProbe = { bytes in
    (try? ImageHeader(reading: bytes)).map { ($0.kind.rawValue, $0.width, $0.height) }
}

/// Decodes images with the real decoders.
public let imageDecode: TileDecode = { bytes in
    try? SniffingDecoder().decode(bytes, limits: .tile)
}
