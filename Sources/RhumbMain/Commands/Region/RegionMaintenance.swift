internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// The maintenance commands for regions: check, why, export and import.
struct RegionMaintenance {
    private let command: RegionCommand
    private var invocation: Invocation { command.invocation }

    init(_ command: RegionCommand) { self.command = command }

    func check() throws -> Int32 {
        let record = try command.record()
        let check = try checked(record)
        let absent = check.absent > 0 ? ", \(AmountText.count(check.absent)) absent" : ""
        let tiles = AmountText.count(check.tiles, "tile")
        var lines = ["\(record.id): \(AmountText.count(check.present)) of \(tiles) stored\(absent)"]
        if check.isEmpty { lines.append("  empty: the source has nothing here") }
        if check.isWhole && !check.isEmpty { lines.append("  complete, works offline") }
        if let unfinished = record.unfinishedUpdate {
            let next = record.command(record.package == nil ? "resume" : "update")
            lines.append("  \(unfinished); run \(next)")
        }
        if check.missingCount > 0 {
            let some = check.missing.prefix(5).map(\.description).joined(separator: " ")
            let count = AmountText.count(check.missingCount)
            lines.append("  missing \(count), e.g. \(some); run \(record.remedyForMissing)")
        }
        if check.incomplete > 0 {
            lines.append(
                "  \(AmountText.count(check.incomplete)) lack enabled layers; run \(record.command("repair"))"
            )
        }
        if !check.damaged.isEmpty {
            lines.append(
                "  damaged \(AmountText.count(check.damaged.count)); run \(record.command("repair"))"
            )
        }
        let names = OriginNames(record.covers.map(\.origin))
        lines += check.damaged.prefix(RegionMaintenance.listLimit).map { key in
            guard case .tile(let origin, let tile) = key else { return "    \(SafeText.sanitised("\(key)"))" }
            return "    \(names.name(of: origin)) \(tile)"
        }
        let more = check.damaged.count - RegionMaintenance.listLimit
        if more > 0 { lines.append("    and \(AmountText.count(more)) more") }
        lines += check.faults.map { "  \($0)" }
        try invocation.print(
            lines,
            [
                "state": .string(check.isEmpty ? "empty" : check.isWhole ? "complete" : "incomplete"),
                "id": .string(record.id),
                "tiles": .integer(check.tiles), "present": .integer(check.present),
                "absent": .integer(check.absent),
                "missing": .integer(check.missingCount), "incomplete": .integer(check.incomplete),
                "damaged": .integer(check.damaged.count), "isWhole": .bool(check.isWhole),
                "damagedEntries": .array(check.damaged.map { ["key": .string("\($0)")] }),
                "problems": .messages(check.faults),
            ])
        return check.isWhole && !check.isEmpty ? ExitStatus.done : ExitStatus.gaps
    }

    /// Maximum number of damaged tiles in the text. JSON has all of them.
    private static let listLimit = 100

    private func checked(_ record: RegionRecord) throws -> RegionCheck {
        try ProgressMeter.run("checking \(record.id)", .count("tiles")) { try command.regions.check(record) }
    }

    func repair() async throws -> Int32 {
        if try !command.store.integrityFaults().isEmpty {
            return try await RegionMaintenance.recover(command.store.path, invocation)
        }
        let orphans = try command.store.sweepOrphans()
        if orphans > 0 {
            Output.note("rhumb: removed \(AmountText.count(orphans, "tile")) that no region uses")
        }
        guard invocation.operand != nil else {
            try invocation.print(
                ["the region store is sound; name a region to repair its tiles"],
                ["state": "repaired", "removedTiles": .integer(orphans)])
            return ExitStatus.done
        }
        let record = try await withSources(command.record())
        let check = try checked(record)
        if check.isWhole {
            let corrected = try command.regions.correctState(of: record, check)
            if record.isUpdating {
                let way = record.command("resume")
                try invocation.print(
                    ["\(record.id) has all its tiles, but its last update is unfinished; run \(way)"],
                    ["state": .string(record.stateWord), "id": .string(record.id), "isWhole": true])
                return ExitStatus.gaps
            }
            let work = corrected == nil ? "nothing to repair" : "its state is corrected"
            try invocation.print(
                ["\(record.id) is complete; \(work)"],
                ["state": "complete", "id": .string(record.id), "isWhole": true])
            return ExitStatus.done
        }
        let ready = try command.regions.prepareRepair(of: record, check)
        var pass = SyncMode(.download)
        pass.acceptsExpired = true
        let status = try await command.work(ready, pass)
        guard status == ExitStatus.done, !invocation[.detach] else { return status }
        let left = try command.store.documentFaults(of: record.number)
        for (address, isDamaged) in left {
            Output.say(
                "rhumb: \(SafeText.sanitised(address)) is still \(isDamaged ? "damaged" : "missing"); run rhumb "
                    + "region update \(record.id)")
        }
        return left.isEmpty ? status : ExitStatus.gaps
    }

