public import RhumbCore
public import RhumbEngine

/// Reads the kind and size of a picture from its first bytes: kind as "PNG", sides in pixels;
/// nil if the bytes begin no picture it knows. The image decoders provide it.
public typealias TileProbe = @Sendable ([UInt8]) -> (kind: String, width: Int, height: Int)?

/// A file or folder of map tiles: a data source that can also be inspected.
public protocol TileArchive: TileLayerDataSource {
    /// What is known of it before a tile was read.
    var info: TileSourceInfo { get }
    /// All it says about itself: an object, as it came; texts may hold anything.
    var metadata: JSON { get }
    /// Why it can't be shown as pictures; nil if it can.
    var refusal: ArchiveFailure? { get }

    /// Names each tile it has once, those of the coarsest zoom first, whatever zooms and bounds it claims.
    /// - Throws: `ArchiveFailure` if they can't be listed, or what `body` throws.
    func eachTile(_ body: (TileID) throws -> Void) throws

    /// Goes through all tiles. Memory stays bounded: some 250 bytes for a distinct tile.
    /// - Parameter decode: makes pixels of a tile, or nil if it can't; with it tiles of one
    ///   colour are counted and damaged pictures found. Nil: neither, and it is far faster.
    /// - Throws: `ArchiveFailure` if nothing can be read. Damage met on the way is counted in the
    ///   result instead.
    func inspect(decode: TileDecode?) throws(ArchiveFailure) -> ArchiveInspection
}

/// Makes the pixels of an encoded picture, or nil if it can't.
public typealias TileDecode = @Sendable ([UInt8]) -> Raster?

/// Opens tile archives whatever they are called: their content tells what they are.
public enum Archive {
    /// Opens an MBTiles file, a GeoPackage of tiles, a PMTiles file or a folder of tiles.
    /// - Parameter probe: tells the tiles' size in pixels; nil: 256 is assumed.
    /// - Throws: `ArchiveFailure`, which names what the file seems to be instead.
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
