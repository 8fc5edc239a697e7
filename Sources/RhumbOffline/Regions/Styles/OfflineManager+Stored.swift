public import RhumbCore
internal import RhumbEngine
internal import RhumbHTTP
internal import RhumbOpening
internal import RhumbStore

extension OfflineManager {
    /// Returns the resources of a style that are neither stored nor local files. Requests nothing.
    /// - Parameter style: The style's name, file or address.
    /// - Returns: The missing resources. If the style itself is missing, it is the only one.
    public func missingResources(ofStyle style: String) -> [StylePack.Missing] {
        let location = opener.location(ofStyle: style)
        guard let bytes = stored(style: location) else {
            return [StylePack.Missing(address: style, reason: "the style is not stored")]
        }
        let parsed: Style
        do {
            parsed = try Style(bytes)
        } catch {
            return [StylePack.Missing(address: style, reason: "\(error)")]
        }
        return StyleResources(parsed, at: location, opener.web).items.compactMap(missing)
    }

    private func stored(style location: String) -> [UInt8]? {
        guard SourceDefinition.isAddress(location) else {
            return CachedFile.read(location, opener.web.loader.store)
        }
        return (try? opener.web.resource(document: location)).flatMap { opener.web.loader.stored($0)?.body }
    }

    private func missing(_ item: StyleResources.Item) -> StylePack.Missing? {
        switch item {
        case .unusable(let address, let reason): StylePack.Missing(address: address, reason: reason)
        case .file(let path):
            CachedFile.read(path, opener.web.loader.store) == nil
                ? StylePack.Missing(address: path, reason: "the file can't be read") : nil
        case .web(let resource):
            opener.web.loader.stored(resource) == nil
                ? StylePack.Missing(address: resource.address.description, reason: "it is not stored") : nil
        }
    }
}
