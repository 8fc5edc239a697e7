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

    /// Calls a function once for each tile in the file, coarsest zoom first, also outside the declared zooms
    /// and bounds.
    /// - Throws: `ArchiveFailure` if they can't be listed, or what `body` throws.
    func eachTile(_ body: (TileID) throws -> Void) throws

    /// Inspects all tiles. Needs about 250 bytes of memory for each distinct tile.
    /// - Parameter decode: Decodes a tile, or returns nil for a damaged one, to count tiles of one colour and
    ///   damaged pictures. Nil to count neither, which is much faster.
    /// - Throws: `ArchiveFailure` if nothing can be read. The result counts damaged parts.
    func inspect(decode: TileDecode?) throws(ArchiveFailure) -> ArchiveInspection
}

/// Makes the pixels of an encoded picture, or nil if it can't.
public typealias TileDecode = @Sendable ([UInt8]) -> Raster?
