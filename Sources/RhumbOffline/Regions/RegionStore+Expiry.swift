public import RhumbCore
internal import RhumbEngine
public import RhumbStore

extension RegionStore {
    /// Returns the earliest expiry time of a region's own tiles; nil if none is stored.
    /// - Throws: `RegionStoreFailure`
    public func earliestExpiry(of region: RegionRecord) throws(RegionStoreFailure) -> UnixSeconds? {
        var earliest: UnixSeconds?
        for (origin, cover) in region.covers {
            let expiry = try earliestExpiry(of: region.number, origin, isOwn: cover.contains)
            earliest = [earliest, expiry].compactMap(\.self).min()
        }
        return earliest
    }
}
