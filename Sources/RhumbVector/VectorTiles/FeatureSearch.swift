internal import RhumbGeo

/// Finds the features at a position in a vector tile.
public struct FeatureSearch {
    /// The position, from (0, 0) in the tile's north-west to (1, 1) in its south-east.
    public let place: SIMD2<Double>
    /// Maximum distance to points and lines, in sides of the tile.
    public let reach: Double
    /// Maximum number of features returned.
    public var limit = 8
    /// Selects and words the attributes of a feature. By default, it shows the first six.
    public var wording: @Sendable ([String: VectorValue]) -> [MapFeature.Attribute] = {
        MapFeature.shown($0, limit: 6)
    }

    private struct Found {
        let feature: MapFeature
        /// The sort key: points, lines, then areas; points and lines by distance, areas by size.
        let order: (kind: Int, measure: Double)
    }

    /// Creates a search at a position in a tile, with a maximum distance. Both are in sides of the tile.
    public init(at place: SIMD2<Double>, reach: Double) {
        self.place = place
        self.reach = reach
    }

    /// Returns points and lines within reach, then areas that contain the position. Drops features without
    /// attributes, and duplicates with the same layer and attributes.
    /// - Parameters:
    ///   - layers: The layers of one tile, whose damaged features are skipped.
    ///   - styleLayers: Returns the ids of the style layers that draw a feature.
    public func features(
        in layers: [VectorLayer],
        drawnBy styleLayers: (VectorLayer, VectorFeature) -> [String] = { _, _ in [] }
    ) -> [MapFeature] {
        var found: [Found] = []
        var reader = GeometryReader()
        for layer in layers {
            for feature in layer.features where reader.read(feature, of: layer) {
                guard let measure = measure(reader.geometry, feature.kind, Double(layer.extent)),
                    let attributes = layer.attributes(of: feature), !attributes.isEmpty
                else { continue }
                let thing = MapFeature(
                    layer: layer.name, kind: feature.kind, attributes: wording(attributes),
                    styleLayers: styleLayers(layer, feature))
                found.append(Found(feature: thing, order: (Int(feature.kind.rawValue), measure)))
            }
        }
        var seen: Set<MapFeature> = []
        let ordered = found.enumerated().sorted { a, b in
            (a.element.order.kind, a.element.order.measure, a.offset) < (
                b.element.order.kind, b.element.order.measure, b.offset
            )
        }
        return Array(ordered.map(\.element.feature).filter { seen.insert($0).inserted }.prefix(limit))
    }

    /// Returns the distance or area of a shape at the position, where smaller is better; nil if the shape is
    /// elsewhere.
    private func measure(_ shape: VectorGeometry, _ kind: VectorFeature.Kind, _ extent: Double) -> Double? {
        let here = place * extent, limit = reach * extent
        switch kind {
        case .point:
            let nearest = shape.points.map { (SIMD2<Double>($0) - here).length }.min() ?? .infinity
            return nearest <= limit ? nearest : nil
        case .line:
            let nearest =
                (0..<shape.partCount).map { shape.distance(ofLine: $0, from: here) }.min() ?? .infinity
            return nearest <= limit ? nearest : nil
        case .polygon:
            guard shape.contains(here) else { return nil }
            return abs((0..<shape.partCount).reduce(0) { $0 + Double(shape.doubleArea(ofPart: $1)) })
                / (extent * extent)
        case .unknown: return nil
        }
    }
}

extension VectorGeometry {
    /// Returns true if a position is inside an odd number of rings.
    package func contains(_ place: SIMD2<Double>) -> Bool {
        !(0..<partCount).count { index in
            PlaneGeometry.encloses(points[part(index)].lazy.map { SIMD2<Double>($0) }, place)
        }.isMultiple(of: 2)
    }

    fileprivate func distance(ofLine index: Int, from place: SIMD2<Double>) -> Double {
        PlaneGeometry.nearest(place, along: points[part(index)].lazy.map { SIMD2<Double>($0) }).distance
    }
}
