public import RhumbCore

/// Why the region store can't do what was asked.
public enum RegionStoreFailure: Remediable, Sendable, Equatable, CustomStringConvertible {
    /// The person wants none to be used.
    case switchedOff
    /// There is no home to keep regions in.
    case noPlace
    case newerSchema(file: String, version: Int)
    /// The file is damaged; nothing was thrown away.
    case damaged(file: String, reason: String)
    case noRegion(String)
    /// What is stored of its definition can't be read.
    case unreadable(String)
    /// The store may take no more.
    case quota(bytes: Int)
    /// Another process works on it.
    case busy(region: String, process: Int)
    /// This process had claimed it, and paused for so long that another took it over or removed it.
    case lost(region: Int)
    case store(StoreFailure)

    public var description: String {
        switch self {
        case .switchedOff: "regions are switched off"
        case .noPlace:
            "there is no place for regions: set HOME or XDG_DATA_HOME to a folder"
        case .newerSchema(let file, let version):
            "the regions in \(safe(file)) were written by a newer Rhumb (schema \(version)): update Rhumb"
        case .damaged(let file, let reason):
            "the region store \(safe(file)) is damaged (\(safe(reason))) and left as it is"
        case .noRegion(let id): "there is no region \(safe(id))"
        case .unreadable(let id): "the definition of region \(safe(id)) can't be read"
        case .quota(let bytes):
            "the region store may take \(AmountText.bytes(bytes)) and is full: remove a region, or allow more"
        case .busy(let region, let process):
            "process \(process) works on region \(safe(region))"
        case .lost: "another process took the region over or removed it while this one was stopped"
        case .store(let failure): "\(failure)"
        }
    }

    /// What helps besides.
    public var remedy: Remedy? {
        switch self {
        case .switchedOff: .switchStoresOn
        case .noPlace: .nameDataFolder
        case .damaged: .repairRegions
        case .noRegion: .listRegions
        case .unreadable: .makeRegionAnew
        case .quota: .raiseRegionQuota
        case .busy(let region, _): .watchRegion(SafeText.sanitised(region, limit: 300))
        case .newerSchema, .lost, .store: nil
        }
    }

    private func safe(_ text: String) -> String { SafeText.sanitised(text, limit: 300) }
}
