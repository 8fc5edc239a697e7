internal import Rhumb
internal import RhumbBrowser

/// The sources of heights for downloads.
extension HeightSourceItem {
    /// Returns the sources, the default first; never empty.
    /// - Parameter terrain: The name, address or path that the user gave; nil for none.
    static func all(_ terrain: String?, _ catalog: SourceCatalog) -> [HeightSourceItem] {
        let known = ((try? catalog.sources()) ?? []).filter { source in
            source.elevation != nil && source.policy.offline != .denied
        }
        let own = Set(catalog.ownSources.map(\.id))
        // The user's own sources come first, and among them those that need no permission.
        let sorted =
            known.filter { own.contains($0.id) && $0.policy.offline == .allowed }
            + known.filter { own.contains($0.id) && $0.policy.offline == .ask }
            + known.filter { !own.contains($0.id) }
        var items =
            terrain.map { specifier in
                [HeightSourceItem(terrain: specifier, isNamed: known.contains { $0.id == specifier })]
            } ?? []
        for source in sorted where !items.contains(where: { $0.specifier == source.id }) {
            items.append(HeightSourceItem(source.id))
        }
        return items.isEmpty ? [.standard] : items
    }

    /// Creates the source that the user gave. A region can store the tiles of a PMTiles file; other files are
    /// read where they are.
    private init(terrain specifier: String, isNamed: Bool) {
        let isFile = !isNamed && !SourceDefinition.isAddress(specifier) && Files.exists(specifier)
        if !isFile {
            self.init(specifier)
        } else if specifier.hasSuffix(".pmtiles") {
            self.init(URLReference.file(Files.real(specifier)))
        } else {
            self.init(specifier, isLocal: true)
        }
    }
}
