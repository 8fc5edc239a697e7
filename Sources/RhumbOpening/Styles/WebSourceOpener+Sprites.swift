package import RhumbCore
internal import RhumbDrawing
package import RhumbEngine
internal import RhumbHTTP

/// The images of styles.
extension WebSourceOpener {
    /// The time that a map waits for its style's images. The map is readable without them.
    private static let timeLimit = Duration.seconds(3)

    /// Returns a style with its images, if it draws any. They come from a style pack, the cache, files beside
    /// the style, or else the server. Images used only as icons are not requested for the first time, because
    /// icons have letters as a substitute.
    func illustrated(_ style: Style, at base: String) async -> Style {
        guard style.usesImages || style.usesIcons else { return style }
        var style = style, images: [String: StyleImage] = [:]
        for sprite in style.sprites {
            guard
                let index = await bytes(sprite.index, base, isAwaited: style.usesImages).flatMap({
                    try? JSON.parse($0)
                }),
                let image = await bytes(sprite.image, base, isAwaited: style.usesImages).flatMap({
                    try? SniffingDecoder().decode($0, limits: .tile)
                })
            else {
                // Icons have letters as a substitute.
                if style.usesImages { style.noteUnreadable(sprite) }
                continue
            }
            images.merge(sprite.pictures(index: index, image: image)) { $1 }
        }
        if !images.isEmpty { style.images = images }
        return style
    }

    /// Returns a loaded style with its images.
    func illustrated(_ loaded: LoadedStyle) async -> LoadedStyle {
        var loaded = loaded
        loaded.style = await illustrated(loaded.style, at: loaded.location)
        return loaded
    }

    /// Fetches the images that maps in a style are drawn with, without a time limit. Images used only as
    /// icons are updated but not fetched for the first time.
    package func loadSprites(of style: Style, at base: String) async {
        for address in style.spriteLocations(in: base) where SourceDefinition.isAddress(address) {
            guard let resource = try? resource(document: address),
                style.usesImages || loader.stored(resource) != nil
            else { continue }
            _ = try? await loader.load(resource, isReload: reloadsDocuments)
        }
    }

    /// Returns the resources of a style's images that are on the web and stored.
    package func spriteDocuments(of style: Style, at base: String) -> [WebResource] {
        style.spriteLocations(in: base).filter(SourceDefinition.isAddress).compactMap { address in
            guard let resource = try? resource(document: address) else { return nil }
            return loader.stored(resource) == nil ? nil : resource
        }
    }

    /// Returns the bytes of a file or document that a style refers to.
    /// - Parameter isAwaited: True to fetch a document that is not stored.
    private func bytes(_ url: String, _ base: String, isAwaited: Bool) async -> [UInt8]? {
        let address = StyleSource.absolute(url, in: base)
        guard SourceDefinition.isAddress(address) else { return CachedFile.read(address, loader.store) }
        guard let resource = try? resource(document: address) else { return nil }
        let stored = loader.stored(resource)?.body
        guard reloadsDocuments ? isAwaited || stored != nil : isAwaited && stored == nil else {
            return stored
        }
        return await outcome(within: Self.timeLimit) { [loader, reloadsDocuments] in
            try? await loader.load(resource, isReload: reloadsDocuments).body
        } ?? nil ?? stored
    }
}

extension Style {
    /// Returns the files and addresses of the style's images; empty if it draws none.
    package func spriteLocations(in base: String) -> [String] {
        guard usesImages || usesIcons else { return [] }
        return sprites.flatMap { [$0.index, $0.image] }.map { StyleSource.absolute($0, in: base) }
    }

    /// True if a layer draws images at points.
    fileprivate var usesIcons: Bool { !sprites.isEmpty && layers.contains { $0.has(.iconImage) } }

    /// True if a layer is drawn with a pattern.
    fileprivate var usesImages: Bool { !sprites.isEmpty && layers.contains(where: \.hasPattern) }
}
