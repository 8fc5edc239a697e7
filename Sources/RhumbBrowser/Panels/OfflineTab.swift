/// The tabs of the panel of offline maps. Each is a panel of its own; Tab opens the next one.
enum OfflineTab: String, CaseIterable {
    case regions = "Regions", packages = "Packages", areas = "Areas"

    /// The entry that opens the tab.
    var entry: PanelEntry {
        switch self {
        case .regions: .regions
        case .packages: .packages
        case .areas: .areas
        }
    }

    /// The tab after this one, or the first one.
    var next: OfflineTab {
        let all = OfflineTab.allCases, at = all.firstIndex(of: self) ?? 0
        return all[(at + 1) % all.count]
    }

    /// The names of all tabs, with this one in brackets.
    var title: String {
        let names = OfflineTab.allCases.map { $0 == self ? "[\($0.rawValue)]" : $0.rawValue }
        return "Offline: " + names.joined(separator: " ")
    }

    /// The key that opens the next tab.
    var key: PanelKey { PanelKey("Tab", next.rawValue.lowercased()) }
}