    /// Returns the region. If its sources were lost with a part of the store, they are opened again.
    private func withSources(_ record: RegionRecord) async throws -> RegionRecord {
        guard record.parts.isEmpty, let definition = record.definition else { return record }
        let sources = try await command.queue.sources(of: definition, previous: record)
        return try await command.record(
            of: command.queue.plan(definition, of: sources, isPermitted: invocation[.permitted]))
    }

    /// Recovers a damaged region store, and then repairs as usual.
    static func recover(_ path: String, _ invocation: Invocation) async throws -> Int32 {
        let recovery = try StoreRecovery.run(path)
        for line in lines(recovery) { Output.say("rhumb: \(SafeText.sanitised(line, limit: 400))") }
        let status = try await RegionCommand.run(.check, invocation)
        let isWhole = recovery.lost == 0 && recovery.unreadable.isEmpty && recovery.faults.isEmpty
        return status == ExitStatus.done && !isWhole ? ExitStatus.gaps : status
    }

    private static func lines(_ recovery: StoreRecovery) -> [String] {
        let saved =
            recovery.regions.isEmpty
            ? "no region could be recovered"
            : "\(recovery.regions.joined(separator: ", ")) and \(AmountText.count(recovery.tiles, "tile")) were recovered, "
                + "\(AmountText.count(recovery.lost)) were lost"
        var lines = ["the region store was damaged: \(saved); the old file is now \(recovery.aside)"]
        for (id, count) in recovery.lostTiles.sorted(by: { $0.key < $1.key }) {
            lines.append(
                "\(id) lost \(AmountText.count(count, "tile")); fetch them with rhumb region resume \(id)")
        }
        for id in recovery.unreadable {
            lines.append(
                "the definition of \(id) can't be read; its tiles stay until rhumb region remove \(id)")
        }
        return lines + recovery.faults
    }

    func why() throws -> Int32 {
        guard let tile = invocation[.tile] else {
            throw UsageError(
                "region why: missing tile; use region why ID "
                    + "Z/X/Y")
        }
        let record = try command.record(), now = UnixSeconds.now
        var lines: [String] = [], values: [JSON] = [], isThere = false
        let names = OriginNames(record.covers.map(\.origin))
        for (origin, cover) in record.covers {
            let key = ResourceKey.tile(origin: origin, tile)
            let stored = command.store.response(for: key)
            isThere = isThere || stored != nil
            let name = names.name(of: origin),
                standing = standing(stored, cover.contains(tile), of: record, now)
            lines.append("\(name) \(tile): \(standing)")
            let gaps = try command.store.gaps(of: record.number, limit: 100_000).filter {
                $0.tile == tile && $0.origin == origin
            }
            lines += gaps.map { "  the last request failed: \($0.reason)" }
            lines.append("  pack \(TilePack(containing: tile))")
            let state = stored.map { $0.state(at: now) == .fresh ? "fresh" : "stale" }
            values.append([
                "source": .string(name), "tile": .string("\(tile)"),
                "pack": .string("\(TilePack(containing: tile))"),
                "state": .string(state ?? (cover.contains(tile) ? "missing" : "outside")),
                "bytes": .count(stored?.body?.count), "receivedAt": .time(stored?.freshness.receivedAt),
                "message": .string(standing), "problems": .messages(gaps.map(\.reason)),
            ])
        }
        try invocation.print(lines, .array(values))
        return isThere ? ExitStatus.done : ExitStatus.failed
    }

    private func standing(
        _ stored: StoredResponse?, _ isCovered: Bool, of record: RegionRecord, _ now: UnixSeconds
    ) -> String {
        guard let stored else {
            return isCovered
                ? "missing, but in the region's area; run \(record.command("repair"))" : "outside the region"
        }
        return stored.standing(at: now)
    }

