internal import Glibc
internal import RhumbBase
public import RhumbGeo

/// The features of a vector tile as GeoJSON (RFC 7946). The layer and the zoom of a feature are in its
/// foreign member "tippecanoe", as `tippecanoe-decode -c` writes and tippecanoe reads them.
public struct TileGeoJSON: Sendable {
    /// The FeatureCollection as text, with one feature on each line, in the order of the tile. Values of JSON
    /// would take several times the memory.
    public private(set) var text: [UInt8] = []
    private var count = 0
    /// The number of features without a readable shape. Their geometry is null.
    public private(set) var shapelessCount = 0
    /// The number of damaged features, which are missing from the text.
    public private(set) var damagedCount = 0
    /// The layers that can't be decoded, with the reasons. Their names are not sanitised.
    public private(set) var damagedLayers: [(name: String, failure: VectorTileFailure)] = []

    private let grid: TileGrid
    private var reader = GeometryReader()

    /// Decodes all layers of a tile.
    /// - Parameters:
    ///   - position: The position of the tile.
    ///   - name: The layer to decode; nil for all layers.
    public init(_ tile: VectorTile, at position: TileID, layer name: String? = nil) {
        grid = TileGrid(tile: position)
        text += "{\"type\":\"FeatureCollection\",\"features\":[\n".utf8
        defer { text += (count == 0 ? "]}\n" : "\n]}\n").utf8 }
        for (index, layerName) in tile.layerNames.enumerated() where name == nil || layerName == name {
            do throws(VectorTileFailure) {
                add(try tile.layer(at: index))
            } catch {
                damagedLayers.append((layerName, error))
            }
        }
    }

    private mutating func add(_ layer: VectorLayer) {
        damagedCount += layer.damagedCount
        for feature in layer.features {
            if count > 0 { text += ",\n".utf8 }
            text += json(of: feature, in: layer).text.utf8
            count += 1
        }
    }

    private mutating func json(of feature: VectorFeature, in layer: VectorLayer) -> JSON {
        let zoom = JSON.integer(grid.tile.zoom)
        var members = JSONObject()
        members["type"] = "Feature"
        members["id"] = feature.id.map { JSON($0) }
        members["tippecanoe"] = ["layer": .string(layer.name), "minzoom": zoom, "maxzoom": zoom]
        members["properties"] = properties(of: feature, in: layer)
        members["geometry"] = geometry(of: feature, in: layer)
        return .object(members)
    }

    private mutating func geometry(of feature: VectorFeature, in layer: VectorLayer) -> JSON {
        guard reader.read(feature, of: layer),
            let geometry = grid.geometry(reader.geometry, feature.kind, Double(layer.extent))
        else {
            shapelessCount += 1
            return .null
        }
        return geometry
    }

    /// Returns the attributes in the order of the tile. The first value of a repeated name is used.
    private func properties(of feature: VectorFeature, in layer: VectorLayer) -> JSON {
        var members = JSONObject(), tags: [UInt32] = []
        guard layer.readTags(of: feature, into: &tags) else { return .object(members) }
        for at in stride(from: 0, to: tags.count, by: 2) {
            let name = layer.keys[Int(tags[at])]
            if members[name] == nil { members[name] = layer.values[Int(tags[at + 1])]?.json ?? .null }
        }
        return .object(members)
    }
}

/// Converts tile units to degrees. Points outside the tile are not wrapped or clamped, so that shapes at the
/// antimeridian stay in one piece.
private struct TileGrid {
    let tile: TileID

    /// Returns a GeoJSON geometry; nil for an unknown kind or an empty shape.
    func geometry(_ shape: VectorGeometry, _ kind: VectorFeature.Kind, _ extent: Double) -> JSON? {
        func line(_ range: Range<Int>) -> JSON {
            .array(shape.points[range].map { position($0, extent) })
        }
        let parts = (0..<shape.partCount).map(shape.part)
        return switch kind {
        case .point: Self.geometry("Point", parts.map { position(shape.points[$0.lowerBound], extent) })
        case .line: Self.geometry("LineString", parts.map(line))
        case .polygon:
            Self.geometry(
                "Polygon",
                shape.polygonParts.map { rings in
                    .array(rings.map { .array(ring($0, of: shape, extent)) })
                })
        case .unknown: nil
        }
    }

    private static func geometry(_ type: String, _ parts: [JSON]) -> JSON? {
        guard let first = parts.first else { return nil }
        return parts.count == 1
            ? ["type": .string(type), "coordinates": first]
            : ["type": .string("Multi" + type), "coordinates": .array(parts)]
    }

    /// Returns a closed ring. Tiles have outer rings clockwise, and GeoJSON counterclockwise.
    private func ring(_ part: TileRing, of shape: VectorGeometry, _ extent: Double) -> [JSON] {
        var points = shape.points[part.points].map { position($0, extent) }
        if part.isClockwise == part.isOuter { points.reverse() }
        if let first = points.first, first != points.last { points.append(first) }
        return points
    }

    private func position(_ point: VectorGeometry.Point, _ extent: Double) -> JSON {
        let side = Double(1 << tile.zoom)
        let x = (Double(tile.x) + Double(point.x) / extent) / side
        let y = (Double(tile.y) + Double(point.y) / extent) / side
        let latitude = atan(sinh(.pi * (1 - 2 * y))).degrees
        // Seven decimals are about 1 cm.
        return [.number((x * 360 - 180).rounded(7)), .number(latitude.rounded(7))]
    }
}

/// A ring of a polygon.
package struct TileRing {
    package let points: Range<Int>
    let isClockwise: Bool
    let isOuter: Bool
}

extension VectorGeometry {
    /// The rings of each polygon: an outer one, then its holes. Rings that turn like the first one are outer,
    /// because version 1 of the format doesn't define a direction. Excludes rings without area.
    package var polygonParts: [[TileRing]] {
        var found: [[TileRing]] = [], outer: Bool?
        for index in 0..<partCount {
            let area = doubleArea(ofPart: index)
            guard area != 0 else { continue }
            let isClockwise = area > 0
            outer = outer ?? isClockwise
            let ring = TileRing(points: part(index), isClockwise: isClockwise, isOuter: isClockwise == outer)
            if ring.isOuter { found.append([ring]) } else { found[found.count - 1].append(ring) }
        }
        return found
    }
}
