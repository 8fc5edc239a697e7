public import RhumbBase

extension RegionPlan {
    /// The sanitised lines of the plan for users, about 70 columns wide.
    public var lines: [String] {
        table + [""] + [timeLine].compactMap(\.self) + diskLines + packLines + groupLines
            + sources.flatMap(\.notes) + verdict.lines
    }

    private var table: [String] {
        let head = ["source", "zoom", "tiles", "stored", "to fetch", "size"]
        let zoomRows = rows.map { row in
            [name(of: row.source), "\(row.zoom)"] + amounts(row.tiles, row.stored, row.toFetch, row.size)
        }
        let total = ["all", "\(zooms)"] + amounts(tiles, stored, toFetch, size)
        return TextTable(head, leading: 1, zoomRows + [total]).lines
    }

    private func amounts(_ tiles: Int, _ stored: Int, _ toFetch: Int, _ size: ByteEstimate) -> [String] {
        let most = isExact ? "" : "≤ "
        return [
            most + AmountText.count(tiles), AmountText.count(stored), most + AmountText.count(toFetch),
            size.text,
        ]
    }

    private func name(of source: String) -> String {
        let match = sources.first { $0.id == source }
        return SafeText.sanitised(match?.name ?? source, limit: 24)
    }

    private var timeLine: String? { seconds.map { "time: at least \(AmountText.seconds($0))" } }

    private var diskLines: [String] {
        (storedSize.bytes > 0 ? ["size on disk: \(storedSize.text)"] : [])
            + (freeDisk.map { ["free on disk: \(AmountText.bytes($0))"] } ?? [])
    }

    private var packLines: [String] {
        sources.compactMap { source in
            source.packs.map { packs in
                "packs of \(name(of: source.id)): \(AmountText.count(packs.added.total)) more, "
                    + "\(AmountText.count(packs.used)) used of \(AmountText.count(packs.limit))"
            }
        }
    }

    private var groupLines: [String] {
        sources.flatMap(\.groups).map { ($0.isContained ? "with " : "without ") + $0.text }
    }

    /// The plan as JSON.
    public var json: JSON {
        [
            "zooms": [.integer(zooms.lowest), .integer(zooms.highest)], "exact": .bool(packing == .exact),
            "tiles": .integer(tiles), "stored": .integer(stored), "toFetch": .integer(toFetch),
            "countsAreExact": .bool(isExact), "bytes": .integer(size.bytes), "margin": .integer(size.margin),
            "storedBytes": .integer(storedSize.bytes),
            "duration": seconds.map { .number(($0 * 10).rounded() / 10) } ?? .null,
            "freeBytes": freeDisk.map { .integer($0) } ?? .null,
            "groups": .array(sources.flatMap { source in source.groups.map { $0.json(of: source.id) } }),
            "notes": .array(sources.flatMap(\.notes).map { .string($0) }),
            "rows": .array(rows.map(\.json)), "packs": .array(sources.compactMap(packs)),
            "verdict": verdict.json,
        ]
    }

    private func packs(of source: PlanSource) -> JSON? {
        source.packs.map { packs in
            [
                "source": .string(source.id), "added": .integer(packs.added.total),
                "used": .integer(packs.used),
                "limit": .integer(packs.limit), "left": .integer(packs.left),
            ]
        }
    }
}

extension PlanSource.Group {
    fileprivate func json(of source: String) -> JSON {
        [
            "source": .string(source), "features": .array(features.sorted().map { .string($0) }),
            "bytes": bytes.map { .integer($0) } ?? .null, "contained": .bool(isContained),
        ]
    }
}

extension RegionPlan.Row {
    fileprivate var json: JSON {
        [
            "source": .string(source), "zoom": .integer(zoom), "tiles": .integer(tiles),
            "stored": .integer(stored),
            "toFetch": .integer(toFetch), "bytes": .integer(size.bytes), "margin": .integer(size.margin),
        ]
    }
}
