internal import RhumbCore
internal import RhumbHTTP
internal import RhumbImages

/// The pictures of styles.
extension WebSourceOpener {
    /// A style with the mean colours of its pictures, as far as these are at hand: in a style pack, in the cache, in
    /// files beside the style. Nothing is asked of servers.
    func coloured(_ style: Style, at base: String) -> Style {
        guard style.hasPatterns else { return style }
        var style = style
        for sprite in style.sprites {
            guard let index = kept(sprite.index, base).flatMap({ try? JSON.parse($0) }),
                let image = kept(sprite.image, base).flatMap({ try? SniffingDecoder().decode($0, limits: .tile) })
            else { continue }
            style.imageColours.merge(sprite.meanColours(index: index, image: image)) { $1 }
        }
        return style
    }

    /// The same for a style that was read.
    func coloured(_ loaded: LoadedStyle) -> LoadedStyle {
        var loaded = loaded
        loaded.style = coloured(loaded.style, at: loaded.place)
        return loaded
    }

    private func kept(_ words: String, _ base: String) -> [UInt8]? {
        let address = StyleSource.absolute(words, in: base)
        guard SourceDefinition.isAddress(address) else { return KeptFile.read(address, loader.store) }
        return (try? resource(document: address)).flatMap { loader.stored($0) }?.body
    }
}

extension Style {
    /// Whether a layer is drawn in a pattern.
    fileprivate var hasPatterns: Bool {
        let patterns: [StyleProperty] = [.backgroundPattern, .fillPattern, .linePattern, .extrusionPattern]
        return layers.contains { layer in patterns.contains { layer.has($0) } }
    }
}
