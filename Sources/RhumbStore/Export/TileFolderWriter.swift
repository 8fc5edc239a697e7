internal import CLinux
internal import Glibc
internal import RhumbCore

/// Writes a folder of tiles, "zoom/column/row.png", with a metadata.json. Rows count from the north, and
/// vector tiles are not compressed. The folder has a temporary name until it is complete.
final class TileFolderWriter: ArchiveWriter {
    private let destination: String
    private let folder: PartFolder
    private let label: ExportLabel
    private var layers: VectorLayerList
    private var kind: TileKind
    private var extent = ExportExtent()
    private var bytes = 0
    private var column: (zoom: Int, x: Int)?
    private var isPublished = false

    /// - Parameter destination: The final path, which may be an empty folder.
    init(_ destination: String, label: ExportLabel) throws(ExportFailure) {
        let name = PartFile.withoutSlash(destination)
        self.destination = name
        self.label = label
        layers = VectorLayerList(label.vectorLayers)
        kind = label.holdsVectorTiles ? .vector : .unknown
        folder = try PartFolder(name)
    }

    func add(_ tile: TileID, _ body: [UInt8]) throws(ExportFailure) {
        let plain = (try? TileBody.unwrapped(body, "", in: "")) ?? body
        kind = kind.refined(by: plain)
        let found = kind.isVector ? kind : TileKind(of: plain)
        guard let ending = found.folderEnding else {
            throw ExportFailure(
                destination, .body, "tile \(tile) has a format that folders can't have",
                "write an \(ArchiveFormat.suffixes) file")
        }
        if kind.isVector, label.vectorLayerList == nil { layers.add(plain) }
        try makeColumn(of: tile)
        try write(plain, to: "\(folder.path)/\(tile.zoom)/\(tile.x)/\(tile.y).\(ending)")
        extent.add(tile)
    }

    func finish() throws(ExportFailure) -> ExportSummary {
        guard let zooms = extent.zooms, !isPublished else {
            throw ExportFailure(destination, .empty, "no tiles to write", "check what you export")
        }
        try write(Array(metadata(zooms).indentedText.utf8), to: folder.path + "/metadata.json")
        try folder.publish()
        isPublished = true
        return ExportSummary(tiles: extent.tiles, bodies: extent.tiles, bytes: bytes, zooms: zooms)
    }

    private func makeColumn(of tile: TileID) throws(ExportFailure) {
        if let column, column == (tile.zoom, tile.x) { return }
        for path in ["\(folder.path)/\(tile.zoom)", "\(folder.path)/\(tile.zoom)/\(tile.x)"] {
            guard mkdir(path, 0o777) == 0 || errno == EEXIST else {
                throw ExportFailure(destination, errno: errno)
            }
        }
        column = (tile.zoom, tile.x)
    }

    private func write(_ content: [UInt8], to file: String) throws(ExportFailure) {
        let descriptor = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw ExportFailure(destination, errno: errno) }
        defer { close(descriptor) }
        var rest = content[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else {
                if count < 0, errno == EINTR { continue }
                throw ExportFailure(destination, errno: errno)
            }
            rest = rest.dropFirst(count)
        }
        bytes += content.count
    }

    private func metadata(_ zooms: ClosedRange<Int>) -> JSON {
        let center = label.center ?? extent.center(label.bounds)
        var members = label.more
        members["name"] = .string(label.name)
        members["type"] = members["type"] ?? (label.isOverlay ? "overlay" : "baselayer")
        members["format"] = .string(kind.folderEnding ?? "")
        members["scheme"] = "xyz"
        members["minzoom"] = .integer(zooms.lowerBound)
        members["maxzoom"] = .integer(zooms.upperBound)
        members["bounds"] = .array(extent.edges(label.bounds).map(JSON.number))
        members["center"] = [
            .number(center.longitude), .number(center.latitude),
            .integer(label.centerZoom ?? zooms.lowerBound),
        ]
        if kind.isVector { members["vector_layers"] = label.vectorLayerList ?? layers.json }
        return .object(members)
    }
}

extension TileKind {
    /// The extension of the files in a folder of tiles; nil if folders can't have this kind.
    fileprivate var folderEnding: String? {
        switch self {
        case .png: "png"
        case .jpeg: "jpg"
        case .webp: "webp"
        case .vector: "pbf"
        case .mapLibre: "mlt"
        case .gif, .avif, .text, .unknown: nil
        }
    }
}
