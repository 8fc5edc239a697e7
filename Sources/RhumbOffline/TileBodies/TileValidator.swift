public import RhumbCore
internal import RhumbDrawing
public import RhumbEngine
internal import RhumbHTTP
internal import RhumbOpening
internal import RhumbStore

/// Checks that a tile's content can be drawn, both before a region stores it and when a region is checked.
public struct TileValidator: Sendable {
    /// The depth of a check.
    public enum Depth: Sendable {
        /// Checks the format, the size and for truncation. Takes a few microseconds per tile.
        case structure
        /// Decodes everything that drawing needs.
        case content
    }

    /// The format of the source's tiles.
    public let kind: TileContentKind
    /// The depth of the check.
    public let depth: Depth

    /// - Parameter kind: The format of the source's tiles.
    public init(_ kind: TileContentKind, depth: Depth = .structure) {
        self.kind = kind
        self.depth = depth
    }

    /// Returns the defect of a tile's content; nil if it can be drawn.
    public func fault(in body: [UInt8]) -> TileDefect? {
        do throws(TileDefect) {
            switch kind {
            case .picture: try checkPicture(body)
            case .vectorTile: try checkVectorTile(body)
            case .either:
                if ImageKind(sniffing: body).isDecodable {
                    try checkPicture(body)
                } else {
                    try checkVectorTile(body)
                }
            }
            return nil
        } catch {
            return error
        }
    }

    private func checkPicture(_ body: [UInt8]) throws(TileDefect) {
        do throws(ImageFailure) {
            _ = try ImageHeader(ofWhole: body, limits: .tile)
            if depth == .content { try SniffingDecoder().check(body, limits: .tile) }
        } catch {
            throw .picture(error)
        }
    }

    private func checkVectorTile(_ body: [UInt8]) throws(TileDefect) {
        let plain = try converting(Gzip.unwrapped(body, limit: VectorTile.sizeLimit)) {
            (_: Gzip.Failure) in TileDefect.packing
        }
        do throws(VectorTileFailure) {
            let tile = try VectorTile(plain)
            guard depth == .content else { return }
            for name in tile.layerNames { _ = try tile.layer(named: name) }
        } catch {
            throw .vectorTile(error)
        }
    }
}

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
