internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// `rhumb archive info`: reports the contents of an archive and its faults.
struct ArchiveInfoCommand {
    /// The rows of the statistics.
    enum Rows: String {
        case zoom, layer, field, tile
    }

    private let invocation: Invocation

    init(_ invocation: Invocation) { self.invocation = invocation }

    func run() async throws -> Int32 {
        try refuseConflicts()
        let options = try measures ? options : nil
        return try await invocation.withArchive(invocation.operand ?? "") { input in
            if let tile = invocation[.tile] { return try await report(tile, of: input) }
            if showsFigures, !checks, let image = input.archive as? GeoTIFFArchive {
                return try report(image)
            }
            if checks || listsFields || options?.readsBodies == true { invocation.noteSize(of: input) }
            var status = ExitStatus.done
            if showsFigures { status = max(status, try await reportFigures(of: input)) }
            if status <= ExitStatus.gaps, let options {
                status = max(status, try await reportStatistics(of: input, options))
            }
            if status <= ExitStatus.gaps, listsFields {
                status = max(status, try await reportFields(of: input))
            }
            return status
        }
    }

    // MARK: Options

    /// True if every tile is checked.
    private var checks: Bool { invocation[.check] || invocation[.repair] }

    private var listsFields: Bool { invocation[.fields] }

    /// True if the statistics are requested.
    private var measures: Bool {
        invocation[.by] != nil || invocation[.tiles] || invocation[.tileBudget] != nil
            || invocation[.weights] != nil || invocation[.sizesOnly] || invocation[.tsv]
    }

    private var showsFigures: Bool { checks || !(measures || listsFields) }

    private var rows: Rows { invocation[.by].flatMap(Rows.init) ?? (invocation[.tiles] ? .tile : .zoom) }

    private func refuseConflicts() throws(UsageError) {
        guard invocation[.repair] || invocation[.output] == nil else {
            throw UsageError("archive info: --output needs --repair")
        }
        let parts = [checks, measures, listsFields].count { $0 }
        guard parts < 2 || !(invocation[.json] || invocation[.tsv]) else {
            throw UsageError(
                "archive info: --json and --tsv print one report; give one of --check, --by and --fields")
        }
    }

    private var options: ArchiveStatistics.Options {
        get throws {
            var options = ArchiveStatistics.Options()
            options.measuresLayers = rows == .layer
            options.measuresFields = rows == .field
            options.readsBodies = !invocation[.sizesOnly]
            options.sample = invocation[.sample]
            options.budget = invocation[.tileBudget]
            options.top = invocation[.top] ?? (rows == .tile || invocation[.json] ? 10 : 0)
            options.weights = try invocation[.weights].map(weights)
            guard options.readsBodies || !(options.measuresLayers || options.measuresFields) else {
                throw UsageError(
                    "archive info: --by \(rows.rawValue) needs the tiles; remove --sizes-only")
            }
            return options
        }
    }

    private func weights(_ file: String) throws -> TileRequests {
        let bytes = try Files.contents(file, limit: TileRequests.sizeLimit)
        return try converting(TileRequests(bytes)) { (error: TileRequests.Failure) in
            Notice.Problem("can't read the weights in \(SafeText.sanitised(file)): \(error)")
        }
    }

    // MARK: Figures and faults

    private func report(_ image: GeoTIFFArchive) throws -> Int32 {
        var sheet = FactSheet()
        for fact in image.facts { sheet.add(fact.key, fact.name, fact.text) }
        for figure in image.figures { sheet.add(figure.key, nil, "", figure.value) }
        try invocation.print(sheet)
        return ExitStatus.done
    }

    /// The report of an archive and, after a repair, the faults of the copy.
    private struct Figures: Sendable {
        let found: ArchiveInspection
        var copy: (path: String, omitted: Int, left: ArchiveVerification)?
    }

    private static func inspected(
        _ input: ArchiveInput, checks: Bool, _ limit: Int
    ) throws -> ArchiveInspection {
        let found = try input.archive.inspect(checksContents: checks, limit: limit, probe: TileProbes.header)
        {
            try? SniffingDecoder().decode($0, limits: .tile)
        }
        try input.checkUnchanged()
        return found
    }

