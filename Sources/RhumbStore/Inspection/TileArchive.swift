public import RhumbCore
public import RhumbEngine

/// A file or folder of map tiles: a data source that can also be inspected.
public protocol TileArchive: TileLayerDataSource {
    /// The description before any tile is read.
    var info: TileSourceInfo { get }
    /// All metadata as an object, unchanged; strings are not sanitised.
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
