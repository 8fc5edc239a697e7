public import RhumbCore
public import RhumbEngine

/// A map that a program brings along, by day and by night, for terminals of all colours and of few.
public struct EmbeddedMap: Sendable {
    /// The word that opens it.
    public let name: String
    private let make: @Sendable (MapTheme, ColorDepth) throws(MapOpenFailure) -> TileLayer

    /// - Parameter make: Returns its layer for a theme; the id is replaced.
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

    /// Returns true if a layer belongs to it, in any theme.
    package func makes(_ layer: TileLayer) -> Bool { layer.id.hasPrefix("\(name).") }

    /// A layer of it in another theme; nil if it is in it already.
    package func themed(_ layer: TileLayer, _ theme: MapTheme, _ depth: ColorDepth) -> TileLayer? {
        layer.id == id(theme, depth) ? nil : try? self.layer(theme, depth)
    }

    private func id(_ theme: MapTheme, _ depth: ColorDepth) -> TileLayer.ID { "\(name).\(theme.mark(depth))" }
}
