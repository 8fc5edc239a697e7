public import RhumbCore
public import RhumbEngine

extension ResourceKey {
    /// What a wanted tile is kept under; nil where it may not be kept.
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

    /// Whether somebody looks at it now.
    var isSeen: Bool { if case .visible = urgency { true } else { false } }

    /// How long its answers may be kept: as a web source's headers say, or as the layer of a
    /// program's own source does.
    var storagePolicy: StoragePolicy {
        (layer.source as? WebTileSource)?.storagePolicy ?? .fixed(layer.cacheLife)
    }
}
