public import RhumbCore

extension PlaceDescription {
    /// The share of a landscape's extent within which a place is near its outline, with limits in metres.
    private static let (share, reaches) = (0.1, 10_000.0...40_000)
    /// The same for landscapes without an outline, which are known by lines along their middles.
    private static let (shareOfLine, reachesOfLine) = (0.2, 15_000.0...60_000)
    /// The number of landscapes to describe.
    private static let landscapes = 3
    /// The distance in metres of the first point of an island's outline from places on it, at most.
    private static let farthest = 2_000_000.0

    /// Decodes the embedded landscapes and seas.
    public static func prepareNature() {
        _ = (NaturalFeature.far, NaturalFeature.grounds, LabelArea.countryNames)
    }

    /// Adds the embedded landscapes around the place, such as deserts and mountains, and the name of the sea
    /// that contains it.
    public mutating func addNature() {
        let world = Mercator.world(place)
        if let at = items.firstIndex(where: { $0.topic == .sea }), items[at].name.isEmpty {
            items[at].name = LabelArea.sea(at: place)
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
        guard lake == nil else { return }
        items += landscapeNames(world).map { name, isHere in
            Item(.nature, name, kind: isHere && name.contains("Peninsula") ? "peninsula" : "")
        }
    }

    /// Sets the heights of peaks that the tiles don't state, from the list of peaks. The place has the height
    /// of the peak at which it is. Stored heights are those of a grid, which misses summits.
    public mutating func addKnownHeights() {
        for at in items.indices where items[at].topic == .peak && items[at].height == nil {
            let peak = NaturalFeature.peak(named: items[at].name, at: items[at].coordinate ?? place)
            items[at].height = peak?.height.map(Double.init)
        }
        let summit = first(.peak).flatMap { ($0.metres ?? 0) < DescriptionText.summit ? $0 : nil }
        height = height ?? summit?.height
    }

    /// The island or peninsula that contains the place; nil for none.
    var land: Item? { first(.island) ?? all(.nature).first { $0.kind == "peninsula" } }

    /// The width of the world in metres at the place's latitude.
    private var width: Double { place.worldWidth }

    /// Returns the names of the landscapes that contain the place, smallest first, and, unless it is on an
    /// island, of those nearby.
    private func landscapeNames(_ world: WorldPoint) -> [(name: String, isHere: Bool)] {
        func landscapes(_ features: [NaturalFeature]) -> [NaturalFeature] {
            features.filter {
                $0.place.kind == .landscape && !LabelArea.countryNames.contains($0.place.name)
            }
        }
        let outlined = landscapes(NaturalFeature.grounds), named = Set(outlined.map(\.place.name))
        var names: [(name: String, isHere: Bool)] = []
        func add(_ name: String, isHere: Bool) {
            let isNew = !names.contains { $0.name == name }
            if names.count < Self.landscapes, isNew { names.append((name, isHere)) }
        }
        for landscape in outlined where landscape.encloses(world) {
            add(landscape.place.name, isHere: true)
        }
        guard first(.island) == nil else { return names }
        let lines = landscapes(NaturalFeature.far).filter { !named.contains($0.place.name) }
        let near =
            outlined.compactMap { $0.nearness(to: world, width, Self.share, Self.reaches) }
            + lines.compactMap { $0.nearness(to: world, width, Self.shareOfLine, Self.reachesOfLine) }
        for (_, name) in near.sorted(by: <) { add(name, isHere: false) }
        return names
    }
}

extension Coordinate {
    /// The width of the world in metres at the latitude.
    fileprivate var worldWidth: Double { Mercator.metresPerPixel(latitude: latitude, zoom: 0) * 256 }
}

extension LabelArea {
    /// The distance in metres from the simplified outline of a sea within which a place at sea is in it.
    private static let shore = 30_000.0
    /// The southern limit of the Arctic Ocean for seas without an outline. The outline of the ocean ends with
    /// the map.
    private static let arctic = 80.0

