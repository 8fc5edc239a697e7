internal import RhumbCore
package import RhumbEngine

/// The sources, and the stored data: the cache, regions, packages and bookmarks.
package struct StoredMaps: Sendable {
    /// The sources to choose from; empty until they are listed.
    package internal(set) var sources: [SourceChoice] = []
    /// The sources of heights for downloads, the default first; not empty.
    package var heightSources = [HeightSourceItem.standard]
    /// The features that are enabled, prefetched, and passed through while offline.
    package internal(set) var configuration: LayerConfiguration
    var cache = CacheAnswers()
    /// The regions as last reported.
    package internal(set) var regions: [RegionItem] = []
    var packages = KnownPackages()
    var agreements = Agreements()
    /// The bookmarks, sorted by their letters.
    package internal(set) var bookmarks: [Bookmark] = []

    init(configuration: LayerConfiguration) { self.configuration = configuration }
}
