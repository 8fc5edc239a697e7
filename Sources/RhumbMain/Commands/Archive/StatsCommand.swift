internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// `rhumb stats`: measures the tiles of an archive.
struct StatsCommand {
    /// The rows of the table.
    enum Rows: String {
        case zoom, layer, field, tile
    }

    private let invocation: Invocation

    init(_ invocation: Invocation) { self.invocation = invocation }

    func run() async throws -> Int32 {
        let options = try options
        return try await invocation.withArchive(invocation.operand ?? "") { input in
            if options.readsBodies { invocation.noteSize(of: input) }
            return try report(
                await ArchiveWork.run("reading") {
                    let statistics = try input.archive.statistics(of: input.path, options)
                    try input.checkUnchanged()
                    return statistics
                },
                of: input, budget: options.budget)
        }
    }

    private var rows: Rows { invocation[.by].flatMap(Rows.init) ?? .zoom }

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
                throw UsageError("stats: --by \(rows.rawValue) needs the tiles; remove --sizes-only")
            }
            return options
        }
    }

    private func weights(_ file: String) throws -> TileRequests {
        guard let bytes = Files.read(file, limit: TileRequests.sizeLimit) else {
            throw FileProblem(file, limit: TileRequests.sizeLimit)
        }
        do throws(TileRequests.Failure) {
            return try TileRequests(bytes)
        } catch {
            throw Notice.Problem("can't read the weights in \(SafeText.sanitised(file)): \(error)")
        }
    }

    private func report(
        _ outcome: ArchiveWork.Outcome<ArchiveStatistics>, of input: ArchiveInput, budget: Int?
    ) throws -> Int32 {
        guard case .done(let statistics) = outcome else { return outcome.interruption }
        if invocation[.tsv] {
            try Output.print(statistics.tsv(rows))
            for line in statistics.problems.lines { Output.say(line) }
        } else {
            try invocation.print(
                [input.name] + statistics.lines(rows, budget: budget),
                statistics.json(of: input.path, budget: budget))
        }
        let isSound = statistics.problems.count == 0 && statistics.overBudgetCount == 0
        return isSound ? ExitStatus.done : ExitStatus.gaps
    }
}
