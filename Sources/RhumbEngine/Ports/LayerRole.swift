public import RhumbCore

/// The order of layers from background to foreground. Layers of one role are ordered by `zIndex`.
public enum LayerRole: Int, CaseIterable, Comparable, Sendable {
    case background, vectorBase, rasterBase, hybridOverlay, trafficFlow, trafficIncidents
    case overlays, routes, labels, positionAccuracy, position, direction

    public static func < (a: LayerRole, b: LayerRole) -> Bool { a.rawValue < b.rawValue }
}

extension MandatoryLayerSet {
    /// The role of its layers on the map.
    public var role: LayerRole {
        switch self {
        case .activeRoute, .inactiveRoute, .routeStart, .routeEnd: .routes
        case .positionAccuracy: .positionAccuracy
        case .position: .position
        case .chevron: .direction
        }
    }
}

extension [TileLayer] {
    /// Returns the style of the lowest layer that has its own style for a set; nil if none has.
    public func style(of set: MandatoryLayerSet) -> LayerSetStyle? {
        lazy.compactMap(\.layerSets).first { $0.has(set) }
    }

    /// The layers from bottom to top: by role, then by `zIndex`. Equal ones keep their order.
    public var stacked: [TileLayer] { sorted { ($0.role, $0.zIndex) < ($1.role, $1.zIndex) } }
}

extension TileLayer {
    /// Exchanges the positions of two layers in the drawing order.
    public static func exchangePlaces(_ a: inout TileLayer, _ b: inout TileLayer) {
        swap(&a.role, &b.role)
        swap(&a.zIndex, &b.zIndex)
        swap(&a, &b)
    }
}
