public import RhumbCore
public import RhumbEngine
internal import RhumbHTTP
internal import RhumbOpening

/// What the tiles of a source are.
public enum TileBodyKind: Sendable, Equatable {
    /// PNG, JPEG or WebP of so many pixels a side; nil: of any size.
    case picture(side: Int?)
    /// Mapbox Vector Tiles, plain or packed with gzip or zlib.
    case vectorTile
    /// Either of the two: their first bytes tell.
    case either
}

/// Why a tile's body can't be shown.
public enum TileBodyFault: Error, Sendable, Equatable, CustomStringConvertible {
    /// It is no picture that can be drawn.
    case picture(ImageFailure)
    /// It is a picture of another size than the source's tiles have.
    case pictureSize(width: Int, height: Int, side: Int)
    /// It is no vector tile that can be drawn.
    case vectorTile(VectorTileFailure)
    /// Its gzip data are damaged, or too large once unpacked.
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
    /// What its tiles are, as far as its definition tells: not of an archive.
    public var tileBodyKind: TileBodyKind {
        if holdsVectorTiles { return .vectorTile }
        return kind == .pmtiles ? .either : .picture(side: isTileSizeAssumed ? nil : tileSize.rawValue)
    }
}

extension TileLayer {
    /// What the tiles of its source are. An archive's pictures may be of any size, as may those
    /// that pictures are made of.
    var tileBodyKind: TileBodyKind {
        if vectorLayerNames != nil { return .vectorTile }
        let isKnown = drawing == nil && source is WebTileSource && !info.isTileSizeAssumed
        return .picture(side: isKnown ? tileSize.rawValue : nil)
    }
}
