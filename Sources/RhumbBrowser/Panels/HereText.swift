internal import RhumbCore
internal import RhumbEngine

/// The texts of the panel about a place.
enum HereText {
    static func height(_ metres: Double, _ units: Settings.Units) -> String {
        "height \(PlaceFormat.height(Int(clamping: metres.rounded()), units))"
    }

    static func stored(in holder: String) -> String { "stored in \(holder)" }

    static let placeNames = "Place names: GeoNames (geonames.org), CC BY 4.0"

    static func tile(_ tile: TileID) -> String { "tile \(tile)   TMS row \(tile.tmsRow)" }

    static func drawn(from other: TileID, at tile: TileID) -> String {
        "drawn from \(other), \(other.zoom < tile.zoom ? "enlarged" : "shrunk")"
    }

    static func drawn(fromArchives names: [String]) -> String {
        "archives here: \(names.joined(separator: ", "))"
    }

    static let endOfUTM = "UTM and MGRS end at 84° N and 80° S"
    static let loading = "Loading …"
    static let absent = "Not available from this source"

    static func failed(_ failure: TileFailure) -> String {
        "Failed: \(SafeText.sanitised(FailureText.notice(failure)))"
    }

    static func loaded(_ raster: Raster, _ mark: TileMark) -> String {
        "Tile loaded, \(raster.width) × \(raster.height) px\(mark.words)"
    }

    static let outside = "Outside the map's bounds"
    static let data = "tags and tiles"
    static let onMap = "On the map"
    static let nothing = "Nothing named here"

    static func drawn(by layers: String) -> String {
        layers.isEmpty ? "not drawn in this style" : "drawn by \(layers)"
    }

    static func contents(_ size: LayerSize, fields: Int) -> String {
        let features = AmountText.count(size.features, "feature")
        let vertices = AmountText.count(size.vertices, "vertex", plural: "vertices")
        let attributes = AmountText.count(fields, "attribute")
        return "  \(features), \(vertices), \(attributes) in \(AmountText.bytes(size.attributeBytes))"
    }

    static let incidents = "Traffic incidents"
    static let notOffline = "Not available offline"
    static let noIncidents = "No incidents nearby"
}

extension TileMark {
    /// The validity of a tile, such as ", fresh"; empty for tiles of archives.
    fileprivate var words: String {
        let standing =
            switch self.standing {
            case .current: ""
            case .fresh: ", fresh"
            case .stale: ", stale"
            }
        let edition =
            edition.map { ", edition \(SafeText.sanitised("\($0)", limit: 40)), not the newest" } ?? ""
        let region = isPinned ? ", in a region" : ""
        let trouble = trouble.map { "; update failed: \(SafeText.sanitised($0.message))" } ?? ""
        return standing + region + edition + trouble
    }
}
