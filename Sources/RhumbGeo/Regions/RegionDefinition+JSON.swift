public import RhumbBase

extension RegionDefinition {
    /// Version 2 has tilesets. Without them version 1 is written, which earlier programs read, too.
    private static let version = 2

    /// The definition as JSON; the geometry is GeoJSON.
    public var json: JSON {
        guard !tilesets.isEmpty, case .object(var members) = plainJSON else { return plainJSON }
        members["version"] = .integer(RegionDefinition.version)
        members["tilesets"] = .array(tilesets.map(\.json))
        return .object(members)
    }

    private var plainJSON: JSON {
        [
            "version": 1, "id": .string(id.text), "name": .string(name),
            "metadata": metadata, "geometry": geometry.geoJSON,
            "zooms": [.integer(zooms.lowest), .integer(zooms.highest)],
            "sources": .array(sources.map { .string($0) }), "features": .array(features.map { .string($0) }),
            "scale": .integer(scale), "exact": .bool(packing == .exact), "style": style.json,
        ]
    }

    /// Parses the output of `json`.
    /// - Throws: `RegionDefinitionFailure`
    public init(json: JSON) throws(RegionDefinitionFailure) {
        guard let version = json["version"]?.int else { throw .member("version") }
        guard version <= RegionDefinition.version else { throw .version(version) }
        guard let id = json["id"]?.string else { throw .member("id") }
        guard let geometry = json["geometry"] else { throw .member("geometry") }
        guard let isExact = json["exact"]?.bool else { throw .member("exact") }
        guard let scale = json["scale"]?.int else { throw .member("scale") }
        try self.init(
            id: RegionDefinition.read(id), name: json["name"]?.string ?? "",
            metadata: json["metadata"] ?? .null,
            geometry: RegionDefinition.read(geometry), zooms: RegionDefinition.zooms(json),
            sources: RegionDefinition.texts(json, "sources"),
            features: RegionDefinition.texts(json, "features"),
            scale: scale, packing: isExact ? .exact : .wholePacks)
        style = StyleChoice(json: json["style"])
        for tileset in json["tilesets"]?.array ?? [] { tilesets.append(try ZoomTileset(json: tileset)) }
    }

    private static func read(_ id: String) throws(RegionDefinitionFailure) -> RegionID {
        do throws(RegionIDFailure) { return try RegionID(id) } catch { throw .id(error) }
    }

    private static func read(_ geometry: JSON) throws(RegionDefinitionFailure) -> RegionGeometry {
        do throws(RegionGeometryFailure) {
            return try RegionGeometry(geoJSON: geometry)
        } catch {
            throw .geometry(error)
        }
    }

    private static func zooms(_ json: JSON) throws(RegionDefinitionFailure) -> ZoomRange {
        let numbers = json["zooms"]?.array?.compactMap(\.int) ?? []
        guard numbers.count == 2 else { throw .member("zooms") }
        do throws(ZoomRangeFailure) { return try ZoomRange(numbers[0], numbers[1]) } catch {
            throw .zooms(error)
        }
    }

    private static func texts(_ json: JSON, _ name: String) throws(RegionDefinitionFailure) -> [String] {
        guard let texts = json[name]?.array?.map(\.string), !texts.contains(nil) else { throw .member(name) }
        return texts.compactMap { $0 }
    }
}
