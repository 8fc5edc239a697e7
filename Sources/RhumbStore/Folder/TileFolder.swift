internal import Glibc
public import RhumbCore
public import RhumbEngine

/// A folder of tiles, "zoom/column/row.png" (or .jpg, .jpeg, .webp, also mixed; or .pbf, .mvt). A
/// metadata.json or tiles.json in it is read for name, attribution, bounds and scheme.
public final class TileFolder: TileArchive {
    /// The direction in which rows are counted.
    public enum Scheme: String, Sendable {
        /// From the north.
        case xyz
        /// From the south.
        case tms
    }

    /// The description of the source, as far as files have it.
    public let info: TileSourceInfo
    /// The contents of the JSON file in the folder; empty if there is none.
    public let metadata: JSON
    /// The direction in which its rows are counted.
    public let scheme: Scheme
    /// That its tiles are vector tiles, if they are.
    public let refusal: ArchiveFailure?
    let path: String
    let probe: TileProbe?

    /// Opens a folder.
    /// - Parameters:
    ///   - scheme: how rows are counted; nil: as the JSON file says, else from the north.
    ///   - probe: tells the tiles' size in pixels; nil: 256 is assumed.
    /// - Throws: `ArchiveFailure`, also if there are no tiles in it.
    public init(_ path: String, scheme: Scheme? = nil, probe: TileProbe? = nil) throws(ArchiveFailure) {
        let listing = FolderListing(path: path)
        let zooms = try listing.zooms()
        guard let first = zooms.first, let last = zooms.last else {
            throw ArchiveFailure(
                path, .notRecognised, "no tiles in this folder",
                "use a folder with files such as 3/4/2.png (zoom/column/row)")
        }
        metadata = TileFolder.readMetadata(path)
        let scheme = scheme ?? metadata["scheme"]?.string.flatMap(Scheme.init) ?? .xyz
        let description = ArchiveDescription(metadata: metadata)
        self.path = path
        self.probe = probe
        self.scheme = scheme
        let found = listing.bounds(zooms, scheme)
        let declared = description.bounds.flatMap { box in
            found.map { box.overlaps($0) } == false ? nil : box
        }
        let body = listing.anyTile(zooms).flatMap { TileFolder.contents($0, limit: Gzip.limit) }
        let isVector =
            body.flatMap { try? TileBody.unwrapped($0, "", in: path) }.map { TileKind(of: $0) == .vector }
            ?? false
        refusal = isVector ? .vectorTiles(path) : nil
        info = description.info(
            fallbackName: baseName(path), zooms: first...last, bounds: declared ?? found,
            tileSize: TileBody.size(of: body, probe) ?? .pixels256)
    }

    private static func readMetadata(_ path: String) -> JSON {
        for name in ["metadata.json", "tiles.json", "tilejson.json"] {
            guard let bytes = contents(path + "/" + name, limit: 4 << 20) else { continue }
            if let parsed = try? JSON.parse(bytes), parsed.object != nil { return parsed }
        }
        return [:]
    }

    /// A regular file's bytes; nil if it can't be read or is larger than `limit`.
    static func contents(_ path: String, limit: Int) -> [UInt8]? {
        guard let file = try? FileBytes(path), file.size <= UInt64(limit) else { return nil }
        return try? file.read(offset: 0, count: Int(file.size))
    }

    /// Returns true if the folder has tiles of that zoom.
    public func hasTile(_ tile: TileID) -> Bool { info.zooms.contains(tile.zoom) }

    /// The tile's file.
    /// - Throws: `TileFailure`: `badContent` if it is empty or damaged, `unreadable` if it may
    ///   not be read.
    public func tile(_ tile: TileID) throws(TileFailure) -> TileAnswer? {
        guard let file = file(of: tile) else { return .absent }
        return .bitmap(.encoded(try body(file, tile)))
    }

    /// The path of a tile's file; nil where there is none.
    func file(of tile: TileID) -> String? {
        let row = scheme == .tms ? tile.tmsRow : tile.y
        let stem = "\(path)/\(tile.zoom)/\(tile.x)/\(row)."
        return FolderListing.endings.first { access(stem + $0, F_OK) == 0 }.map { stem + $0 }
    }

    private func body(_ path: String, _ tile: TileID) throws(TileFailure) -> [UInt8] {
        let file: FileBytes
        do throws(ArchiveFailure) {
            file = try FileBytes(path)
        } catch {
            throw TileFailure(.unreadable, error.description)
        }
        guard file.size <= UInt64(Gzip.limit) else {
            throw TileBody.bad("\(tile)", self.path, "is larger than \(Gzip.limit >> 20) MiB")
        }
        let stored = try file.read(offset: 0, count: Int(file.size))
        return try TileBody.unwrapped(stored, "\(tile)", in: self.path)
    }
}
