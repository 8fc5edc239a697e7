/// Opens tile archives by their contents, whatever their names.
public enum Archive {
    /// Opens an MBTiles file, a GeoPackage of tiles, a PMTiles file or a folder of tiles.
    /// - Parameter probe: Reads the size of tiles in pixels; nil to assume 256.
    /// - Throws: `ArchiveFailure`, which names the apparent type of another file.
    public static func open(
        _ path: String, probe: TileProbe? = nil
    ) throws(ArchiveFailure) -> any TileArchive {
        switch try FileKind.of(path) {
        case .folder: try TileFolder(path, probe: probe)
        case .sqlite: try MBTilesArchive(path, probe: probe)
        case .pmtiles: try PMTilesArchive(path, probe: probe)
        case .other(let name): throw notAnArchive(path, name)
        }
    }

    /// Opens an archive to show its tiles.
    /// - Throws: `ArchiveFailure`, also for an archive whose tiles are no pictures Rhumb draws.
    public static func openSource(
        _ path: String, probe: TileProbe? = nil
    ) throws(ArchiveFailure) -> any TileArchive {
        let archive = try open(path, probe: probe)
        if let refusal = archive.refusal { throw refusal }
        return archive
    }

    private static func notAnArchive(_ path: String, _ name: String) -> ArchiveFailure {
        ArchiveFailure(
            path, .notRecognised, "this is \(name), not a tile archive",
            "use an MBTiles, PMTiles or GeoPackage file, or a folder of z/x/y tiles")
    }
}
