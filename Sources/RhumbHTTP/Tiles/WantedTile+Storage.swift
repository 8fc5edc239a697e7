public import RhumbCore
public import RhumbEngine

extension ResourceKey {
    /// The key under which a tile is stored; nil if it may not be stored.
    public init?(_ want: WantedTile) {
        if let origin = want.layer.source.origin(of: want.layer) {
            self = .tile(origin: origin, want.tile)
        } else if let name = want.layer.cacheIdentifier {
            self = .tile(
                origin: TileOrigin(source: name, address: "program", size: want.layer.tileSize.rawValue),
                want.tile)
        } else if let origin = want.layer.originOfAddresses {
            self = .tile(origin: origin, want.tile)
        } else {
            return nil
        }
    }
}

extension TileLayer {
    /// The origin of tiles for which a program's source has only addresses: the address of the layer's first
    /// tile, which differs between servers and styles. Nil for a source without addresses.
    fileprivate var originOfAddresses: TileOrigin? {
        let first = TileID(zoom: info.zooms.lowerBound, x: 0, y: 0) ?? .world
        return source.url(for: first, of: self).map { url in
            let address = HTTPAddress(url)
            return TileOrigin(source: address.host, address: address.canonical, size: tileSize.rawValue)
        }
    }
}

extension WantedTile.Urgency {
    /// The priority of its requests.
    package var priority: HTTPPriority {
        switch self {
        case .visible(let view): .visible(view: view)
        case .prefetch: .prefetch
        case .download: .download
        }
    }
}

extension WantedTile {
    var priority: HTTPPriority { urgency.priority }

    /// True if it is in view.
    var isSeen: Bool { if case .visible = urgency { true } else { false } }
}
