internal import RhumbDrawing
package import RhumbStore

/// Opens archives with a reader for the kind and size of their images.
package enum TileProbes {
    /// - Parameter isTMS: a folder's rows count from the south.
    package static func open(_ path: String, isTMS: Bool) throws(ArchiveFailure) -> any TileArchive {
        isTMS ? try TileFolder(path, scheme: .tms, probe: header) : try Archive.open(path, probe: header)
    }

    /// Reads the beginning of a picture.
    package static let header: TileProbe = { bytes in
        guard let header = try? ImageHeader(reading: bytes) else { return nil }
        return (header.kind.rawValue, header.width, header.height)
    }

    /// A file's name without folders and extension.
    package static func stem(_ path: String) -> String {
        let name = path.split(separator: "/").last ?? ""
        return String(name.prefix { $0 != "." })
    }
}
