internal import Rhumb

extension MapPackage {
    /// The installation state: "installed", "partial", "with its parent", or empty.
    var statusText: String {
        switch status {
        case .none: ""
        case .implicit: "with its parent"
        case .explicit: "installed"
        case .partial: "partial"
        }
    }

    /// True if the size is that of the stored tiles.
    var isMeasured: Bool { if case .measured = size { true } else { false } }

    /// The size, such as "12.3 MB" or "up to 4 GB"; empty if the package has no tiles.
    var sizeText: String {
        switch size {
        case .measured(let bytes): AmountText.bytes(bytes)
        case .upTo(0): ""
        case .upTo(let bytes): "up to \(AmountText.bytes(bytes))"
        }
    }

    /// The edition, such as "2026.47" or "2026.45, 2 newer".
    var editionText: String {
        guard let installed else { return edition.map { "\($0.version)" } ?? "" }
        return "\(installed)" + (newer > 0 ? ", \(newer) newer" : "")
    }

    /// Returns the package as JSON.
    func json(of catalog: String) -> JSON {
        [
            "catalog": .string(catalog), "id": .string(id), "parent": .text(parent),
            "level": .string(package.level.rawValue), "title": .string(englishTitle),
            "titles": .object(
                package.titles.sorted { $0.key < $1.key }.reduce(into: JSONObject()) {
                    $0[$1.key] = .string($1.value)
                }),
            "status": .string(status.rawValue), "bytes": .integer(size.bytes),
            "isMeasured": .bool(isMeasured),
            "installed": installed.map { .string("\($0)") } ?? .null,
            "edition": edition.map { .string("\($0.version)") } ?? .null,
            "date": .text(edition?.date), "newer": .integer(newer),
            "children": .array(children.map { .string($0) }),
        ]
    }
}

/// Formats packages as a table.
enum PackageTable {
    /// - Parameter indent: The indentation of each title, in levels.
    static func lines(_ packages: [(package: MapPackage, indent: Int)]) -> [String] {
        TextTable(
            ["package", "id", "installed", "edition", "size"], leading: 4,
            packages.map { package, indent in
                [
                    String(repeating: "  ", count: indent) + package.title(Environment.language), package.id,
                    package.statusText,
                    package.editionText, package.sizeText,
                ]
            }
        ).lines
    }

    /// - Parameter packages: The packages, parents first.
    static func tree(_ packages: [MapPackage]) -> [String] {
        var depths: [String: Int] = [:]
        return lines(
            packages.map { package in
                let depth = package.parent.flatMap { depths[$0] }.map { $0 + 1 } ?? 0
                depths[package.id] = depth
                return (package, depth)
            })
    }
}

extension UpdatePlan {
    /// A sentence about the installed packages that the catalogue no longer has; nil if there are none.
    var withdrawal: String? {
        guard !withdrawn.isEmpty else { return nil }
        let names = withdrawn.map { SafeText.sanitised($0, limit: 80) }
        return "No longer in the catalogue, so they stay as they are: \(names.joined(separator: ", "))"
    }
}

extension UpdatePlan.Package {
    /// The differences, such as "1 → 2; partial".
    var changeText: String {
        let editions = !isNewer ? [] : ["\(from.map { "\($0)" } ?? "none") → \(to.map { "\($0)" } ?? "none")"]
        let missing =
            missingFeatures.isEmpty ? [] : ["lacks \(missingFeatures.sorted().joined(separator: ", "))"]
        let surplus =
            surplusFeatures.isEmpty
            ? [] : ["has unneeded \(surplusFeatures.sorted().joined(separator: ", "))"]
        return (editions + (isPartial ? ["partial"] : []) + missing + surplus).joined(separator: "; ")
    }

    /// Returns the differences as JSON.
    func changeJSON(of catalog: String) -> JSON {
        [
            "catalog": .string(catalog), "id": .string(id), "from": from.map { .string("\($0)") } ?? .null,
            "to": to.map { .string("\($0)") } ?? .null, "isPartial": .bool(isPartial),
            "bytes": .integer(bytes), "storedBytes": .integer(storedBytes), "freedBytes": .integer(freed),
            "missingFeatures": .array(missingFeatures.sorted().map { .string($0) }),
            "surplusFeatures": .array(surplusFeatures.sorted().map { .string($0) }),
        ]
    }

