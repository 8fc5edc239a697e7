public import RhumbCore
public import RhumbEngine

extension ResourceKey {
    /// The key under which a tile is stored; nil if it may not be stored.
    public init?(_ want: TileWant) {
        if let source = want.layer.source as? any NetworkTileSource {
            self = .tile(origin: source.origin, want.tile)
        } else if let name = want.layer.cacheIdentifier {
            self = .tile(
                origin: TileOrigin(source: name, address: "program", size: want.layer.tileSize.rawValue), want.tile)
        } else {
            return nil
        }
    }
}

extension TileWant {
    var priority: HTTPPriority {
        switch urgency {
        case .visible(let view): .visible(view: view)
        case .prefetch: .prefetch
        case .download: .download
        }
    }

    /// True if it is in view.
    var isSeen: Bool { if case .visible = urgency { true } else { false } }

    /// The lifetime of its responses: by the headers of a web source, or by the layer of a custom one.
    var storagePolicy: StoragePolicy {
        (layer.source as? WebTileSource)?.storagePolicy ?? .fixed(layer.cacheLife)
    }
}
