internal import Glibc
internal import RhumbCore

/// Lists the tiles of a folder. Computing bounds reads at most 64 columns.
struct FolderListing {
    private static let usualEndings = ["png", "jpg", "jpeg", "webp", "pbf", "mvt", "mlt"]
    /// The extensions of tiles. Some programs write capitals.
    static let endings = usualEndings + usualEndings.map { $0.uppercased() }
    let path: String

    /// Returns the zooms with at least one tile, ascending.
    func zooms() throws(ArchiveFailure) -> [Int] {
        guard let names = FolderNames.list(path) else { throw .cannotOpen(path, errno: errno) }
        return names.compactMap(number).filter { $0 <= TileID.maximumZoom && hasTiles($0) }.sorted()
    }

    private func hasTiles(_ zoom: Int) -> Bool {
        columns(zoom).contains { !tiles(zoom, $0).isEmpty }
    }

    /// Returns the columns that have a folder, ascending.
    func columns(_ zoom: Int) -> [Int] {
        (FolderNames.list("\(path)/\(zoom)") ?? []).compactMap(number).filter { $0 < 1 << zoom }.sorted()
    }

    /// Returns a column's rows, numbered as in the file names, with those names; ascending.
    func tiles(_ zoom: Int, _ column: Int) -> [(row: Int, name: String)] {
        let files = FolderNames.list("\(path)/\(zoom)/\(column)") ?? []
        return files.compactMap { name in row(name).flatMap { $0 < 1 << zoom ? ($0, name) : nil } }
            .sorted { $0 < $1 }
    }

    private func row(_ name: String) -> Int? { stem(name).flatMap(number) }

    /// Returns the name of a tile's file without its extension; nil for other files.
    private func stem(_ name: String) -> String? {
        guard let dot = name.lastIndex(of: "."),
            FolderListing.endings.contains(String(name[name.index(after: dot)...]))
        else { return nil }
        return String(name[..<dot])
    }

    /// Returns the paths of files that are named as tiles, but in a position that no tile has, such as
    /// 1/5/0.png. Other pictures, such as those of web pages, have no such names.
    func misplacedFiles() -> [String] {
        func names(_ folder: String) -> [String] { FolderNames.list(folder)?.sorted() ?? [] }
        return names(path).flatMap { zoom in
            names("\(path)/\(zoom)").flatMap { column in
                names("\(path)/\(zoom)/\(column)").filter { isMisplaced(zoom, column, $0) }
                    .map { "\(zoom)/\(column)/\($0)" }
            }
        }
    }

    private func isMisplaced(_ zoom: String, _ column: String, _ name: String) -> Bool {
        guard let row = stem(name) else { return false }
        if let zoom = number(zoom), let column = number(column), let row = number(row),
            TileID(zoom: zoom, x: column, y: row) != nil
        {
            return false
        }
        return [zoom, column, row].count { Int($0) != nil } >= 2
    }

    /// Returns the bounds of the deepest zoom with at most 64 columns; otherwise those of a sample of columns
    /// at the lowest zoom.
    func bounds(_ zooms: [Int], _ scheme: TileFolder.Scheme) -> Bounds? {
        for zoom in zooms.reversed() {
            let columns = columns(zoom)
            guard columns.count <= 64 || zoom == zooms.first else { continue }
            let looked = stride(from: 0, to: columns.count, by: columns.count / 65 + 1).map { columns[$0] }
            let rows = looked.flatMap { column in tiles(zoom, column).map(\.row) }
            guard let west = columns.first, let east = columns.last, let low = rows.min(),
                let high = rows.max()
            else { continue }
            let last = (1 << zoom) - 1
            let fromNorth = scheme == .tms ? (last - high)...(last - low) : low...high
            return Bounds(zoom: zoom, columns: west...east, rows: fromNorth)
        }
        return nil
    }

    /// Returns the scheme in which the tiles are inside of the declared bounds; nil if both are or none is.
    func scheme(_ zooms: [Int], _ description: ArchiveDescription) -> TileFolder.Scheme? {
        guard let area = description.bounds else { return nil }
        let fitting = [TileFolder.Scheme.xyz, .tms].filter { bounds(zooms, $0)?.overlaps(area) == true }
        return fitting.count == 1 ? fitting.first : nil
    }

    /// Returns the path of the first tile; nil if there is none.
    func anyTile(_ zooms: [Int]) -> String? {
        for zoom in zooms {
            for column in columns(zoom) {
                if let tile = tiles(zoom, column).first { return "\(path)/\(zoom)/\(column)/\(tile.name)" }
            }
        }
        return nil
    }

    /// Parses plain digits without leading zeros; nil for other text.
    private func number(_ text: String) -> Int? {
        let isPlain = text.utf8.allSatisfy { (0x30...0x39).contains($0) }
        return isPlain && (text.count == 1 || text.first != "0") ? Int(text) : nil
    }
}
