internal import RhumbCore
internal import RhumbEngine

/// Removes the compression of tile bodies.
enum TileBody {
    /// Returns the decompressed body; empty for a body without bytes.
    /// - Parameter declared: The compression that the archive declares.
    /// - Throws: `TileFailure` naming the tile if it is damaged or too large.
    static func unwrapped(
        _ bytes: [UInt8], _ tile: String, in file: String, _ declared: Compression = .unknown
    ) throws(TileFailure) -> [UInt8] {
        guard !bytes.isEmpty else { return [] }
        let compression = declared.actual(of: bytes)
        if let package = compression.missingPackage {
            throw bad(
                tile, file, "is compressed with \(compression.name); install the Debian package \(package)")
        }
        do {
            return try compression.unpacked(bytes)
        } catch .tooLarge {
            throw bad(tile, file, "decompresses to more than \(Gzip.limit >> 20) MiB")
        } catch {
            throw bad(tile, file, "has invalid \(compression.name) data")
        }
    }

    static func bad(_ tile: String, _ file: String, _ problem: String) -> TileFailure {
        TileFailure(
            .badContent, "tile \(tile) of \(SafeText.sanitised(file)): it \(problem)", remedy: .inspectArchive
        )
    }

    /// Returns the size of a tile; nil if it is unknown or unsupported.
    static func size(of body: [UInt8]?, _ probe: TileProbe?) -> TileSize? {
        guard let body, let picture = probe?(body) else { return nil }
        return TileSize(rawValue: picture.width)
    }
}