    func export() throws -> Int32 {
        guard let path = invocation[.output] else {
            throw UsageError("region export needs -o FILE that ends in \(ArchiveFormat.suffixes)")
        }
        guard URLReference(path).scheme == nil else {
            throw UsageError("-o: expected a file; a program such as rclone uploads it to a server")
        }
        let record = try command.record(), source = invocation[.source], isReplacing = invocation[.force]
        let generator = "Rhumb \(CommandTable.version)"
        let isPattern = source == nil && path.contains(Regions.sourcePlaceholder)
        let files: [(path: String, summary: ExportSummary)]
        do {
            files = try ProgressMeter.run("exporting \(record.id)", .count("tiles")) {
                try isPattern
                    ? command.regions.exportEach(
                        record, to: path, isReplacing: isReplacing, generator: generator)
                    : [
                        (
                            path,
                            command.regions.export(
                                record, of: source, to: path, isReplacing: isReplacing, generator: generator)
                        )
                    ]
            }
        } catch let failure as ExportFailure where failure.reason == .exists {
            throw Notice.Problem(existing: failure)
        }
        try invocation.print(
            files.map { path, summary in
                "\(SafeText.sanitised(path)): \(AmountText.count(summary.tiles, "tile")), file size "
                    + AmountText.bytes(summary.bytes)
            },
            isPattern
                ? .array(files.map { $0.summary.json(of: record, at: $0.path) })
                : files[0].summary.json(of: record, at: path))
        for (path, summary) in files where !summary.isWhole {
            let parts = [(summary.missingTiles, "missing"), (summary.damagedTiles, "damaged")]
            let counts = parts.filter { $0.0 > 0 }.map { "\(AmountText.count($0.0)) \($0.1)" }
            let total = AmountText.count(summary.missingTiles + summary.damagedTiles, "tile")
            Output.say(
                "rhumb: \(SafeText.sanitised(path)) lacks \(total) (\(counts.joined(separator: ", "))); fetch them "
                    + "with \(record.command("repair")), and export again")
        }
        return files.allSatisfy(\.summary.isWhole) ? ExitStatus.done : ExitStatus.gaps
    }

    func importArchive() async throws -> Int32 {
        guard let path = invocation[.from], let name = invocation[.source] else {
            throw UsageError("region import needs --source and --from FILE")
        }
        let isConfigured = try invocation.catalog().sources().contains { $0.id == name }
        guard name != EmbeddedWorld.name, isConfigured || !Files.exists(name) else {
            throw Notice.Problem(
                "--source must name the web source that the tiles are from, not \(SafeText.sanitised(name)); "
                    + "see rhumb help sources")
        }
        let archive = try TileProbes.open(path, isTMS: false)
        let opened = try await command.queue.sources([name], scale: 1)
        let sources = opened.map { $0.described(by: archive) }
        guard sources.count == 1 else {
            throw Notice.Problem(
                "\(name) is a map with \(sources.count) sources, but an archive has only one; choose it with --source"
            )
        }
        guard let source = sources.first, source.supply.policy.offline != .denied else {
            throw Notice.Problem("the policy of \(name) does not allow regions, not even imported ones")
        }
        let isVector = archive.refusal?.reason == .vectorTiles,
            expected = opened.first?.definition.tileBodyKind ?? .either
        guard expected == .either || (expected == .vectorTile) == isVector else {
            throw Notice.Problem(
                "\(SafeText.sanitised(path)) contains \(isVector ? "vector tiles" : "pictures"), but the source \(name) has \(isVector ? "pictures" : "vector tiles"); choose the source that the archive was made of"
            )
        }
        let bounds = archive.info.bounds ?? Bounds(west: -180, south: -85, east: 180, north: 85)
        guard let bounds else { throw Notice.Problem("\(path) has no bounds") }
        let definition = try RegionDefinition(
            id: RegionID(invocation.operand ?? ""), name: archive.info.name, geometry: .box(bounds),
            zooms: ZoomRange(archive.info.zooms.lowerBound, archive.info.zooms.upperBound), sources: [name],
            features: invocation.layerConfiguration().enabledFeatures.map(\.name).sorted(), packing: .exact)
        let record = try await command.record(
            of: command.queue.plan(definition, of: sources, isPermitted: invocation[.permitted]))
        let (count, outside) = try ProgressMeter.run("importing \(record.id)", .count("tiles")) {
            try command.regions.fill(record, from: archive, at: .now)
        }
        let missing = record.planned - count
        let isCancelled = try command.record().state == .cancelled
        let way = isCancelled ? "resume \(record.id)" : "check \(record.id) --repair"
        var lines = ["\(record.id): \(AmountText.count(count, "tile")) imported"]
        if missing > 0 {
            lines.append(
                "  \(AmountText.count(missing, "tile")) not in the archive; to download, run rhumb region \(way)"
            )
        }
        if outside > 0 {
            lines.append("  \(AmountText.count(outside)) skipped: outside the bounds declared by the archive")
        }
        try invocation.print(
            lines,
            [
                "state": "imported", "id": .string(record.id), "tiles": .integer(count),
                "missing": .integer(missing),
                "outside": .integer(outside),
            ])
        return missing > 0 || outside > 0 ? ExitStatus.gaps : ExitStatus.done
    }
}

extension ExportSummary {
    fileprivate func json(of record: RegionRecord, at path: String) -> JSON {
        [
            "state": "exported", "id": .string(record.id), "path": .string(path), "tiles": .integer(tiles),
            "bodies": .integer(bodies), "bytes": .integer(bytes), "missing": .integer(missingTiles),
            "damaged": .integer(damagedTiles),
        ]
    }
}