    /// Returns the name of the country that contains a place, or else of the sea; empty if there is none.
    static func name(at place: Coordinate) -> String {
        let world = Mercator.world(place)
        return embedded.first { !$0.isOcean && $0.encloses(world) }?.place.name ?? sea(at: place)
    }

    /// Returns the name of the smallest sea that contains a place, or of the nearest one just beside its
    /// outline, or of the ocean; empty if there is none.
    static func sea(at place: Coordinate) -> String {
        let world = Mercator.world(place), seas = NaturalFeature.grounds.filter { $0.place.kind == .water }
        if let sea = seas.first(where: { $0.encloses(world) }) { return sea.place.name }
        if abs(place.latitude) < Mercator.latitudeLimit {
            let nearest = seas.map { ($0.place.name, $0.distance(to: world) * place.worldWidth) }
                .min { $0.1 < $1.1 }
            if let nearest, nearest.1 < shore { return nearest.0 }
        }
        return embedded.first { $0.isOcean && $0.encloses(world) }?.place.name
            ?? (place.latitude > arctic ? "Arctic Ocean" : "")
    }

    private func encloses(_ world: WorldPoint) -> Bool {
        rings.contains { $0.box.contains(world) && $0.contains(world) }
    }
}

extension PlaceDescription.Item {
    /// The name of an island or peninsula in a sentence: "the island Elba", but "Wrangel Island".
    var landPhrase: String {
        if topic != .island || name.hasSuffix(" Islands") { return "the \(name)" }
        return name.hasSuffix(" Island") || name.hasPrefix("Isle of ") ? name : "the island \(name)"
    }
}

extension NaturalFeature {
    /// Returns the distance to the nearest shape as a share of the world's width.
    fileprivate func distance(to place: WorldPoint) -> Double {
        shapes.map { $0.distance(to: place) }.min() ?? .infinity
    }

    /// Returns the distance in metres and the name, unless the distance exceeds a share of the extent.
    /// - Parameter width: The width of the world in metres at the place's latitude.
    fileprivate func nearness(
        to place: WorldPoint, _ width: Double, _ share: Double, _ limits: ClosedRange<Double>
    ) -> (metres: Double, name: String)? {
        let extent = shapes.map { shape in
            // The box of a line across the antimeridian is as wide as the world.
            let wide = shape.box.maxX - shape.box.minX
            return max(min(wide, 1 - wide), shape.box.maxY - shape.box.minY)
        }.max()
        let reach = min(max((extent ?? 0) * width * share, limits.lowerBound), limits.upperBound)
        let metres = distance(to: place) * width
        return metres <= reach ? (metres, self.place.name) : nil
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

/// Names of seas and countries with their articles.
extension String {
    /// The name of a sea as it is used in a sentence: "the Gulf of Mexico", but "Hudson Bay".
    var seaWithArticle: String {
        let ends = [
            "Bight", "Bosphorus", "Channel", "Dardanelles", "Entrance", "Firth", "Kattegat", "Lagoon",
            "Minch", "Ocean", "Passage", "Reef", "River", "Sea", "Skagerrak", "Strait", "Øresund",
        ]
        let starts = ["Bay of ", "Bight of ", "Firth of ", "Gulf of ", "Inner ", "Río ", "Sea of ", "Strait"]
        if hasPrefix("The ") { return "the" + dropFirst(3) }
        let isNamed = starts.contains(where: hasPrefix) || ends.contains(where: hasSuffix)
        return isNamed || hasSuffix(" Gulf") ? "the \(self)" : self
    }

    /// The name of a country as it is used in a sentence: "the Netherlands".
    var withArticle: String {
        let ends = [
            "Bahamas", "Emirates", "Gambia", "Islands", "Kingdom", "Maldives", "Netherlands", "Philippines",
            "Republic", "Republic of the Congo", "States",
        ]
        if hasPrefix("The ") { return "the" + dropFirst(3) }
        return ends.contains(where: hasSuffix) ? "the \(self)" : self
    }
}
