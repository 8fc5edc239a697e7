internal import RhumbCore

/// The keys that describe the coordinate system of a GeoTIFF (OGC GeoTIFF 1.1).
struct GeoKeys {
    private enum Value {
        case code(Int), number(Double), text(String)
    }

    private var values: [Int: Value] = [:]

    private static let userDefined = 32_767
    /// Ellipsoids that agree with WGS 84 to less than a millimetre.
    private static let ellipsoids: Set<Int> = [7019, 7030]

    init(_ file: TIFFFile, _ fields: [UInt16: TIFFFile.Field]) throws(TIFFProblem) {
        let table = try file.numbers(fields[34_735]).map { Int(clamping: $0) }
        let texts = Array((try file.text(fields[34_737]) ?? "").utf8)
        let numbers = try file.numbers(fields[34_736])
        for at in stride(from: 4, to: table.count - 3, by: 4) {
            let id = table[at], count = table[at + 2], value = table[at + 3]
            switch table[at + 1] {
            case 0: values[id] = .code(value)
            case 34_736 where numbers.indices.contains(value): values[id] = .number(numbers[value])
            case 34_737 where texts.indices.contains(value):
                let text = texts[value...].prefix(max(count.saturatingSubtract(1), 0))
                values[id] = .text(String(decoding: text, as: UTF8.self))
            default: break
            }
        }
    }

    /// True if positions are the centres of pixels.
    var isOfPoints: Bool { code(1025) == 2 }

    /// The EPSG code of the unit of heights; nil if it is not stated.
    var verticalUnit: Int? { code(4099).flatMap { $0 == 0 || $0 == GeoKeys.userDefined ? nil : $0 } }

    private func code(_ key: Int) -> Int? { if case .code(let code)? = values[key] { code } else { nil } }

    private func number(_ key: Int) -> Double? {
        if case .number(let number)? = values[key] { number } else { nil }
    }

    private func text(_ key: Int) -> String { if case .text(let text)? = values[key] { text } else { "" } }

    /// Returns the projection.
    /// - Throws: `TIFFProblem.unsupported` if it is missing or unknown.
    func projection(remedy: String) throws(TIFFProblem) -> FileProjection {
        // Some projections have no keys besides the kind of coordinates: 1 for projected, or a user's own.
        let hasKeys = code(3072) != nil || code(3074) != nil || code(3075) != nil
        let isProjected = code(1024) != 2 && (hasKeys || [1, GeoKeys.userDefined].contains(code(1024) ?? 0))
        guard let code = isProjected ? code(3072) ?? GeoKeys.userDefined : code(2048) else {
            throw .unsupported(
                "it names no coordinate system", advice: "add it with gdal_translate -a_srs EPSG:CODE IN OUT")
        }
        if let projection = FileProjection(epsg: code) { return projection }
        if code == GeoKeys.userDefined, let found = isProjected ? ownProjection : ownDegrees { return found }
        let name = text(1026).isEmpty ? text(2049) : text(1026)
        let isNamed = !name.isEmpty && name.lowercased() != "unknown"
        let system =
            code == GeoKeys.userDefined
            ? "a coordinate system without an EPSG code" : "the coordinate system EPSG:\(code)"
        let title = isNamed ? " (\(SafeText.sanitised(name, limit: 60)))" : ""
        throw .unsupported("it has \(system)\(title)", advice: remedy)
    }

    /// The projection that the file defines by its parameters; nil if it is unknown.
    private var ownProjection: FileProjection? {
        guard [nil, 9001].contains(code(3076)) else { return nil }
        switch (code(3074), code(3075)) {
        case (let zone?, _) where (16_001...16_060).contains(zone):
            return isLikeWGS84 ? .utm(zone: zone - 16_000, isNorthern: true) : nil
        case (let zone?, _) where (16_101...16_160).contains(zone):
            return isLikeWGS84 ? .utm(zone: zone - 16_100, isNorthern: false) : nil
        case (_, 1): return ownUTM
        case (_, 7): return isPseudoMercator ? .mercator : nil
        default: return nil
        }
    }

    /// The UTM zone of a transverse Mercator projection; nil if its parameters differ.
    private var ownUTM: FileProjection? {
        let zone = ((number(3080) ?? .nan) + 183) / 6, north = number(3083) ?? 0
        guard isLikeWGS84, number(3092) == 0.9996, number(3082) == 500_000, number(3081) ?? 0 == 0,
            [0, 10_000_000].contains(north), let zone = Int(exactly: zone), (1...60).contains(zone)
        else { return nil }
        return .utm(zone: zone, isNorthern: north == 0)
    }

    /// True if the Mercator projection computes on a sphere, as Web Mercator does. The keys have no code for
    /// it, so that programs state it by a name, or by an ellipsoid that is a sphere.
    private var isPseudoMercator: Bool {
        guard [3078, 3080, 3081, 3082, 3083, 3088].allSatisfy({ number($0) ?? 0 == 0 }),
            number(3092) ?? 1 == 1
        else { return false }
        let radius = Mercator.earthRadius
        if number(2057) == radius, number(2058) == radius || number(2059) == 0 { return true }
        let names = (text(1026) + " " + text(3073)).lowercased().filter(\.isLetter)
        return ["webmercator", "pseudomercator", "mercatorauxiliarysphere", "googlemapsglobalmercator"]
            .contains { names.contains($0) }
    }

    /// Longitude and latitude on an ellipsoid that the file defines; nil if it is unknown.
    private var ownDegrees: FileProjection? {
        isLikeWGS84 && [nil, 9102].contains(code(2054)) ? .degrees : nil
    }

    /// True if geographic coordinates agree with WGS 84 to about two metres.
    private var isLikeWGS84: Bool {
        guard number(2061) ?? 0 == 0, [nil, 8901].contains(code(2051)) else { return false }
        if let known = code(2048), known != GeoKeys.userDefined {
            return FileProjection(epsg: known) == .degrees
        }
        if let known = code(2056), known != GeoKeys.userDefined { return GeoKeys.ellipsoids.contains(known) }
        return number(2057) == Mercator.earthRadius && abs((number(2059) ?? 0) - 298.2572) < 0.001
    }
}
