package import RhumbCore
package import RhumbEngine

/// The description of an archive in its first bytes, independent of where its bytes are stored.
package protocol ArchiveIndex: Sendable {
    /// The section of the metadata, without bytes if there is none.
    var metadataSection: FileSection { get }
    /// The approximate size of all tiles in bytes.
    var tileBytes: UInt64 { get }
    /// True if tiles are compressed with Brotli or Zstandard, so that regions store them as gzip.
    var areTilesRepacked: Bool { get }
    /// True if a sample is unnecessary, because the archive declares vector tiles.
    var declaresVectorTiles: Bool { get }

    /// - Throws: `TileFailure` if the metadata exceeds the size limit.
    func checkMetadataSize() throws(TileFailure)

    /// Decodes the metadata.
    func metadata(_ packed: [UInt8]) throws(TileFailure) -> JSON

    /// The metadata of an archive without a section for it.
    var ownMetadata: JSON { get }

    /// Returns a tile's body decompressed.
    func body(_ stored: [UInt8], _ tile: String) throws(TileFailure) -> [UInt8]

    /// Returns a tile's body, made of sections of the file; nil if it shows nothing.
    func body(of tile: TileID, from parts: [FileSection: [UInt8]]) throws(TileFailure) -> [UInt8]?

    /// Returns the description of the archive.
    /// - Parameter body: The body of any tile; nil if unknown.
    func info(_ metadata: JSON, body: [UInt8]?, _ probe: TileProbe?) -> TileSourceInfo

    /// Returns the reason why the tiles can't be shown as pictures; nil if they can.
    func refusal(body: [UInt8]?) -> ArchiveFailure?
}

extension ArchiveIndex {
    /// False.
    package var areTilesRepacked: Bool { false }

    /// Empty.
    package var ownMetadata: JSON { [:] }

    /// Decompresses the only section.
    package func body(of tile: TileID, from parts: [FileSection: [UInt8]]) throws(TileFailure) -> [UInt8]? {
        try parts.first.map { (part) throws(TileFailure) in try body(part.value, "\(tile)") }
    }
}

extension FileSection {
    /// Returns the sentence about a section that a header puts outside of its file; nil if it is inside, or
    /// has no bytes. Callers join calls by `??`, because the compiler unrolls a loop over a list of sections
    /// in one of two orders, and two builds of the program then differ.
    /// - Parameters:
    ///   - part: The name of the section, such as "metadata".
    ///   - size: The size of the file in bytes; nil if unknown.
    func misfit(_ part: String, size: UInt64?) -> String? {
        guard claimsBytes, !fits(size: size) else { return nil }
        let have = size.map { "it has only \($0), so it is truncated" } ?? "no file is that large"
        return "its header puts the \(part) at bytes \(offset) + \(length), but \(have)"
    }
}
