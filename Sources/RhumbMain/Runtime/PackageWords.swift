internal import Rhumb
internal import RhumbBrowser

extension PackageItem {
    /// Returns the packages as an indented list.
    /// - Parameters:
    ///   - packages: The packages, parents first.
    ///   - catalog: The address or file of the catalogue.
    ///   - name: The name shown beside the root if there are several catalogues; otherwise empty.
    ///   - brokenOff: The ids of interrupted packages.
    static func outline(
        _ packages: [MapPackage], of catalog: String, named name: String, brokenOff: Set<String>
    ) -> [PackageItem] {
        var depths: [String: Int] = [:]
        return packages.map { package in
            let depth = package.parent.flatMap { depths[$0] }.map { $0 + 1 } ?? 0
            depths[package.id] = depth
            let title = package.title(Environment.language), isNamed = depth == 0 && !name.isEmpty
            return PackageItem(
                package, PackageKey(package.id, of: catalog), depth,
                title: isNamed ? "\(title), \(name)" : title,
                isBrokenOff: brokenOff.contains(package.id))
        }
    }

    private init(_ package: MapPackage, _ key: PackageKey, _ depth: Int, title: String, isBrokenOff: Bool) {
        let names = [package.id] + package.package.titles.values
        self.init(
            key: key, depth: depth, title: title,
            names: names.map(FoldedName.fold).joined(separator: "\n"), status: package.itemStatus,
            isBrokenOff: isBrokenOff,
            bytes: package.size.bytes, isMeasured: package.isMeasured, edition: package.itemEdition,
            newer: package.newer, hasChildren: !package.children.isEmpty,
            area: package.package.area, map: package.package.content?.specifier)
    }
}

extension MapPackage {
    fileprivate var itemStatus: PackageItem.Status {
        switch status {
        case .none: .none
        case .partial: .partial
        case .implicit, .explicit: .installed
        }
    }

    /// The edition, such as "edition 2026.45, newest 2026.47 of 2026-11-22".
    fileprivate var itemEdition: String {
        let offered = edition.map { "\($0.version)" + ($0.date.map { " of \($0)" } ?? "") }
        guard let installed, newer > 0, let offered else { return offered.map { "edition \($0)" } ?? "" }
        return "edition \(installed), newest \(offered)"
    }
}

extension PackageContent {
    /// The specifier of the map.
    fileprivate var specifier: String {
        switch self {
        case .archive(let address), .part(let address): address
        case .source(let specifier): specifier
        }
    }
}

extension PackageOffer {
    /// - Parameter choice: The user's choice of heights.
    init(_ plan: PackagePlan, _ keys: [PackageKey], _ choice: PackageHeights) {
        let rows = plan.packages.map { item in
            Row(
                item.package.title(Environment.language),
                (item.isPartial ? "the rest, " : "") + PackagePlan.sizes(item.bytes, item.storedBytes))
        }
        guard !rows.isEmpty else {
            self.init([], notes: ["Already installed"], act: nil)
            return
        }
        let free = [plan.freeText].compactMap(\.self)
        self.init(
            rows,
            notes: ["Total \(plan.sizes)"] + free + plan.groups + plan.unsaidTerms
                + [plan.keyNotice].compactMap(\.self),
            act: plan.hasRoom ? .install(keys, heights: choice) : nil,
            isToBePermitted: !plan.unsaidTerms.isEmpty,
            heights: plan.heights.map { source in
                Heights(source: source, size: "≈ " + AmountText.bytes(plan.heightBytes))
            })
    }

    init(_ plans: [UpdatePlan]) {
        let packages = plans.flatMap(\.packages), saved = packages.reduce(0) { $0 + $1.saved }
        guard !packages.isEmpty else {
            self.init([], notes: ["All packages are up to date"], act: nil)
            return
        }
        let total =
            "Total up to \(AmountText.bytes(packages.reduce(0) { $0 + $1.bytes })), "
            + "\(AmountText.bytes(packages.reduce(0) { $0 + $1.storedBytes })) on disk"
        self.init(
            packages.map { Row($0.id, $0.changeText) },
            notes: packages.map { "\($0.id): \($0.fetchText)" }
                + [total + (saved > 0 ? ", \(AmountText.bytes(saved)) already stored" : "")],
            act: .update)
    }
}

extension PackageProgress {
    /// Returns the sentence on leaving the program, which names the packages that are unfinished.
    static func unfinished(_ operation: PackageOperation, of packages: [String]) -> String {
        let names = packages.map { SafeText.sanitised($0, limit: 80) }.joined(separator: ", ")
        return "Unfinished: \(operation.rawValue)\(names.isEmpty ? "" : " of \(names)"). "
            + "To resume it: rhumb package resume"
    }

    init(_ progress: PackageJobProgress, _ meter: JobMeter<PackageJobProgress>, of catalog: String) {
        self.init(
            key: progress.package.map { PackageKey($0, of: catalog) },
            name: [progress.package ?? progress.operation.rawValue, progress.position].filter { !$0.isEmpty }
                .joined(separator: " "),
            percent: progress.percent,
            state: meter.standing, pace: meter.standing.isEmpty ? meter.rate?.shortText ?? "" : "")
    }
}

extension MapLoaderResult {
    /// True if the operation ended, even if tiles are missing.
    var isOver: Bool { reason == nil || reason == .incomplete }

    /// Returns the result as text for the user.
    func outcome(of operation: PackageOperation) -> Result<String, Notice.Problem> {
        switch self {
        case .success(let ids):
            .success(ids.isEmpty ? operation.nothingToDo : "\(operation.done) \(ids.joined(separator: ", "))")
        case .failure(.cancelled): .success(FailureText.sentence(OfflineFailure.cancelled))
        case .failure(let failure): .failure(Notice.Problem(shown: failure))
        }
    }
}
