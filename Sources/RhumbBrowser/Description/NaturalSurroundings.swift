public import RhumbCore

extension PlaceDescription {
    /// The share of a landscape's extent within which a place belongs to it. Landscapes are known by lines
    /// along their middles.
    private static let share = 0.2
    /// The distance in metres within which a place belongs to any landscape.
    private static let leastReach = 15_000.0
    /// The distance in metres of the first point of an island's outline from places on it, at most.
    private static let farthest = 2_000_000.0

    /// The southern limit of the Arctic Ocean for seas without an outline. The outline of the ocean ends with
    /// the map.
    private static let arctic = 80.0

    /// Decodes the embedded landscapes and oceans.
    public static func prepareNature() { _ = (NaturalFeature.far, LabelArea.countryNames) }

    /// Adds the embedded landscapes around the place, such as deserts and mountains, and the name of the
    /// ocean.
    public mutating func addNature() {
        let world = Mercator.world(place)
        if let at = items.firstIndex(where: { $0.topic == .sea }), items[at].name.isEmpty {
            let ocean = LabelArea.embedded.first { area in
                area.isOcean && area.rings.contains { $0.box.contains(world) && $0.contains(world) }
            }
            items[at].name = ocean?.place.name ?? (place.latitude > Self.arctic ? "Arctic Ocean" : "")
        }
        // The gazetteer's middle of islands across the antimeridian is on the other side of the earth.
        let islands = NaturalFeature.far.filter { $0.place.kind == .island }
        var hasIsland = false
        items.removeAll { item in
            guard item.topic == .island else { return false }
            let shapes = islands.filter { $0.place.name == item.name }
            let isHere = shapes.contains { $0.place.coordinate.metres(to: place) < Self.farthest }
            defer { hasIsland = hasIsland || isHere || shapes.isEmpty }
            return hasIsland || !isHere && !shapes.isEmpty
        }
        guard first(.sea) == nil, abs(place.latitude) < Mercator.latitudeLimit else { return }
        // The tiles know the shores of lakes better, where there are any.
        let lake = hasMap ? nil : NaturalFeature.lake(at: world)
        if let lake { items.append(Item(.water, lake.place.name, kind: "lake")) }
        let metres = Mercator.metresPerPixel(latitude: place.latitude, zoom: 0) * 256
        guard lake == nil else { return }
        let near = NaturalFeature.far.compactMap { feature -> (name: String, share: Double)? in
            guard feature.place.kind == .landscape else { return nil }
            guard !LabelArea.countryNames.contains(feature.place.name) else { return nil }
            let shares = feature.shapes.map { shape in
                // The box of a line across the antimeridian is as wide as the world.
                let width = shape.box.maxX - shape.box.minX
                let size = max(min(width, 1 - width), shape.box.maxY - shape.box.minY) * metres
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
    func contains(_ place: WorldPoint) -> Bool {
        PlaneGeometry.encloses(points.lazy.map { SIMD2($0.x, $0.y) }, SIMD2(place.x, place.y))
    }

    /// Returns the distance to the line as a share of the world's width.
    fileprivate func distance(to place: WorldPoint) -> Double {
        guard let first = points.first else { return .infinity }
        // Steps across the meridian opposite to the place must not pass through the place.
        var last = first.x, x = (first.x - place.x).remainder(dividingBy: 1)
        let line = points.map { point in
            x += (point.x - last).remainder(dividingBy: 1)
            last = point.x
            return SIMD2(x, point.y - place.y)
        }
        let copies = (-1...1).map { PlaneGeometry.nearest(SIMD2(Double($0), 0), along: line).distance }
        return copies.min() ?? .infinity
    }
}