    private func reportFigures(of input: ArchiveInput) async throws -> Int32 {
        let limit = invocation[.top] ?? 10, checks = checks
        guard invocation[.repair] else {
            return try report(
                await ArchiveWork.run(checks ? "checking" : "reading") {
                    Figures(found: try Self.inspected(input, checks: checks, limit))
                })
        }
        let path = try invocation.requiredOutput()
        let work = try ArchiveCopy(of: input, to: path, isReplacing: invocation[.force])
        return try report(
            await ArchiveWork.run("repairing") {
                let found = try Self.inspected(input, checks: true, limit)
                let omitted = try work.repair(found.faults).omitted
                let copy = ArchiveInput(path, try TileProbes.open(path, isTMS: false))
                let left = try Self.inspected(copy, checks: true, limit).faults
                return Figures(found: found, copy: (path, omitted, left))
            })
    }

    private func report(_ figures: Figures) throws -> Int32 {
        let found = figures.found
        var lines = found.lines + found.faults.lines
        let json = found.json.adding(found.faults.members)
        guard let (path, omitted, left) = figures.copy else {
            if found.faults.groups.contains(where: \.kind.isRepairable) {
                lines += ["", "Fix the repairable faults in a copy: add --repair -o FILE"]
            }
            try invocation.print(lines, json.adding(["repaired": .null]))
            return found.faults.isSound ? ExitStatus.done : ExitStatus.gaps
        }
        lines += ["", SafeText.sanitised(path) + ": " + left.summary + " in the repaired copy"]
        if omitted > 0 { lines.append("  omitted: " + AmountText.count(omitted, "unreadable or empty part")) }
        if left.faultCount > 0 { lines += left.lines }
        try invocation.print(lines, json.adding(["repaired": left.json(of: path, omitted: omitted)]))
        return left.isSound && omitted == 0 ? ExitStatus.done : ExitStatus.gaps
    }

    // MARK: Statistics and fields

    private func reportStatistics(
        of input: ArchiveInput, _ options: ArchiveStatistics.Options
    ) async throws -> Int32 {
        let statistics = try await ArchiveWork.run("reading") {
            let statistics = try input.archive.statistics(of: input.path, options)
            try input.checkUnchanged()
            return statistics
        }
        if invocation[.tsv] {
            try Output.print(statistics.tsv(rows))
            for line in statistics.problems.lines { Output.say(line) }
        } else {
            try invocation.print(
                heading(of: input) + statistics.lines(rows, budget: options.budget),
                statistics.json(of: input.path, budget: options.budget))
        }
        let isSound = statistics.problems.count == 0 && statistics.overBudgetCount == 0
        return isSound ? ExitStatus.done : ExitStatus.gaps
    }

    private func reportFields(of input: ArchiveInput) async throws -> Int32 {
        let sample = invocation[.sample]
        let schema = try await ArchiveWork.run("reading") {
            let schema = try input.archive.schema(of: input.path, sample: sample)
            try input.checkUnchanged()
            return schema
        }
        try invocation.print(heading(of: input) + schema.lines, schema.json(of: input.path))
        return schema.isSound ? ExitStatus.done : ExitStatus.gaps
    }

    /// The line above a report: the name of the archive, or an empty line below another report.
    private func heading(of input: ArchiveInput) -> [String] { showsFigures ? [""] : [input.name] }

    // MARK: One tile

    private func report(_ tile: TileID, of input: ArchiveInput) async throws -> Int32 {
        let plain = try input.body(of: tile), stored = try input.archive.storedBody(tile) ?? []
        let kind = TileKind(of: plain), isVector = kind.isVector || kind == .unknown
        var sheet = FactSheet()
        sheet.add("file", nil, input.path)
        sheet.add("tile", "tile", "\(tile)")
        sheet.add("kind", "kind", (isVector ? TileKind.vector : kind).rawValue)
        sheet.add("bytes", "stored", AmountText.bytes(stored.count), .integer(stored.count))
        sheet.add("unpackedBytes", "unpacked", AmountText.bytes(plain.count), .integer(plain.count))
        let size = isVector ? nil : TileProbes.header(plain)
        sheet.add("width", size == nil ? nil : "width", "\(size?.width ?? 0)", .count(size?.width))
        sheet.add("height", size == nil ? nil : "height", "\(size?.height ?? 0)", .count(size?.height))
        guard isVector else {
            sheet.add("layers", nil, "", .null)
            try invocation.print(sheet)
            return ExitStatus.done
        }
        let schema = try input.archive.schema(of: input.path, tile: tile)
        guard invocation[.json] else {
            try Output.print(sheet.text)
            try invocation.print(schema.tileLines, .null)
            return schema.problems.count == 0 ? ExitStatus.done : ExitStatus.gaps
        }
        try invocation.print(sheet.json.adding(["layers": schema.layerJSON]))
        return schema.problems.count == 0 ? ExitStatus.done : ExitStatus.gaps
    }
}
