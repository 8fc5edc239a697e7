public import RhumbCore
public import RhumbEngine
internal import RhumbHTTP
internal import RhumbOpening

/// The format of a source's tiles.
public enum TileContentKind: Sendable, Equatable {
    /// PNG, JPEG or WebP of any size.
    case picture
    /// Mapbox Vector Tiles, uncompressed or compressed with gzip or zlib.
    case vectorTile
    /// Images or vector tiles, detected by their first bytes.
    case either
}

/// The reason why a tile can't be drawn.
public enum TileDefect: Error, Sendable, Equatable, CustomStringConvertible {
    /// The image can't be decoded.
    case picture(ImageFailure)
    /// The vector tile can't be decoded.
    case vectorTile(VectorTileFailure)
    /// The compressed data is damaged, or too large once decompressed.
    case packing

    public var description: String {
        switch self {
        case .picture(let failure): "damaged image: \(failure)"
        case .vectorTile(let failure): "damaged vector tile: \(failure)"
        case .packing: "damaged vector tile: invalid gzip data"
        }
    }
}

extension SourceDefinition {
    /// The format of the source's tiles according to the definition; `either` for an archive.
    public var tileBodyKind: TileContentKind {
        if holdsVectorTiles { return .vectorTile }
        return kind == .archive ? .either : .picture
    }
}

extension TileLayer {
    /// The format of the source's tiles.
    var tileBodyKind: TileContentKind { vectorLayerNames != nil ? .vectorTile : .picture }
}
