internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// What the store of regions knows of packages, without any catalogue.
@MainActor
struct InstalledPackages {
    private let invocation: Invocation
    private let store: RegionStore
    private let packages: [(name: PackageName, record: RegionRecord)]

    init(_ invocation: Invocation, _ session: MapSession) throws {
        self.invocation = invocation
        store = try session.regions().store
        packages = try store.regions().compactMap { record in record.package.map { ($0, record) } }
    }

    /// `rhumb package status`
    func list() throws -> Int32 {
        let table = TextTable(
            ["package", "catalogue", "edition", "state", "tiles", "bytes"], leading: 4,
            packages.map { name, record in
                [
                    name.package, name.catalog, record.packageEdition.map { "\($0)" } ?? "", state(of: record),
                    "\(AmountText.count(record.settled - record.failed))/\(AmountText.count(record.planned))", AmountText.bytes(record.bytes),
                ]
            })
        try print(
            packages.isEmpty ? ["no packages are installed: rhumb package tree lists what there is"] : table.lines,
            .array(packages.map(json)))
        return packages.contains { $0.record.isUnfinishedPackage } ? ExitStatus.gaps : ExitStatus.done
    }

    private func state(of record: RegionRecord) -> String {
        guard record.isUnfinishedPackage else { return "installed" }
        if let worker = worker(of: record) { return "\(record.stateWord), by process \(worker)" }
        return record.coming.isEmpty
            ? "broken off: rhumb package install \(record.package?.package ?? "")" : "update broken off: rhumb update apply"
    }

    private func worker(of record: RegionRecord) -> Int? { store.worker(of: record.number, at: .now) }

    private func json(_ name: PackageName, _ record: RegionRecord) -> JSON {
        [
            "catalog": .string(name.catalog), "id": .string(name.package), "region": .string(record.id),
            "edition": record.packageEdition.map { .string("\($0)") } ?? .null, "isWhole": .bool(!record.isUnfinishedPackage),
            "isUpdating": .bool(!record.coming.isEmpty), "worker": worker(of: record).map { .integer($0) } ?? .null,
            "state": .string(record.stateWord), "tiles": .integer(record.tiles), "planned": .integer(record.planned),
            "bytes": .integer(record.bytes),
        ]
    }

    /// `rhumb package cancel`: asks each process that works on packages to stop.
    func cancel() throws -> Int32 {
        let told = try packages.filter { try store.send(.cancel, of: $0.record.number, at: .now) }.map(\.name.package)
        try print(
            [told.isEmpty ? "nobody works on packages" : "told the process that works on \(told.joined(separator: ", "))"],
            ["told": .array(told.map { .string($0) })])
        return ExitStatus.done
    }

    private func print(_ lines: [String], _ json: JSON) throws {
        try Output.print((invocation[.json] ? json.text : lines.joined(separator: "\n")) + "\n")
    }
}
