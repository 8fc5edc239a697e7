public import RhumbCore

/// A failure of the region store.
public enum RegionStoreFailure: RecoverableError, Sendable, Equatable, CustomStringConvertible {
    /// Regions are turned off by the user.
    case switchedOff
    /// There is no folder in which to store regions.
    case noFolder
    case newerSchema(file: String, version: Int)
    /// The file is damaged. It was not changed.
    case damaged(file: String, reason: String)
    case noRegion(String)
    /// The stored definition is unreadable.
    case unreadable(String)
    /// The quota is full.
    case quota(bytes: Int)
    /// Another process is working on the region.
    case busy(region: String, process: Int)
    /// This process had claimed the region, but another process took it over or removed it during a long
    /// pause.
    case lost(region: Int)
    /// The source's pack limit or its provider's terms don't allow the region.
    case refused(PlanVerdict)
    case store(StoreFailure)

    public var description: String {
        switch self {
        case .switchedOff: "regions are off"
        case .noFolder:
            "no folder for regions: set HOME or XDG_DATA_HOME"
        case .newerSchema(let file, let version):
            "the regions in \(safe(file)) were written by a newer Rhumb (schema \(version)); update Rhumb"
        case .damaged(let file, let reason):
            "the region store \(safe(file)) is damaged (\(safe(reason))) and was not changed"
        case .noRegion(let id): "no region \(safe(id))"
        case .unreadable(let id): "the definition of region \(safe(id)) can't be read"
        case .quota(let bytes):
            "the disk quota for regions (\(AmountText.bytes(bytes))) is used up"
        case .busy(let region, let process):
            "process \(process) is downloading region \(safe(region))"
        case .lost: "another process took over or removed the region while this one was paused; start again"
        case .refused(let verdict): verdict.lines.joined(separator: "; ")
        case .store(let failure): "\(failure)"
        }
    }

    /// False if there is no store because regions are off.
    package var isFault: Bool { self != .switchedOff && self != .noFolder }

    /// A further remedy; nil for none.
    public var remedy: RecoverySuggestion? {
        switch self {
        case .switchedOff: .switchStoresOn
        case .noFolder: .nameDataFolder
        case .damaged: .repairRegions
        case .noRegion: .listRegions
        case .unreadable: .makeRegionAnew
        case .quota: .raiseRegionQuota
        case .busy(let region, _): .watchRegion(SafeText.sanitised(region, limit: 300))
        case .refused(let verdict): verdict.remedy
        case .newerSchema, .lost, .store: nil
        }
    }

    private func safe(_ text: String) -> String { SafeText.sanitised(text, limit: 300) }
}
