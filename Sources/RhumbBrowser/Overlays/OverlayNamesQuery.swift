internal import RhumbCore
public import RhumbEngine

/// A feature of a live layer that was found by its name.
public struct OverlayMatch: Sendable {
    let feature: OverlayFeature
    /// The name of its layer.
    let layer: String
}

/// A query for the features of live layers whose names contain a text, ignoring case.
public struct OverlayNamesQuery: Query {
    let text: String

    static let limit = 8
    /// The number of features that are searched before the next frame. More take a query: to search the names
    /// of 300,000 points after each key stopped the screen for a second.
    static let searchedAtOnce = 2_000

    /// Returns the first matches, those of the topmost layer first.
    public func matches(in layers: [TileLayer]) -> [OverlayMatch] {
        let wanted = Array(text.lowercased().utf8)
        guard wanted.count >= 2 else { return [] }
        var found: [OverlayMatch] = []
        for layer in layers.reversed() where layer.isVisible {
            for (index, feature) in (layer.live?.index.features ?? []).enumerated() {
                if index % 1024 == 0, Task.isCancelled { return found }
                guard feature.name.lowercased().contains(wanted) else { continue }
                found.append(OverlayMatch(feature: feature, layer: layer.info.name))
                if found.count == Self.limit { return found }
            }
        }
        return found
    }

    public typealias Response = [OverlayMatch]
}

extension String {
    /// Returns true if the text contains the bytes. `contains` of strings compares characters, which takes
    /// thirty times as long.
    fileprivate func contains(_ bytes: [UInt8]) -> Bool {
        var text = self
        return text.withUTF8 { all in
            guard let first = bytes.first, all.count >= bytes.count else { return bytes.isEmpty }
            for start in 0...(all.count - bytes.count) where all[start] == first {
                if all[start..<(start + bytes.count)].elementsEqual(bytes) { return true }
            }
            return false
        }
    }
}

extension Browser {
    /// The number of features with names that a search reads.
    var searchableFeatures: Int {
        map.layers.reduce(0) { $0 + ($1.isVisible ? $1.live?.index.features.count ?? 0 : 0) }
    }
}
