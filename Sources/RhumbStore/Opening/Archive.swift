/// Opens tile archives, detecting the format by content and not by name.
public enum Archive {
    /// Opens an MBTiles file, a GeoPackage with tiles, a PMTiles file, a VersaTiles container or a folder of
    /// tiles.
    /// - Parameter probe: Reads the size of tiles in pixels; nil to assume 256.
    /// - Throws: `ArchiveFailure`, which names the detected format if it isn't an archive.
    public static func open(
        _ path: String, probe: TileProbe? = nil
    ) throws(ArchiveFailure) -> any TileArchive {
        switch try FileKind.of(path) {
        case .folder: try TileFolder(path, probe: probe)
        case .sqlite: try MBTilesArchive(path, probe: probe)
        case .pmTiles: try PMTilesArchive(path, probe: probe)
        case .versatiles: try VersaTilesArchive(path, probe: probe)
        case .convertible(let name, let advice):
            throw ArchiveFailure(path, .notRecognised, "this is \(name)", advice)
        case .other(let name): throw notAnArchive(path, name)
        }
    }

    private static func notAnArchive(_ path: String, _ name: String) -> ArchiveFailure {
        ArchiveFailure(
            path, .notRecognised, "this is \(name), not a tile archive",
            "use an MBTiles, PMTiles, VersaTiles or GeoPackage file, or a folder of z/x/y tiles")
    }
}
