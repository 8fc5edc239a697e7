internal import RhumbCore

/// The tree of packages, with some branches collapsed.
struct PackageOutline: Sendable {
    /// The packages that the user opened or closed.
    private var turned: Set<PackageKey> = []
    /// The text that names must contain; empty for all packages. Packages around a match are shown too.
    var filter = ""

    /// Returns the visible rows.
    func rows(_ items: [PackageItem]) -> [PackageItem] { filter.isEmpty ? unfolded(items) : found(items) }

    private func unfolded(_ items: [PackageItem]) -> [PackageItem] {
        var rows: [PackageItem] = [], limit = Int.max
        for item in items where item.depth <= limit {
            rows.append(item)
            limit = isOpen(item) ? .max : item.depth
        }
        return rows
    }

    private func found(_ items: [PackageItem]) -> [PackageItem] {
        var rows: [PackageItem] = [], wanted = 0
        for item in items.reversed() where item.depth < wanted || item.names.contains(filter) {
            rows.append(item)
            wanted = item.depth
        }
        return rows.reversed()
    }

    /// Returns the index of the first row with a word that begins with the filter, or else contains it; nil
    /// without a filter. Other rows are parents of a match.
    func bestMatch(in rows: [PackageItem]) -> Int? {
        guard !filter.isEmpty else { return nil }
        return rows.firstIndex { " \($0.names)".contains(" \(filter)") }
            ?? rows.firstIndex { $0.names.contains(filter) }
    }

    /// Returns true if a package is open. Partly installed ones are open until the user closes them.
    func isOpen(_ item: PackageItem) -> Bool {
        let opensByItself = item.depth == 0 || item.status == .partial
        return !filter.isEmpty || item.hasChildren && opensByItself != turned.contains(item.key)
    }

    /// Opens a closed package, and closes an open one.
    mutating func turn(_ item: PackageItem) {
        if turned.remove(item.key) == nil { turned.insert(item.key) }
    }
}
