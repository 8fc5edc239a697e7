internal import RhumbCore
internal import RhumbDrawing
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
        let plain: [UInt8]
        do {
            plain = try Gzip.unwrapped(body, limit: VectorTile.sizeLimit)
        } catch {
            throw .packing
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
