internal import CDefaults
internal import RhumbCore

/// A river, lake or peak that is named on maps of a region.
///
/// `Assets/nature.tsv` has a line for each feature, most important first. Its fields are separated by tabs:
///
///     kind         "river", "lake" or "peak"
///     importance   comparable to that of places
///     names        usual and English name; the second may be empty
///     shapes       one field each, the courses, outlines or position: steps in 131072ths of the
///                  Mercator square, x and y, encoded as in `Polyline`
struct NaturalFeature: Sendable {
    let place: NamedPlace
    let shapes: [LabelArea.Ring]

    /// The features embedded in the program.
    static let embedded = LabelArea.rows(of: rhumb_asset_nature()).compactMap(NaturalFeature.init)
    /// The lowest zoom of these features. At lower zooms, the gazetteer names features at their centres.
    static let farthest = AreaLabels.nearest
    /// The names of the lakes.
    static let lakes = Set(embedded.lazy.filter { $0.place.kind == .water }.map(\.place.name))

    private static let side = 131_072.0
    private static let kinds: [String: NamedPlace.Kind] = ["river": .river, "lake": .water, "peak": .peak]

    private init?(_ fields: [Slice<UnsafeBufferPointer<UInt8>>]) {
        guard fields.count > 4 else { return nil }
        let texts = fields.prefix(4).map { String(decoding: $0, as: UTF8.self) }
        shapes = fields.dropFirst(4).compactMap { LabelArea.Ring($0, side: Self.side, least: 1) }
        guard let kind = Self.kinds[texts[0]], let importance = Double(texts[1]),
            let first = shapes.first?.points.first
        else { return nil }
        place = NamedPlace(
            number: 0, name: texts[2], englishName: texts[3].isEmpty ? nil : texts[3], kind: kind,
            countryCode: "", country: "",
            region: "", coordinate: Mercator.coordinate(first), population: 0, importance: importance)
    }

    /// Returns the parts of the feature's course, or the peak, within a box where the map has no labels of
    /// its own.
    /// - Returns: Lines of at least two points, and single points of peaks.
    func parts(in ground: WorldBox, where isUnlabelled: (Coordinate) -> Bool) -> [[WorldPoint]] {
        let least = place.kind == .peak ? 1 : 2
        return shapes.filter { $0.box.meets(ground) }.flatMap { shape in
            shape.points.split { !ground.contains($0) || !isUnlabelled(Mercator.coordinate($0)) }.map(
                Array.init
            )
            .filter { $0.count >= least }
        }
    }
}

extension WorldBox {
    /// Returns true if both boxes overlap, in any copy of the world.
    fileprivate func meets(_ other: WorldBox) -> Bool {
        let turns = ((other.minX + other.maxX - minX - maxX) / 2).rounded()
        return minY <= other.maxY && maxY >= other.minY && minX + turns <= other.maxX
            && maxX + turns >= other.minX
    }

    /// Returns true if a point is in the box, in any copy of the world.
    fileprivate func contains(_ point: WorldPoint) -> Bool {
        meets(WorldBox(minX: point.x, minY: point.y, maxX: point.x, maxY: point.y))
    }
}