    /// The download, such as "12 kB, 20 changed tiles" or "up to 2 MB, the whole package: …", or for a
    /// removal the freed space.
    var fetchText: String {
        if onlyRemoves { return freed > 0 ? "nothing, frees \(AmountText.bytes(freed))" : "nothing" }
        if let tiles { return "\(AmountText.bytes(bytes)), \(AmountText.count(tiles)) changed tiles" }
        return "up to \(AmountText.bytes(bytes))" + (reason.isEmpty ? "" : ", the whole package: \(reason)")
    }

    /// Returns the download as JSON.
    func fetchJSON(of catalog: String) -> JSON {
        [
            "catalog": .string(catalog), "id": .string(id),
            "from": from.map { .string("\($0)") } ?? .null,
            "to": to.map { .string("\($0)") } ?? .null, "tiles": .count(tiles),
            "bytes": .integer(bytes), "storedBytes": .integer(storedBytes), "freedBytes": .integer(freed),
            "saved": .integer(saved),
            "reason": .string(reason),
        ]
    }
}

extension PackagePlan {
    var lines: [String] {
        let table = TextTable(
            ["package", "edition", "to fetch", "on disk"], leading: 2,
            packages.map { item in
                [
                    "\(item.id), \(item.package.title(Environment.language))"
                        + (item.isPartial ? ", the rest" : ""),
                    item.package.edition.map { "\($0.version)" } ?? "", PackagePlan.most(item.bytes),
                    PackagePlan.most(item.storedBytes),
                ]
            })
        let there = installed.isEmpty ? [] : ["already installed: \(installed.joined(separator: ", "))"]
        guard !packages.isEmpty else { return there }
        let free = freeText.map { ", \($0)" } ?? ""
        let heights = heights.map { source in
            let name = SafeText.sanitised(source, limit: 80)
            if heightBytes > 0 { return ["heights from \(name): about \(AmountText.bytes(heightBytes))"] }
            return packages.allSatisfy(\.isPartial) ? [] : ["\(name) adds no heights to these packages"]
        }
        return table.lines + there + ["total \(sizes)\(free)"] + (heights ?? []) + groups + unsaidTerms
    }

    /// The sizes to fetch and on the disk, such as "up to 12 MB, 14 MB on disk".
    var sizes: String { PackagePlan.sizes(bytes, storedBytes) }

    static func sizes(_ bytes: Int, _ stored: Int) -> String {
        most(bytes) + (bytes == 0 ? "" : ", \(AmountText.bytes(stored)) on disk")
    }

    /// The sizes of the data groups, such as "data groups: navigation 2 MB, truck 120 kB"; empty if the
    /// catalogue doesn't state them.
    var groups: [String] {
        let groups = featureBytes.sorted { $0.key < $1.key }.map { "\($0.key) \(AmountText.bytes($0.value))" }
        return groups.isEmpty ? [] : ["data groups: \(groups.joined(separator: ", "))"]
    }

    /// Returns the maximum size, such as "up to 2 MB". The size is unknown for sources other than archives.
    static func most(_ bytes: Int) -> String {
        bytes == 0 ? "of unknown size" : "up to \(AmountText.bytes(bytes))"
    }

    /// The plan as JSON.
    var json: JSON {
        [
            "catalog": .string(catalog), "bytes": .integer(bytes), "storedBytes": .integer(storedBytes),
            "freeBytes": .count(freeBytes),
            "heights": .text(heights), "heightBytes": .integer(heightBytes),
            "hasRoom": .bool(hasRoom), "installed": .array(installed.map { .string($0) }),
            "features": .array(features.sorted().map { .string($0) }),
            "featureBytes": .object(
                featureBytes.reduce(into: JSONObject()) { $0[$1.key] = .integer($1.value) }),
            "packages": .array(
                packages.map { item in
                    [
                        "id": .string(item.id), "bytes": .integer(item.bytes),
                        "storedBytes": .integer(item.storedBytes), "isPartial": .bool(item.isPartial),
                        "edition": item.package.edition.map { .string("\($0.version)") } ?? .null,
                    ]
                }),
        ]
    }
}
