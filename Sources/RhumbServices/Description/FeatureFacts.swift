internal import RhumbBase
internal import RhumbVector

/// The attributes of a feature as facts of a description.
extension [String: VectorValue] {
    /// The usual name, sanitised; empty if there is none.
    var name: String {
        let text = VectorLayer.nameKeys.firstNonNil { self[$0] }
        return SafeText.sanitised(text?.text ?? "", limit: 120)
    }

    private func first(_ keys: [String]) -> String? {
        keys.lazy.compactMap { self[$0]?.text }.first { !$0.isEmpty && $0 != "yes" && $0 != "other" }
    }

    /// The kind of a water, such as "river" or "sea"; nil for pools, fountains and weirs.
    func waterKind(_ layer: String) -> String? {
        if layer == "ocean" { return "sea" }
        let kind =
            first(["water", "waterway", "leisure", "kind", "class", "subclass", "landuse", "amenity"])
            ?? "water"
        switch kind {
        case "ocean", "sea", "bay", "strait": return "sea"
        case "riverbank": return "river"
        case "river", "canal", "stream", "lake", "pond", "reservoir", "lagoon", "harbour", "water":
            return kind
        case "waterway", "natural": return "water"
        default: return nil
        }
    }

    /// True for a railway line above the ground that is no siding.
    var isRailway: Bool {
        let isHidden = self["brunnel"]?.text == "tunnel" || first(["tunnel", "is_tunnel", "service"]) != nil
        let isBelow = self["layer"]?.double ?? 0 < 0
        return first(["railway", "kind_detail", "subclass", "class", "kind"]) == "rail" && !isHidden
            && !isBelow
    }

    /// True for a line between countries on land.
    var isBorderOfCountries: Bool {
        let level = first(["admin_level", "pmap:min_admin_level", "kind_detail"])
        let isMaritime = ["1", "true", "yes"].contains(self["maritime"]?.text ?? "")
        return (level == "2" || self["kind"]?.text == "country") && !isMaritime
    }

    /// The kind of ground in words; nil if it is unknown.
    var groundKind: String? {
        first([
            "subclass", "kind_detail", "water", "natural", "landuse", "leisure", "amenity", "aeroway", "kind",
            "class", "pmap:kind",
        ]).map { SafeText.sanitised($0, limit: 40).replacing("_", with: " ") }
            ?? (isEmpty || name.isEmpty ? nil : "area")
    }
}
