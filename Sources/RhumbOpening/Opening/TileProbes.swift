internal import RhumbCore
internal import RhumbDrawing
package import RhumbStore

/// Opens archives with a reader for the kind and size of their images.
package enum TileProbes {
    /// Opens an archive or a folder.
    /// - Parameters:
    ///   - isTMS: True if the rows of a folder count from the south. Those of files always do.
    ///   - isTerrain: True if a GeoTIFF is a terrain model, whatever its name and unit.
    package static func open(
        _ path: String, isTMS: Bool, isTerrain: Bool = false
    ) throws(ArchiveFailure) -> any TileArchive {
        if isTMS, Files.isFolder(path) { return try TileFolder(path, scheme: .tms, probe: header) }
        let file = try? FileBytes(path)
        let head = try? file.map { try $0.read(offset: 0, count: Int(min($0.size, 8))) }
        if let head, [.tiff, .bigTIFF].contains(FileSignature(head)) {
            return try GeoTIFFArchive(path, name: stem(path), isTerrain: isTerrain)
        }
        return try Archive.open(path, probe: header)
    }

    /// Reads the kind and size of an image from its first bytes.
    package static let header: TileProbe = { bytes in
        guard let header = try? ImageHeader(reading: bytes) else { return nil }
        return (header.kind.rawValue, header.width, header.height)
    }

    /// Returns a file's name without folders and extension.
    package static func stem(_ path: String) -> String {
        String(path.lastPathName.prefix { $0 != "." })
    }
}
