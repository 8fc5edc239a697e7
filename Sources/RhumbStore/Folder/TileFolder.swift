internal import Glibc
public import RhumbCore
public import RhumbEngine

/// A folder of tiles, "zoom/column/row.png". The extensions .jpg, .jpeg, .webp, .pbf and .mvt also work, even
/// mixed. The name, attribution, bounds and scheme are read from a metadata.json, tiles.json or tilejson.json
/// in it. Without a scheme there, rows count from the south beside a tilemapresource.xml, a leaflet.html or
/// openlayers.html that says so, or if only then the tiles are inside of the declared bounds.
public final class TileFolder: TileArchive {
    /// The direction in which rows are counted.
    public enum Scheme: String, Sendable {
        /// From the north.
        case xyz
        /// From the south.
        case tms
    }

    /// The description of the map, from the JSON file and the file names.
    public let info: TileSourceInfo
    /// The content of the folder's JSON file; empty if there is none.
    public let metadata: JSON
    /// The direction in which the folder's rows are counted.
    public let scheme: Scheme
    /// The error for a folder of vector tiles; nil for pictures.
    public let refusal: ArchiveFailure?
    /// The path, as given.
    public let path: String
    /// Reads the size of tiles in pixels; nil to assume 256.
    public let probe: TileProbe?
    /// The name of the format.
    public let format = "folder"

    /// Opens a folder.
    /// - Parameters:
    ///   - scheme: The direction of rows; nil to detect it.
    ///   - probe: Reads the size of tiles in pixels; nil to assume 256.
    /// - Throws: `ArchiveFailure`, also if the folder has no tiles.
    public init(_ path: String, scheme: Scheme? = nil, probe: TileProbe? = nil) throws(ArchiveFailure) {
        let listing = FolderListing(path: path)
        let zooms = try listing.zooms()
        guard let first = zooms.first, let last = zooms.last else {
            throw ArchiveFailure(
                path, .notRecognised, "no tiles in this folder",
                "use a folder with files such as 3/4/2.png (zoom/column/row)")
        }
        metadata = TileFolder.readMetadata(path)
        let description = ArchiveDescription(metadata: metadata)
        let stated = try scheme == nil ? TileFolder.scheme(path, metadata) : scheme
        let scheme = stated ?? listing.scheme(zooms, description) ?? .xyz
        self.path = path
        self.probe = probe
        self.scheme = scheme
        let found = listing.bounds(zooms, scheme)
        let declared = description.bounds.flatMap { box in
            found.map { box.overlaps($0) } == false ? nil : box
        }
        let tile = listing.anyTile(zooms), body = tile.flatMap { TileFolder.contents($0, limit: Gzip.limit) }
        // A damaged picture may look like a vector tile.
        let ending = tile?.split(separator: ".").last.map(String.init) ?? ""
        let isVector =
            TileKind(declared: ending)?.isPicture != true
            && body.flatMap { try? TileBody.unwrapped($0, "", in: path) }.map { TileKind(of: $0).isVector }
                ?? false
        refusal = isVector ? .vectorTiles(path) : nil
        info = description.info(
            fallbackName: baseName(path), zooms: first...last, bounds: declared ?? found,
            tileSize: TileBody.size(of: body, probe) ?? .pixels256)
    }

    /// Returns the scheme in the JSON file, or that of the files which gdal2tiles writes beside tiles; nil if
    /// there are none.
    /// - Throws: `ArchiveFailure` if these describe tiles in another projection.
    private static func scheme(_ path: String, _ metadata: JSON) throws(ArchiveFailure) -> Scheme? {
        if let scheme = (metadata["scheme"]?.string?.lowercased()).flatMap(Scheme.init) { return scheme }
        func text(_ name: String) -> String? {
            contents(path + "/" + name, limit: 4 << 20).map { String(decoding: $0, as: UTF8.self) }
        }
        if let map = text("tilemapresource.xml") {
            let profile = map.firstRange(of: "profile=\"").map { map[$0.upperBound...].prefix { $0 != "\"" } }
            guard let profile, !profile.hasSuffix("mercator") else { return .tms }
            throw ArchiveFailure(
                path, .unsupported,
                "its tilemapresource.xml has the profile \"\(SafeText.sanitised(String(profile), limit: 40))\"",
                "make the tiles with the profile mercator of gdal2tiles.py")
        }
        let marks = [
            "leaflet.html": ["tms:true", "tms:1,", "tms:1}"], "openlayers.html": ["{-y}", "Layer.TMS("],
        ]
        return marks.contains { name, marks in
            let page = text(name)?.filter { !$0.isWhitespace } ?? ""
            return marks.contains { page.contains($0) }
        } ? .tms : nil
    }

    private static func readMetadata(_ path: String) -> JSON {
        for name in ["metadata.json", "tiles.json", "tilejson.json"] {
            guard let bytes = contents(path + "/" + name, limit: 4 << 20) else { continue }
            if let parsed = try? JSON.parse(bytes), parsed.object != nil { return parsed }
        }
        return [:]
    }

    /// Returns a regular file's bytes; nil if it can't be read or is larger than `limit`.
    static func contents(_ path: String, limit: Int) -> [UInt8]? {
        guard let file = try? FileBytes(path), file.size <= UInt64(limit) else { return nil }
        return try? file.read(offset: 0, count: Int(file.size))
    }

    /// Returns true if the folder's zoom range includes the tile's zoom.
    public func hasTile(_ tile: TileID) -> Bool { info.zooms.contains(tile.zoom) }

