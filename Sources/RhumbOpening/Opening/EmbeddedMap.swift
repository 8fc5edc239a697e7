public import RhumbCore
public import RhumbEngine

/// A map built into the program, with day and night themes for every colour depth.
public struct EmbeddedMap: Sendable {
    /// The name that opens the map.
    public let name: String
    private let make: @Sendable (MapTheme, ColorDepth) throws(MapOpenFailure) -> TileLayer

    /// Creates a map.
    /// - Parameter make: Returns the map's layer for a theme; the layer's id is replaced.
    public init(
        _ name: String, make: @escaping @Sendable (MapTheme, ColorDepth) throws(MapOpenFailure) -> TileLayer
    ) {
        self.name = name
        self.make = make
    }

    package func layer(_ theme: MapTheme, _ depth: ColorDepth) throws(MapOpenFailure) -> TileLayer {
        var layer = try make(theme, depth).named(id(theme, depth))
        layer.openedBy = name
        return layer
    }

    /// Returns true if a layer belongs to the map, in any theme.
    package func makes(_ layer: TileLayer) -> Bool { layer.id.hasPrefix("\(name).") }

    /// Returns a layer of the map in another theme; nil if it already has that theme.
    package func themed(_ layer: TileLayer, _ theme: MapTheme, _ depth: ColorDepth) -> TileLayer? {
        layer.id == id(theme, depth) ? nil : try? self.layer(theme, depth)
    }

    private func id(_ theme: MapTheme, _ depth: ColorDepth) -> TileLayer.ID { "\(name).\(theme.mark(depth))" }
}
