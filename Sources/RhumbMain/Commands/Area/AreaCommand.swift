internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// `rhumb area …`: named sets of regions, packages, overlays and settings.
struct AreaCommand {
    private let invocation: Invocation
    private let file = AreaFile(Folders(environment: Environment.all))

    init(_ invocation: Invocation) { self.invocation = invocation }

    func run(_ verb: AreaVerb) async throws -> Int32 {
        switch verb {
        case .list: try list()
        case .show: try await show()
        case .check: return try await AreaCheck(invocation).run()
        case .create: try await create()
        case .open: return try await open()
        case .update: return try await update()
        case .export: return try await export()
        case .import: return try await importSet()
        case .remove:
            let area = try named()
            try file.remove(area.id)
            try invocation.print(
                ["removed \(area.id); its regions are kept, see rhumb region list"],
                ["state": "removed", "id": .string(area.id)])
        }
        return ExitStatus.done
    }

    private func named() throws(Notice.Problem) -> MapArea { try file.area(invocation.operand ?? "") }

    // MARK: Listing

    private func list() throws {
        let areas = try file.read()
        let none = ["No areas yet. See rhumb area create --help."]
        try invocation.print(
            areas.isEmpty ? none : TextTable(["area", "contents"], areas.map { [$0.id, $0.summary] }).lines,
            .array(areas.map(\.json)))
    }

    private func show() async throws {
        let area = try named()
        guard !invocation[.json] else { return try invocation.print(area.json) }
        let records = try await stored()
        var rows = area.regions.map { id in
            let record = records.named(id)
            return [
                record?.package == nil ? "region" : "package", id,
                record.map { "\($0.stateWord), \(AmountText.bytes($0.bytes))" } ?? "not stored",
            ]
        }
        rows += area.overlays.map { ["overlay", SafeText.sanitised($0, limit: 200), ""] }
        for (name, value) in [("map", area.map), ("style", area.style), ("grid", area.grid)] {
            if let value { rows.append([name, SafeText.sanitised(value, limit: 200), ""]) }
        }
        rows += area.bookmarks.map { ["bookmark", String($0), ""] }
        try Output.print(TextTable([], rows).lines.map { $0 + "\n" }.joined())
    }

    private func stored() async throws -> [RegionRecord] {
        try await invocation.withSession(asksFirst: false) { try $0.regions().records() }
    }

    // MARK: Changing

    private func create() async throws {
        let id = invocation.operand ?? "", records = try await stored()
        guard var area = MapArea(id: id) else {
            throw UsageError("area create: \(id) is no name; use letters, digits, -, _ and .")
        }
        for name in invocation.operands.dropFirst() where records.named(name) == nil {
            throw Notice.Problem("no region or package \(name); list them with rhumb region list")
        }
        area.regions = Array(invocation.operands.dropFirst())
        area.overlays = invocation[all: .over]
        area.map = invocation[.map]
        area.style = invocation[.style]
        area.grid = invocation[.grid].flatMap { $0 == "off" ? nil : $0 }
        area.bookmarks = invocation[.bookmarks] ?? ""
        if let letter = area.bookmarks.first(where: { !Bookmark.isLetter($0) }) {
            throw UsageError("--bookmarks: \(letter) is neither a letter nor a digit")
        }
        try file.add(area, replaces: invocation[.force])
        try invocation.print(
            ["\(area.id): \(area.summary)", "check it with rhumb area check \(area.id)"],
            area.json.adding(["state": "created"]))
    }

    /// Updates each region, and the packages if the area contains one.
    private func update() async throws -> Int32 {
        let area = try named(),
            records = try await stored().filter { record in
                area.regions.contains { $0 == record.id || $0 == record.package?.package }
            }
        let signals = Signals.ending(resume: "rhumb area update \(area.id)")
        defer { withExtendedLifetime(signals) {} }
        var status = ExitStatus.done
        for record in records where record.package == nil {
            let next = invocation.running(.region(.update), record.id)
            let end = try await RegionCommand.run(.update, next)
            if end > 128 { return end }
            status = max(status, end)
        }
        if records.contains(where: { $0.package != nil }) {
            let next = invocation.running(.update(.apply), nil)
            status = max(status, try await UpdateCommand.run(.apply, next, includesRegions: false))
        }
        if records.isEmpty { try invocation.print(["\(area.id) has no regions to update"], []) }
        return status
    }

    // MARK: Showing

    private func open() async throws -> Int32 {
        let area = try named(),
            records = try await stored().filter { record in
                area.regions.contains { $0 == record.id || $0 == record.package?.package }
            }
        var next = invocation.running(.open, area.baseMap(records))
        next.add(.over, area.overlays)
        if let style = area.style, invocation[.style] == nil { next.add(.style, [style]) }
        if let grid = area.grid, invocation[.grid] == nil { next.add(.grid, [grid]) }
        if let box = records.box, next[.center] == nil, next[.bbox] == nil { next.add(.bbox, [box]) }
        return try await MapCommand.run(next)
    }

    // MARK: Carrying

    private func export() async throws -> Int32 {
        let area = try invocation.operand.map(file.area)
        return try await transfer { transfer, _ in try transfer.export(area) }
    }

    private func importSet() async throws -> Int32 {
        try await transfer { transfer, session in
            // Tiles are indexed as they arrive.
            session.offlineSearch.startIndexing()
            return try transfer.importSet(invocation.operand ?? "")
        }
    }

    private func transfer(_ body: (AreaTransfer, MapSession) throws -> Int32) async throws -> Int32 {
        try await invocation.withSession(asksFirst: false) { session in
            let queue = try session.offline.regions(openedBy: MapOptions(invocation, session).opener)
            return try body(AreaTransfer(invocation, queue.regions, session.opener.catalog), session)
        }
    }
}

extension MapArea {
    /// Returns the specifier of the base map: its own, or the source of the first region, unless that
    /// refines the built-in world.
    func baseMap(_ records: [RegionRecord]) -> String? {
        if let map { return map }
        let first = regions.firstNonNil { records.named($0) }
        guard let source = first?.parts.first?.definition, !source.isVector else { return nil }
        return first?.definition?.sources.first
    }
}

extension [RegionRecord] {
    /// The box around all regions; nil if none has an area. A region across the antimeridian is the only one.
    var box: Bounds? {
        let boxes = compactMap { $0.definition?.geometry.bounds }
        guard let first = boxes.first else { return nil }
        if let wide = boxes.first(where: \.crossesAntimeridian) { return wide }
        return boxes.reduce(first) { sum, box in
            Bounds(
                west: Swift.min(sum.west, box.west), south: Swift.min(sum.south, box.south),
                east: Swift.max(sum.east, box.east), north: Swift.max(sum.north, box.north)) ?? sum
        }
    }
}
