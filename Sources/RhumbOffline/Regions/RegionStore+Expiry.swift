public import RhumbCore
internal import RhumbEngine
public import RhumbStore

extension RegionStore {
    /// Returns the earliest expiry time of a region's own tiles; nil if none is stored.
    /// - Parameter includesUnknown: True to include tiles without a lifetime, which are stale as soon as they
    ///   are received, such as those of an archive.
    /// - Throws: `RegionStoreFailure`
    public func earliestExpiry(
        of region: RegionRecord, includesUnknown: Bool = false
    ) throws(RegionStoreFailure) -> UnixSeconds? {
        var earliest: UnixSeconds?
        for (origin, cover) in region.covers {
            let expiry = try earliestExpiry(
                of: region.number, origin, includesUnknown: includesUnknown, isOwn: cover.contains)
            earliest = [earliest, expiry].compactMap(\.self).min()
        }
        return earliest
    }
}
