public import RhumbCore
public import RhumbEngine

/// A map that a program brings along, by day and by night.
public struct OwnMap: Sendable {
    /// The word that opens it.
    public let name: String
    private let make: @Sendable (MapTheme) throws(MapOpenFailure) -> TileLayer

    /// - Parameter make: makes its layer for a theme; what it is called is replaced.
    public init(_ name: String, make: @escaping @Sendable (MapTheme) throws(MapOpenFailure) -> TileLayer) {
        (self.name, self.make) = (name, make)
    }

    func layer(_ theme: MapTheme) throws(MapOpenFailure) -> TileLayer { try make(theme).named(id(theme)) }

    /// A layer of it in another theme; nil if it is in it already.
    func themed(_ layer: TileLayer, _ theme: MapTheme) -> TileLayer? {
        layer.id == id(theme) ? nil : try? self.layer(theme)
    }

    private func id(_ theme: MapTheme) -> TileLayer.ID { "\(name).\(theme.rawValue)" }
}
