internal import RhumbCore
internal import RhumbEngine
internal import RhumbHTTP
internal import RhumbStore

/// Finds the tiles of one edition of a remote archive. It reads the parts of the directory that it needs.
protocol ArchiveDirectory: Sendable {
    /// Returns the sections of a tile's body; empty if there is no such tile, or it has no content.
    func sections(of tile: TileID) async throws(RangeFailure) -> [FileSection]

    /// Returns the sections to read for a tile of the archive, which the last one contains; empty if there is
    /// no tile, or a sample is unnecessary.
    func sampleSections() async throws(RangeFailure) -> [FileSection]

    /// The sections that were read when the archive was opened, besides its first bytes.
    var openingSections: [FileSection] { get }

    /// The loader of the sections of tiles, if tiles share them; nil to load each by itself.
    var loader: SectionLoader? { get }
}

extension ArchiveDirectory {
    /// None.
    nonisolated var openingSections: [FileSection] { [] }
    /// None.
    nonisolated var loader: SectionLoader? { nil }
}

extension RangeFailure {
    /// Runs a decoder, and converts its failure.
    static func of<Value>(_ body: () throws(TileFailure) -> Value) throws(RangeFailure) -> Value {
        do throws(TileFailure) { return try body() } catch { throw .failed(error) }
    }
}
