internal import RhumbCore
internal import Synchronization

/// A vector tile whose layers are decoded once and shared by all threads.
final class DecodedTile: Sendable {
    let tile: VectorTile
    private let layers = Mutex<[String: Layer]>([:])
    private let found = Mutex<(failure: VectorTileFailure?, isKnown: Bool)?>(nil)

    private struct Layer {
        let use: StyleDependencies
        let layer: FeatureClasses?
    }

    init(_ tile: VectorTile) { self.tile = tile }

    /// Returns the layer with a name; nil if there is none or it is damaged.
    /// - Parameter use: The parts of features by which to group them.
    func layer(_ name: String, by use: StyleDependencies) -> FeatureClasses? {
        layers.withLock { layers in
            if let known = layers[name], known.use == use { return known.layer }
            let layer =
                layers[name]?.layer.map { FeatureClasses($0.layer, by: use) }
                ?? tile.layer(named: name, by: use)
            layers[name] = Layer(use: use, layer: layer)
            return layer
        }
    }

    /// All layers without grouping, for reading all of their features.
    var decodedLayers: [VectorLayer] { decodedLayers { _ in true } }

    /// Returns the layers whose names match, without grouping.
    func decodedLayers(_ isWanted: (String) -> Bool) -> [VectorLayer] {
        let known = layers.withLock { $0 }
        return tile.layerNames.filter(isWanted).compactMap { name in
            known[name]?.layer?.layer ?? (try? tile.layer(named: name)).flatMap(\.self)
        }
    }

    /// The reason why no layer can be decoded; nil if one can, or there are none.
    var damage: VectorTileFailure? {
        found.withLock { found in
            if let found { return found.failure }
            let failure = findDamage()
            found = (failure, true)
            return failure
        }
    }

    private func findDamage() -> VectorTileFailure? {
        if layers.withLock({ $0.values.contains { $0.layer != nil } }) { return nil }
        var first: VectorTileFailure?
        for index in tile.layerNames.indices {
            do throws(VectorTileFailure) {
                _ = try tile.layer(at: index)
                return nil
            } catch {
                first = first ?? error
            }
        }
        return first
    }

    /// Approximate size in bytes once all layers are decoded.
    var weight: Int { tile.size + tile.itemCount * 64 }
}