    /// Returns the content of a tile's file.
    /// - Throws: `TileFailure`: `badContent` if the file is damaged, `unreadable` if it can't be read.
    public func tile(_ tile: TileID) throws(TileFailure) -> TileAnswer? {
        guard let stored = try storedBody(tile), !stored.isEmpty else { return .absent }
        return .bitmap(.encoded(try TileBody.unwrapped(stored, "\(tile)", in: path)))
    }

    /// Returns the content of a tile's file, unchanged.
    /// - Throws: `TileFailure`: `badContent` if the file is too large, `unreadable` if it can't be read.
    public func storedBody(_ tile: TileID) throws(TileFailure) -> [UInt8]? {
        try file(of: tile).map { path throws(TileFailure) in try contents(of: path, tile) }
    }

    /// Returns the path of a tile's file; nil if there is none.
    func file(of tile: TileID) -> String? {
        let row = scheme == .tms ? tile.tmsRow : tile.y
        let stem = "\(path)/\(tile.zoom)/\(tile.x)/\(row)."
        return FolderListing.endings.first { access(stem + $0, F_OK) == 0 }.map { stem + $0 }
    }

    func contents(of path: String, _ tile: TileID) throws(TileFailure) -> [UInt8] {
        let file = try converting(FileBytes(path)) { (error: ArchiveFailure) in
            TileFailure(.unreadable, error.description)
        }
        guard file.size <= UInt64(Gzip.limit) else {
            throw TileBody.bad("\(tile)", self.path, "is larger than \(Gzip.limit >> 20) MiB")
        }
        return try file.read(offset: 0, count: Int(file.size))
    }

    /// Calls a function for each tile. The location is the identity of the file.
    public func walk(_ detail: TileDetail, _ visit: (StoredTileRun) throws -> Void) throws {
        var last: TileID?, done = 0
        try eachFile(FolderListing(path: path).zooms()) { tile, file in
            try Task.checkCancellation()
            WorkProgress.report(done, of: nil)
            done += 1
            // A tile may exist with two extensions. The first is read.
            if tile == last, case .ids(withRepeats: true) = detail { return try visit(StoredTileRun(tile)) }
            guard tile != last else { return }
            last = tile
            try visit(run(tile, file, detail))
        }
        for name in FolderListing(path: path).misplacedFiles() {
            let problem = "\(SafeText.sanitised(path)): \(SafeText.sanitised(name)) is in no valid position"
            try visit(StoredTileRun(problem: problem, .position))
        }
    }

    private func run(_ tile: TileID, _ file: String, _ detail: TileDetail) -> StoredTileRun {
        if case .ids = detail { return StoredTileRun(tile) }
        guard let facts = FileFacts(file) else {
            let failure = TileFailure(.unreadable, FileProblem(file, errno: errno).description)
            return StoredTileRun(tile, body: .failure(failure), fault: .unreadable)
        }
        let location = facts.node ^ facts.device << 48
        var body: Result<[UInt8], TileFailure> = .success([])
        if detail.needsBody(at: location) {
            body = Result { () throws(TileFailure) in try contents(of: file, tile) }
        }
        return StoredTileRun(
            tile, body: body, bytes: Int(clamping: facts.size), location: location, fault: .unreadable)
    }

    /// The properties in the JSON file.
    public var declaredContent: DeclaredContent { DeclaredContent(metadata) }

    /// Checks the JSON file, and that each tile has one file.
    public func checkStructure(isThorough: Bool, _ report: (VerificationFault) -> Void) throws {
        if metadata.object?.isEmpty ?? true {
            report(VerificationFault(.metadata, "there is no valid metadata.json"))
        }
        var last: TileID?
        try eachFile(FolderListing(path: path).zooms()) { tile, _ in
            try Task.checkCancellation()
            if tile == last {
                report(VerificationFault(.duplicate, .tile(tile), "it has two files"))
            }
            last = tile
        }
    }

    private func eachFile(_ zooms: [Int], _ body: (TileID, _ file: String) throws -> Void) rethrows {
        let listing = FolderListing(path: path)
        for zoom in zooms {
            for column in listing.columns(zoom) {
                for (row, name) in listing.tiles(zoom, column) {
                    let y = scheme == .tms ? (1 << zoom) - 1 - row : row
                    guard let tile = TileID(zoom: zoom, x: column, y: y) else { continue }
                    try body(tile, "\(path)/\(zoom)/\(column)/\(name)")
                }
            }
        }
    }
}

/// The files may change during use.
extension TileFolder {
    /// A number that changes when files are added, removed or replaced. It is derived from the times of
    /// folders, so a file overwritten in place is not detected.
    var state: Int {
        var state = FileFacts.number(of: path)
        for zoom in FolderNames.list(path) ?? [] where Int(zoom) != nil {
            state = state &* 31 &+ FileFacts.number(of: "\(path)/\(zoom)")
            for column in FolderNames.list("\(path)/\(zoom)") ?? [] {
                state = state &* 31 &+ FileFacts.number(of: "\(path)/\(zoom)/\(column)")
            }
        }
        return state
    }

    /// Returns a number that changes with a tile's file; 0 if it has none.
    func edition(of tile: TileID) -> Int { file(of: tile).map(FileFacts.number(of:)) ?? 0 }
}

extension FileFacts {
    /// Returns a file's modification time and size, combined into one number; 0 if it doesn't exist.
    fileprivate static func number(of path: String) -> Int {
        guard let facts = FileFacts(path) else { return 0 }
        return Int(facts.modified.value) &* 1_000_000_007 &+ facts.nanoseconds &+ Int(facts.size) &* 31
    }
}
