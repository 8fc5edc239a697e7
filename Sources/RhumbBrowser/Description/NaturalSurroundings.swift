public import RhumbCore

extension PlaceDescription {
    /// The share of a landscape's extent within which a place belongs to it. Landscapes are known by lines
    /// along their middles.
    private static let share = 0.2
    /// The distance in metres within which a place belongs to any landscape.
    private static let leastReach = 15_000.0

    /// Adds the embedded landscapes around the place, such as deserts and mountains, and the name of the
    /// ocean.
    public mutating func addNature() {
        let world = Mercator.world(place)
        if let at = items.firstIndex(where: { $0.topic == .sea }), items[at].name.isEmpty {
            let ocean = LabelArea.embedded.first { area in
                area.isOcean && area.rings.contains { $0.contains(world) }
            }
            items[at].name = ocean?.place.name ?? ""
        }
        guard first(.sea) == nil, abs(place.latitude) < Mercator.latitudeLimit else { return }
        let metres = Mercator.metresPerPixel(latitude: place.latitude, zoom: 0) * 256
        let near = NaturalFeature.far.compactMap { feature -> (name: String, share: Double)? in
            guard feature.place.kind == .landscape else { return nil }
            let shares = feature.shapes.map { shape in
                let size = max(shape.box.maxX - shape.box.minX, shape.box.maxY - shape.box.minY) * metres
                return shape.distance(to: world) * metres / max(size * Self.share, Self.leastReach)
            }
            return shares.min().flatMap { $0 <= 1 ? (feature.place.name, $0) : nil }
        }
        for landscape in near.sorted(by: { ($0.share, $0.name) < ($1.share, $1.name) }).prefix(2) {
            items.append(Item(.nature, landscape.name))
        }
    }
}

extension LabelArea.Ring {
    /// Returns true if the point is inside the outline.
    fileprivate func contains(_ place: WorldPoint) -> Bool {
        PlaneGeometry.encloses(points.lazy.map { SIMD2($0.x, $0.y) }, SIMD2(place.x, place.y))
    }

    /// Returns the distance to the line as a share of the world's width.
    fileprivate func distance(to place: WorldPoint) -> Double {
        func offset(_ point: WorldPoint) -> SIMD2<Double> {
            SIMD2((point.x - place.x).remainder(dividingBy: 1), point.y - place.y)
        }
        let distances = zip(points, points.dropFirst()).map { from, to in
            PlaneGeometry.nearest(.zero, offset(from), offset(to)).distance
        }
        return distances.min() ?? points.first.map { offset($0).length } ?? .infinity
    }
}
