internal import Rhumb
internal import RhumbCommandLine

/// `rhumb stats`: measures the tiles of an archive.
struct StatsCommand {
    /// The rows of the table.
    enum Rows: String {
        case zoom, layer, tile
    }

    private let invocation: Invocation

    init(_ invocation: Invocation) { self.invocation = invocation }

    func run() async throws -> Int32 {
        try await invocation.withArchive(invocation.operand ?? "") { input in
            invocation.noteSize(of: input)
            return try measure(input)
        }
    }

    private func measure(_ input: ArchiveInput) throws -> Int32 {
        let rows = invocation[.by].flatMap(Rows.init) ?? .zoom
        let top = invocation[.top] ?? (rows == .tile || invocation[.json] ? 10 : 0)
        var options = ArchiveStatistics.Options()
        options.measuresLayers = rows == .layer
        options.sample = invocation[.sample]
        options.budget = invocation[.tileBudget]
        options.top = top
        let statistics = try ProgressMeter.run("reading", .count("tiles")) {
            try input.archive.statistics(of: input.path, options)
        }
        try invocation.print(
            [input.name] + statistics.lines(rows, budget: options.budget),
            statistics.json(of: input.path, budget: options.budget))
        let isSound = statistics.problems.count == 0 && statistics.overBudgetCount == 0
        return isSound ? ExitStatus.done : ExitStatus.gaps
    }
}

extension ArchiveStatistics {
    /// The result as lines of text, about 80 columns wide and sanitised.
    fileprivate func lines(_ rows: StatsCommand.Rows, budget: Int?) -> [String] {
        var lines = summary
        switch rows {
        case .zoom: lines += [""] + zoomTable
        case .layer: lines += [""] + layerTable
        case .tile: break
        }
        if !largest.isEmpty { lines += ["", "Largest tiles:"] + Self.table(largest) }
        if let budget { lines += budgetLines(budget) }
        return lines + problems.lines
    }

    private var summary: [String] {
        let repeats = duplicates == 0 ? "no duplicates" : AmountText.count(duplicates, "duplicate")
        let bodies = AmountText.count(distinct, "distinct body", plural: "distinct bodies")
        var lines = [
            "  tiles     \(AmountText.count(tileCount)): \(bodies) (\(AmountText.bytes(distinctBytes))), \(repeats)",
            "  stored    " + Self.text(stored, of: readCount),
            "  unpacked  " + Self.text(plain, of: readCount),
        ]
        if readCount != tileCount {
            lines.append("  sample    \(AmountText.count(readCount, "tile")); all sizes are of the sample")
        }
        return lines
    }

    private static func text(_ sizes: Sizes, of count: Int) -> String {
        let largest = sizes.largestTile.map { ", largest \(AmountText.bytes(sizes.largest)) (\($0))" } ?? ""
        return "\(AmountText.bytes(sizes.total)), mean \(AmountText.bytes(sizes.mean(of: count)))\(largest)"
    }

    private var zoomTable: [String] {
        let head = ["zoom", "tiles", "distinct", "stored", "mean", "largest", "unpacked", "mean", "largest"]
        let rows = zooms.map { zoom in
            [
                "\(zoom.zoom)", AmountText.count(zoom.tiles), AmountText.count(zoom.distinct),
            ]
                + [zoom.stored, zoom.plain].flatMap { sizes in
                    [sizes.total, sizes.mean(of: zoom.readCount), sizes.largest].map(AmountText.bytes)
                }
        }
        return TextTable(head, leading: 0, rows).lines
    }

    private var layerTable: [String] {
        let layers = layers ?? [], all = layers.reduce(0) { $0.saturatingAdd($1.size.bytes) }
        let head = ["layer", "tiles", "features", "vertices", "attributes", "bytes", "share"]
        let rows = layers.map { layer in
            [SafeText.sanitised(layer.name, limit: 20)]
                + [layer.tiles, layer.size.features, layer.size.vertices].map { AmountText.count($0) }
                + [layer.size.attributeBytes, layer.size.bytes].map(AmountText.bytes)
                + [AmountText.percent(Double(layer.size.bytes) / Double(max(all, 1)))]
        }
        let more =
            isTruncated ? ["The layers after the first \(ArchiveSchema.layerLimit) are missing."] : []
        return TextTable(head, leading: 1, rows).lines + more
    }

