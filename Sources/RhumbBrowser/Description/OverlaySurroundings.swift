package import RhumbCore

extension PlaceDescription {
    /// The maximum number of features of an overlay in a description.
    private static let mostFeatures = 5
    /// The distance in metres within which a line passes through the place.
    private static let width = 15.0

    /// Adds the features of a user's overlay within the radius, the nearest first. If there are none, a
    /// fact tells the distance to the overlay.
    /// - Parameter name: The name of the overlay, sanitised for terminals.
    package mutating func add(_ overlay: OverlayIndex, named name: String) {
        guard let whole = overlay.box else {
            items.append(Item(.overlay, "no features", kind: name))
            return
        }
        let plane = LocalPlane(place)
        let world = Mercator.world(place), reach = radius / plane.width
        let box = WorldBox(
            minX: world.x - reach, minY: world.y - reach, maxX: world.x + reach, maxY: world.y + reach)
        let slots = overlay.points(in: box) + overlay.shapes(touching: box).map(\.slot)
        let near = Set(slots).map { slot in
            (slot: slot, way: overlay.features[slot].shape.nearest(on: plane))
        }.filter { $0.way.distance <= radius }
            .sorted { ($0.way.distance, $0.slot) < ($1.way.distance, $1.slot) }
        for (slot, way) in near.prefix(Self.mostFeatures) {
            let feature = overlay.features[slot]
            let title = feature.name.isEmpty ? feature.kindWord : "\(feature.kindWord) \(feature.name)"
            let label = feature.kind == .point && !feature.name.isEmpty ? feature.name : title
            let isHere = way.distance == 0 || feature.kind == .line && way.distance < Self.width
            items.append(
                isHere
                    ? Item(.overlay, label, kind: name, metres: 0)
                    : Item(.overlay, label, kind: name, at: plane.coordinate(way.point), from: place))
        }
        if near.count > Self.mostFeatures {
            let rest = near.count - Self.mostFeatures
            items.append(Item(.overlay, "and \(AmountText.count(rest)) more", kind: name))
        }
        guard near.isEmpty else { return }
        let middle = WorldPoint(x: (whole.minX + whole.maxX) / 2, y: (whole.minY + whole.maxY) / 2)
        let center = Mercator.coordinate(middle.wrapped)
        items.append(
            Item(.overlay, "nothing nearby; its middle is", kind: name, at: center, from: place))
    }
}

extension OverlayFeature {
    /// The kind of feature in words, such as "track".
    package var kindWord: String {
        switch kind {
        case .line: isTrack ? "track" : "line"
        case .polygon: "area"
        case .point, .unknown: "point"
        }
    }
}

extension OverlayFeature.Shape {
    /// Returns the point nearest to the place of a plane, and its distance in metres; 0 in an area.
    fileprivate func nearest(on plane: LocalPlane) -> (point: LocalPlane.Point, distance: Double) {
        func points(_ path: OverlayPath) -> [LocalPlane.Point] {
            path.points.map { plane.point(WorldPoint(x: $0.x, y: $0.y)) }
        }
        func nearest(_ lines: [[LocalPlane.Point]]) -> (point: LocalPlane.Point, distance: Double) {
            lines.map { PlaneGeometry.nearest(.zero, along: $0) }.min { $0.distance < $1.distance }
                ?? (.zero, .infinity)
        }
        switch self {
        case .point(let point):
            let point = plane.point(point)
            return (point, point.length)
        case .line(let paths): return nearest(paths.map(points))
        case .area(let areas):
            let rings = areas.map { $0.map(points) }
            if rings.contains(where: { PlaneGeometry.side(of: .zero, $0) != .outside }) { return (.zero, 0) }
            return nearest(rings.joined().map { $0 + $0.prefix(1) })
        }
    }
}
