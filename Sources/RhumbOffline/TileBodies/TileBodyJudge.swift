internal import RhumbCore
internal import RhumbDrawing
internal import RhumbStore

/// Tells whether the body of a tile can be shown: asked before a region stores it, and when one is
/// checked.
public struct TileBodyJudge: Sendable {
    /// How closely bodies are looked at.
    public enum Depth: Sendable {
        /// Kind, size and whether nothing is cut off: some microseconds a tile.
        case structure
        /// All that drawing it would read.
        case content
    }

    /// What the source's tiles are.
    public let kind: TileBodyKind
    /// How much of a body is looked at.
    public let depth: Depth

    /// - Parameter kind: what the source's tiles are.
    public init(_ kind: TileBodyKind, depth: Depth = .structure) { (self.kind, self.depth) = (kind, depth) }

    /// What is wrong with a body; nil if it can be shown.
    public func fault(in body: [UInt8]) -> TileBodyFault? {
        do throws(TileBodyFault) {
            switch kind {
            case .picture(let side): try checkPicture(body, side)
            case .vectorTile: try checkVectorTile(body)
            case .either:
                if ImageKind(sniffing: body).isDecodable {
                    try checkPicture(body, nil)
                } else {
                    try checkVectorTile(body)
                }
            }
            return nil
        } catch {
            return error
        }
    }

    private func checkPicture(_ body: [UInt8], _ side: Int?) throws(TileBodyFault) {
        let header: ImageHeader
        do throws(ImageFailure) {
            header = try ImageHeader(ofWhole: body, limits: .tile)
            if depth == .content { _ = try SniffingDecoder().decode(body, limits: .tile) }
        } catch {
            throw .picture(error)
        }
        if let side, header.width != side || header.height != side {
            throw .pictureSize(width: header.width, height: header.height, side: side)
        }
    }

    private func checkVectorTile(_ body: [UInt8]) throws(TileBodyFault) {
        let plain: [UInt8]
        do {
            plain = Gzip.isWrapped(body) ? try Gzip.unpacked(body, limit: VectorTile.sizeLimit) : body
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
