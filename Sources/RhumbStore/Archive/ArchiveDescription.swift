internal import RhumbCore
internal import RhumbEngine

/// Reads the metadata that all archive formats share, from text (MBTiles) or JSON values (PMTiles, TileJSON).
struct ArchiveDescription {
    /// The maximum size in bytes of the metadata, the same for all formats, so that copies keep them.
    static let metadataLimit = 16 << 20

    let metadata: JSON

    /// Returns a source's description, combined with values read from its tiles.
    func info(
        fallbackName: String, zooms: ClosedRange<Int>, bounds: Bounds?, tileSize: TileSize
    ) -> TileSourceInfo {
        let name = SafeText.sanitised(metadata["name"]?.string ?? "", limit: 80)
        let center = numbers("center").flatMap { $0.count >= 2 ? $0 : nil }
        return TileSourceInfo(
            name: name.isEmpty || ArchiveName.isGenerator(name) ? fallbackName : name,
            attribution: SafeText.plain(html: metadata["attribution"]?.string ?? ""),
            zooms: zooms, bounds: bounds,
            center: center.map { Coordinate(latitude: $0[1], longitude: $0[0]) },
            centerZoom: center.flatMap { $0.count > 2 ? min(max($0[2], 0), 30) : nil },
            tileSize: tileSize, isOverlay: metadata["type"]?.string == "overlay")
    }

    /// The declared zooms; nil if either is missing or invalid.
    var zooms: ClosedRange<Int>? {
        guard let low = numbers("minzoom")?.first.flatMap(Int.init(exactly:)),
            let high = numbers("maxzoom")?.first.flatMap(Int.init(exactly:)),
            low >= 0, high <= TileID.maximumZoom, low <= high
        else { return nil }
        return low...high
    }

    /// The declared bounds; nil if missing, empty or invalid.
    var bounds: Bounds? {
        guard let edges = numbers("bounds"), edges.count == 4 else { return nil }
        return ArchiveDescription.bounds(edges)
    }

    /// True if the declared bounds are valid, or a point or a line, as those of a single feature may be.
    var hasValidBounds: Bool {
        bounds != nil || numbers("bounds").map(ArchiveDescription.areFlat) == true
    }

    /// Returns true for edges without width or height. Four zeros mean that there are no bounds.
    static func areFlat(_ edges: [Double]) -> Bool {
        edges.count == 4 && edges.contains { $0 != 0 } && edges[0] <= edges[2] && edges[1] <= edges[3]
            && (edges[0] == edges[2] || edges[1] == edges[3])
            && abs(edges[0]) <= 180 && abs(edges[2]) <= 180 && abs(edges[1]) <= 90 && abs(edges[3]) <= 90
    }

    /// A small box around the declared centre; nil if it is missing or invalid.
    var surroundings: Bounds? {
        guard let center = numbers("center"), center.count >= 2, abs(center[0]) < 179, abs(center[1]) < 85
        else {
            return nil
        }
        return Bounds(
            west: center[0] - 0.01, south: center[1] - 0.01, east: center[0] + 0.01, north: center[1] + 0.01)
    }

    /// Returns the bounds for west, south, east and north. Values less than 1° outside are clamped in
    /// longitude; latitudes are clamped to the poles. nil if empty or invalid.
    static func bounds(_ edges: [Double]) -> Bounds? {
        guard edges.allSatisfy({ abs($0) < 181 }), edges[0] != edges[2], edges[1] < edges[3] else {
            return nil
        }
        return Bounds(
            west: min(max(edges[0], -180), 180), south: min(max(edges[1], -90), 90),
            east: min(max(edges[2], -180), 180), north: min(max(edges[3], -90), 90))
    }

    private func numbers(_ name: String) -> [Double]? {
        guard let value = metadata[name] else { return nil }
        if let number = value.double { return [number] }
        let parts =
            value.array?.map(\.double)
            ?? value.string?.split(separator: ",", omittingEmptySubsequences: false).map { number($0) }
        guard let parts, !parts.contains(nil) else { return nil }
        return parts.compactMap { $0 }
    }

    private func number(_ text: Substring) -> Double? {
        let kept = text.filter { !$0.isWhitespace }
        return Double(kept).flatMap { $0.isFinite ? $0 : nil }
    }
}

extension Bounds {
    /// Creates the bounds of ranges of columns and rows at a zoom.
    init?(zoom: Int, columns: ClosedRange<Int>, rows: ClosedRange<Int>) {
        let side = Double(1 << zoom)
        let top = Mercator.coordinate(WorldPoint(x: 0, y: Double(rows.lowerBound) / side))
        let bottom = Mercator.coordinate(WorldPoint(x: 0, y: Double(rows.upperBound + 1) / side))
        self.init(
            west: Double(columns.lowerBound) / side * 360 - 180, south: bottom.latitude,
            east: Double(columns.upperBound + 1) / side * 360 - 180, north: top.latitude)
    }

    /// Creates the bounds of a tile.
    init?(_ tile: TileID) { self.init(zoom: tile.zoom, columns: tile.x...tile.x, rows: tile.y...tile.y) }

    /// Returns true if this box contains the centre of another box and is at least a quarter as wide and as
    /// high.
    func fills(_ other: Bounds) -> Bool {
        func size(_ box: Bounds) -> (width: Double, height: Double) {
            box.worldBoxes.reduce((0, 0)) { ($0.0 + $1.maxX - $1.minX, $1.maxY - $1.minY) }
        }
        let own = size(self), its = size(other)
        return contains(other.center) && own.width * 4 >= its.width && own.height * 4 >= its.height
    }

    /// Returns the smallest box around two boxes that don't cross the antimeridian.
    func union(_ other: Bounds) -> Bounds {
        let union = Bounds(
            west: min(west, other.west), south: min(south, other.south), east: max(east, other.east),
            north: max(north, other.north))
        return union ?? self
    }
}

extension TileID {
    /// The tile whose row, counted from the south, is the row of this one.
    var mirrored: TileID { TileID(zoom: zoom, x: x, y: tmsRow) ?? self }
}

/// Returns a path's last component without its extension, sanitised for terminal output.
func baseName(_ path: String) -> String {
    let last = path.isEmpty ? "map" : path.lastPathName
    let stem = last.lastIndex(of: ".").map { String(last[..<$0]) } ?? last
    return SafeText.sanitised(stem.isEmpty ? last : stem, limit: 80)
}

/// The names in the metadata of archives.
package enum ArchiveName {
    /// True for the name of the program or schema that made an archive, which many archives have.
    package static func isGenerator(_ name: String) -> Bool {
        ["tilemaker", "tippecanoe", "planetiler", "openmaptiles", "shortbread"].contains {
            name.lowercased().contains($0)
        }
    }
}
