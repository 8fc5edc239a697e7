internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// The packages in the region store, without their catalogues.
struct InstalledPackages {
    private let invocation: Invocation
    private let session: MapSession
    private let store: RegionStore
    /// The operation that is currently running in any process; nil if there is none.
    private let running: MapLoaderBusy?
    private let packages: [(name: PackageName, record: RegionRecord)]

    init(_ invocation: Invocation, _ session: MapSession) throws {
        self.invocation = invocation
        self.session = session
        let regions = try session.regions()
        store = regions.store
        running = MapLoader.running(in: store)
        packages = try regions.records().compactMap { record in record.package.map { ($0, record) } }
    }

    /// Runs `rhumb package list`.
    func list() async throws -> Int32 {
        let states = try await states()
        let table = TextTable(
            ["package", "catalogue", "edition", "state", "tiles", "bytes"], leading: 4,
            packages.map { name, record in
                [
                    name.package, name.catalog, record.packageEdition.map { "\($0)" } ?? "",
                    state(of: record),
                    "\(AmountText.count(record.tiles + record.absent))/\(AmountText.count(record.plannedInUse))",
                    AmountText.bytes(record.bytes),
                ]
            })
        try invocation.print(
            packages.isEmpty
                ? ["No packages installed. List them with rhumb package tree."]
                : table.lines + states.compactMap(\.advice),
            [
                "state": .string((states.first { $0 != .ok } ?? .ok).rawValue),
                "remedy": .text(states.compactMap(\.remedy).first?.rawValue),
                "packages": .array(packages.map(json)),
            ])
        return packages.contains { $0.record.isUnfinishedPackage } ? ExitStatus.gaps : ExitStatus.done
    }

    /// Returns the state of the packages of each catalogue; empty while an operation is running.
    private func states() async throws -> [PackageStoreState] {
        guard running == nil, !packages.contains(where: { worker(of: $0.record) != nil }) else { return [] }
        var states: [PackageStoreState] = []
        for loader in try session.offline.allPackages() { states.append(await loader.state()) }
        return states
    }

    private func state(of record: RegionRecord) -> String {
        guard record.isUnfinishedPackage else { return "installed" }
        if let worker = worker(of: record) { return "\(record.stateWord), process \(worker)" }
        if let process = running?.process {
            return "\(record.isInstalledPackage ? "update pending" : record.stateWord), process \(process)"
        }
        return record.coming.isEmpty && !record.isInstalledPackage ? "incomplete" : "update interrupted"
    }

    private func worker(of record: RegionRecord) -> Int? { store.worker(of: record.number, at: .now) }

    private func json(_ name: PackageName, _ record: RegionRecord) -> JSON {
        [
            "catalog": .string(name.catalog), "id": .string(name.package), "region": .string(record.id),
            "edition": record.packageEdition.map { .string("\($0)") } ?? .null,
            "isWhole": .bool(!record.isUnfinishedPackage),
            "isUpdating": .bool(!record.coming.isEmpty),
            "worker": .count(worker(of: record)),
            "state": .string(record.stateWord), "tiles": .integer(record.tiles),
            "planned": .integer(record.plannedInUse),
            "bytes": .integer(record.bytes),
        ]
    }

    /// Runs `rhumb package cancel`, which asks the process that works on packages to stop.
    func cancel() throws -> Int32 {
        let asked = MapLoader.askToCancel(in: store)
        try invocation.print(
            [
                asked == nil
                    ? "No package operation is running"
                    : "Cancelled the running operation\(asked?.process.map { " (process \($0))" } ?? ""). "
                        + "To resume it: rhumb package resume"
            ],
            [
                "state": asked == nil ? "idle" : "cancelled",
                "process": .count(asked?.process.map { Int($0) }),
                "operation": .text(asked?.operation?.rawValue),
            ])
        return ExitStatus.done
    }
}

extension PackageStoreState {
    /// The recommended action; nil if none is needed.
    fileprivate var advice: String? {
        switch self {
        case .ok: nil
        case .pendingUpdate: "an operation was interrupted; resume with rhumb package resume"
        case .brokenUpdate: "some tiles failed; retry with rhumb update apply"
        case .corrupted:
            "some tiles are damaged; run rhumb package repair or, if that fails, rhumb update apply, then rhumb package clear"
        case .migrationNeeded: "the store was written by a newer Rhumb; update Rhumb"
        case .storageClosed: "the store is not available now"
        }
    }
}
