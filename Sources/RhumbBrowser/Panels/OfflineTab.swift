internal import RhumbCore

/// The tabs of the panel of offline maps. Each is a panel of its own; Tab opens the next one.
enum OfflineTab: String, CaseIterable {
    case regions = "Regions", packages = "Packages", areas = "Areas", styles = "Styles"

    /// The tab after this one, or the first one.
    var next: OfflineTab {
        let all = OfflineTab.allCases, at = all.firstIndex(of: self) ?? 0
        return all[(at + 1) % all.count]
    }

    /// Returns the names of all tabs, with this one in brackets; only its own name if the others don't fit
    /// beside the number of hidden lines.
    func title(columns: Int) -> String {
        let names = OfflineTab.allCases.map { $0 == self ? "[\($0.rawValue)]" : $0.rawValue }
        let all = names.joined(separator: " ")
        return "Offline: " + (all.width + 30 <= columns ? all : rawValue)
    }

    /// The key that opens the next tab.
    var key: PanelKey { PanelKey("Tab", next.rawValue.lowercased()) }
}
