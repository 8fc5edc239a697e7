internal import RhumbCore

/// The conversion of a band's samples to values, which are metres in a terrain model.
struct TIFFScale: Equatable, Sendable {
    let factor: Double
    let offset: Double

    func value(_ sample: Double) -> Double { sample * factor + offset }

    /// Returns the scale in another unit.
    /// - Parameter unit: The size of this scale's unit in the other one.
    func inUnits(_ unit: Double) -> TIFFScale { TIFFScale(factor: factor * unit, offset: offset * unit) }

    /// The exclusive lower limit of heights in metres. Lower values, such as -9999999, mark pixels without
    /// one.
    static let lowest = -32_767.0

    /// Metres per unit, by the names that programs write.
    private static let units: [String: Double] = [
        "m": 1, "metre": 1, "metres": 1, "meter": 1, "meters": 1, "dm": 0.1, "decimetre": 0.1,
        "decimeter": 0.1,
        "decimetres": 0.1, "decimeters": 0.1, "cm": 0.01, "centimetre": 0.01, "centimeter": 0.01,
        "centimetres": 0.01, "centimeters": 0.01, "mm": 0.001, "millimetre": 0.001, "millimeter": 0.001,
        "millimetres": 0.001, "millimeters": 0.001, "km": 1000, "kilometre": 1000, "kilometer": 1000,
        "ft": 0.3048, "foot": 0.3048, "feet": 0.3048, "international foot": 0.3048,
        "us survey foot": 1200.0 / 3937, "us-ft": 1200.0 / 3937, "ftus": 1200.0 / 3937,
        "us ft": 1200.0 / 3937,
        "us_survey_foot": 1200.0 / 3937, "survey foot": 1200.0 / 3937, "yd": 0.9144, "yard": 0.9144,
        "fathom": 1.8288,
    ]
    /// Metres per unit, by the codes of the vertical unit in the keys.
    private static let codes = [9001: 1, 9002: 0.3048, 9003: 1200.0 / 3937, 9014: 1.8288, 9036: 1000]

    /// Returns the metres per unit; nil for a unit that is unknown or no length.
    static func metres(perUnit name: String) -> Double? { units[name.trimmed.lowercased()] }

    /// Returns the metres per unit of a code of EPSG; nil for an unknown one.
    static func metres(perCode code: Int) -> Double? { codes[code] }
}

/// The statements of a GDAL_METADATA field about bands, and those of a file beside the GeoTIFF.
struct TIFFBandMetadata {
    private let text: String
    /// The statements beside the file by band and role, which replace those of the field, as in GDAL.
    private let others: [Int: [String: String]]

    init(_ text: String, _ others: [Int: [String: String]]) {
        self.text = text
        self.others = others
    }

    /// Returns the scale and offset of a band.
    func scale(band: Int) -> TIFFScale {
        func number(_ role: String) -> Double? {
            item(role, band: band).flatMap { Double($0) }.flatMap { $0.isFinite ? $0 : nil }
        }
        return TIFFScale(factor: number("scale") ?? 1, offset: number("offset") ?? 0)
    }

    /// Returns the text of a band's item with a role, such as "unittype"; nil if there is none. An item
    /// without a band describes the first one.
    func item(_ role: String, band: Int) -> String? {
        if let other = others[band]?[role] { return other }
        for part in text.split(separator: "<Item").dropFirst() {
            guard let end = part.firstIndex(of: ">"), let close = part.firstRange(of: "</Item>") else {
                continue
            }
            let head = part[..<end].lowercased()
            guard end < close.lowerBound, head.contains("role=\"\(role)\""),
                head.contains("sample=") ? head.contains("sample=\"\(band)\"") : band == 0
            else { continue }
            return String(part[part.index(after: end)..<close.lowerBound]).trimmed
        }
        return nil
    }
}