    private static func table(_ tiles: [TileSize]) -> [String] {
        let rows = tiles.map { ["\($0.tile)", AmountText.bytes($0.stored), AmountText.bytes($0.plain)] }
        return TextTable(["tile", "stored", "unpacked"], leading: 1, rows).lines.map { "  " + $0 }
    }

    private func budgetLines(_ budget: Int) -> [String] {
        guard overBudgetCount > 0 else { return ["", "No tile exceeds \(AmountText.bytes(budget))."] }
        let verb = overBudgetCount == 1 ? "exceeds" : "exceed"
        let head = "\(AmountText.count(overBudgetCount, "tile")) \(verb) \(AmountText.bytes(budget)):"
        let hidden = overBudgetCount - overBudget.count
        let more = hidden > 0 ? ["  and \(AmountText.count(hidden)) more"] : []
        return ["", head] + Self.table(overBudget) + more
    }
}

// MARK: JSON

extension ArchiveStatistics {
    fileprivate func json(of path: String, budget: Int?) -> JSON {
        let whole: JSON = [
            "file": .string(path), "tiles": .integer(tileCount), "readTiles": .integer(readCount),
            "distinctBodies": .integer(distinct), "distinctBytes": .integer(distinctBytes),
            "duplicates": .integer(duplicates),
        ]
        return whole.adding(stored.json("stored", readCount)).adding(plain.json("unpacked", readCount))
            .adding([
                "zooms": .array(zooms.map(\.json)), "layers": layers.map { .array($0.map(\.json)) } ?? .null,
                "largest": .array(largest.map(\.json)), "budget": .count(budget),
                "overBudgetTiles": budget == nil ? .null : .integer(overBudgetCount),
                "overBudget": .array(overBudget.map(\.json)), "truncated": .bool(isTruncated),
                "problemCount": .integer(problems.count), "problems": .messages(problems.examples),
            ])
    }
}

extension ArchiveStatistics.Sizes {
    /// Returns the mean in bytes, rounded down; 0 without bodies.
    fileprivate func mean(of count: Int) -> Int { count > 0 ? total / count : 0 }

    /// Returns an object with the sizes as the member of that name.
    fileprivate func json(_ name: String, _ count: Int) -> KeyValuePairs<String, JSON> {
        [
            name: [
                "bytes": .integer(total), "mean": .integer(mean(of: count)), "largest": .integer(largest),
                "largestTile": .text(largestTile?.description),
            ]
        ]
    }
}

extension ArchiveStatistics.Zoom {
    fileprivate var json: JSON {
        let zoom: JSON = [
            "zoom": .integer(zoom), "tiles": .integer(tiles), "readTiles": .integer(readCount),
            "distinctBodies": .integer(distinct),
        ]
        return zoom.adding(stored.json("stored", readCount)).adding(plain.json("unpacked", readCount))
    }
}

extension ArchiveStatistics.Layer {
    fileprivate var json: JSON {
        [
            "name": .string(name), "tiles": .integer(tiles), "features": .integer(size.features),
            "vertices": .integer(size.vertices), "attributeBytes": .integer(size.attributeBytes),
            "bytes": .integer(size.bytes), "mean": .integer(sizes.mean(of: tiles)),
            "largest": .integer(sizes.largest), "largestTile": .text(sizes.largestTile?.description),
        ]
    }
}

extension ArchiveStatistics.TileSize {
    fileprivate var json: JSON {
        ["tile": .string("\(tile)"), "bytes": .integer(stored), "unpackedBytes": .integer(plain)]
    }
}
