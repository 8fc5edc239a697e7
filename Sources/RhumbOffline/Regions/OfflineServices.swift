public import RhumbHTTP
public import RhumbStore

/// The parts of a session that offline work uses: the network, the cache and the regions.
public protocol OfflineServices: AnyObject, Sendable {
    /// Sends requests.
    var client: HTTPClient { get }
    /// The shared cache; nil if there is none.
    var cache: SharedCache? { get }
    /// Returns the offline regions.
    /// - Throws: `RegionStoreFailure` if there are none.
    func regions() throws(RegionStoreFailure) -> Regions
}
