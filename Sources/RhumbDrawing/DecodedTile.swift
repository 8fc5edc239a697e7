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
        /// The part that can't be read; nil if all can.
        let omission: String?
    }

    init(_ tile: VectorTile) { self.tile = tile }

    /// Returns the layer with a name; nil if there is none or it is damaged.
    /// - Parameter use: The parts of features by which to group them.
    func layer(_ name: String, by use: StyleDependencies) -> FeatureClasses? {
        layers.withLock { layers in
            if let cached = layers[name], cached.use == use { return cached.layer }
            if let cached = layers[name] {
                let layer = cached.layer.map { FeatureClasses($0.layer, by: use) }
                layers[name] = Layer(use: use, layer: layer, omission: cached.omission)
                return layer
            }
            let layer = decode(name, by: use)
            layers[name] = layer
            return layer.layer
        }
    }

    private func decode(_ name: String, by use: StyleDependencies) -> Layer {
        var subject: String { "layer \"\(SafeText.sanitised(name, limit: 80))\"" }
        do throws(VectorTileFailure) {
            let layer = try tile.layer(named: name).map { FeatureClasses($0, by: use) }
            let faults = layer.map(FeatureFaults.init) ?? FeatureFaults()
            return Layer(use: use, layer: layer, omission: faults.isEmpty ? nil : "\(faults) in \(subject)")
        } catch {
            return Layer(use: use, layer: nil, omission: "\(subject), as \(error)")
        }
    }

    /// The parts that can't be read, of those requested so far; nil if there are none.
    var omission: String? {
        let damaged = layers.withLock { layers in
            // The first layer with a name is the one that is decoded.
            var names: Set<String> = []
            return tile.layerNames.filter { names.insert($0).inserted }.compactMap { layers[$0]?.omission }
        }
        let parts = (tile.skippedParts.map { [$0] } ?? []) + damaged
        guard parts.count > Self.omissionLimit else {
            return parts.isEmpty ? nil : parts.joined(separator: "; ")
        }
        let more = AmountText.count(parts.count - Self.omissionLimit, "more layer")
        return parts.prefix(Self.omissionLimit).joined(separator: "; ") + "; and parts of " + more
    }

    /// Maximum number of layers in an omission.
    private static let omissionLimit = 3

    /// All layers without grouping, for reading all of their features.
    var decodedLayers: [VectorLayer] { decodedLayers { _ in true } }

    /// Returns the layers whose names match, without grouping.
    func decodedLayers(_ isWanted: (String) -> Bool) -> [VectorLayer] {
        let cached = layers.withLock { $0 }
        return tile.layerNames.filter(isWanted).compactMap { name in
            cached[name]?.layer?.layer ?? (try? tile.layer(named: name)).flatMap(\.self)
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
