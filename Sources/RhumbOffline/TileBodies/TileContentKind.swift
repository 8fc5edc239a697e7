public import RhumbCore
public import RhumbEngine
internal import RhumbHTTP
internal import RhumbOpening

/// The format of a source's tiles.
public enum TileContentKind: Sendable, Equatable {
    /// PNG, JPEG or WebP of `side` × `side` pixels; nil for any size.
    case picture(side: Int?)
    /// Mapbox Vector Tiles, uncompressed or compressed with gzip or zlib.
    case vectorTile
    /// Images or vector tiles, detected by their first bytes.
    case either
}

/// The reason why a tile can't be drawn.
public enum TileDefect: Error, Sendable, Equatable, CustomStringConvertible {
    /// The image can't be decoded.
    case picture(ImageFailure)
    /// The image's size differs from that of the source's tiles.
    case pictureSize(width: Int, height: Int, side: Int)
    /// The vector tile can't be decoded.
    case vectorTile(VectorTileFailure)
    /// The compressed data is damaged, or too large once decompressed.
    case packing

    public var description: String {
        switch self {
        case .picture(let failure): "damaged image: \(failure)"
        case .pictureSize(let width, let height, let side):
            "damaged image: \(width)×\(height) pixels, expected \(side)×\(side)"
        case .vectorTile(let failure): "damaged vector tile: \(failure)"
        case .packing: "damaged vector tile: invalid gzip data"
        }
    }
}

extension SourceDefinition {
    /// The format of the source's tiles according to the definition; `either` for a PMTiles archive.
    public var tileBodyKind: TileContentKind {
        if holdsVectorTiles { return .vectorTile }
        return kind == .pmtiles ? .either : .picture(side: isTileSizeAssumed ? nil : tileSize.rawValue)
    }
}

extension TileLayer {
    /// The format of the source's tiles. Images in archives, and images from which others are computed, may
    /// have any size.
    var tileBodyKind: TileContentKind {
        if vectorLayerNames != nil { return .vectorTile }
        let isKnown = drawing == nil && source is WebTileSource && !info.isTileSizeAssumed
        return .picture(side: isKnown ? tileSize.rawValue : nil)
    }
}
