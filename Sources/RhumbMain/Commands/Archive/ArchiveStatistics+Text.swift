internal import Rhumb
internal import RhumbBrowser

/// Statistics as text.
extension ArchiveStatistics {
    /// The result as lines of text, about 80 columns wide and sanitised.
    func lines(_ rows: ArchiveInfoCommand.Rows, budget: Int?) -> [String] {
        var lines = summary
        switch rows {
        case .zoom: lines += [""] + zoomTable
        case .layer: lines += [""] + layerTable
        case .field: lines += [""] + fieldTable
        case .tile: lines += [""] + histogramTable
        }
        if !largest.isEmpty {
            lines += ["", hasWeights ? "Tiles with the most data sent:" : "Largest tiles:"]
            lines += Self.table(largest)
        }
        if let budget { lines += budgetLines(budget) }
        if !hasReadBodies {
            lines += [
                "", "No tile was read: contents, damage and unpacked sizes are unknown, and equal",
                "bodies that are stored twice count twice.",
            ]
        }
        return lines + problems.lines
    }

    private var hasWeights: Bool { weightedRequests != nil }

    private var summary: [String] {
        let repeats = duplicates == 0 ? "no duplicates" : AmountText.count(duplicates, "duplicate")
        let kind = hasReadBodies ? "distinct" : "stored"
        let bodies = AmountText.count(distinct, kind + " body", plural: kind + " bodies")
        var lines = [
            "  tiles     \(AmountText.count(tileCount)): \(bodies) (\(AmountText.bytes(distinctBytes))), \(repeats)",
            "  stored    " + Self.text(stored, of: readCount),
        ]
        if hasReadBodies { lines.append("  unpacked  " + Self.text(plain, of: readCount)) }
        if let emptyCount { lines.append("  empty     \(AmountText.count(emptyCount)) without features") }
        if let weightedRequests {
            let missing = weightedRequests - requests
            let mean = requests > 0 ? ", mean \(AmountText.bytes(sentBytes / requests))" : ""
            let rest = missing > 0 ? "; \(AmountText.count(missing)) for other tiles" : ""
            lines.append(
                "  requests  \(AmountText.count(requests)): \(AmountText.bytes(sentBytes)) sent\(mean)\(rest)"
            )
        }
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
        let sizes = ["stored", "mean", "largest"]
        let closing =
            hasWeights ? ["requests", "sent", "mean"] : hasReadBodies ? ["unpacked", "mean", "largest"] : []
        let rows = zooms.map { zoom in
            let first = ["\(zoom.zoom)", AmountText.count(zoom.tiles), AmountText.count(zoom.distinct)]
            let stored = zoom.stored.cells(zoom.readCount)
            guard !hasWeights else {
                let mean = zoom.requests > 0 ? AmountText.bytes(zoom.sentBytes / zoom.requests) : ""
                return first + stored
                    + [AmountText.count(zoom.requests), AmountText.bytes(zoom.sentBytes), mean]
            }
            return first + stored + (hasReadBodies ? zoom.plain.cells(zoom.readCount) : [])
        }
        let bodies = hasReadBodies ? "distinct" : "bodies"
        return TextTable(["zoom", "tiles", bodies] + sizes + closing, leading: 0, rows).lines
    }

    private var layerTable: [String] {
        let layers = layers ?? []
        let all = layers.reduce(0) { $0.saturatingAdd($1.size.bytes) }
        let sent = layers.reduce(0) { $0.saturatingAdd($1.sentBytes) }
        let head = ["layer", "tiles", "features", "vertices", "attributes", "bytes", "share"]
        let rows = layers.map { layer in
            [SafeText.sanitised(layer.name, limit: hasWeights ? 14 : 20)]
                + [layer.tiles, layer.size.features, layer.size.vertices].map { AmountText.count($0) }
                + [layer.size.attributeBytes, layer.size.bytes].map(AmountText.bytes)
                + [AmountText.percent(Double(layer.size.bytes) / Double(max(all, 1)))]
                + (hasWeights ? [AmountText.percent(Double(layer.sentBytes) / Double(max(sent, 1)))] : [])
        }
        return TextTable(head + (hasWeights ? ["sent"] : []), leading: 1, rows).lines + truncation
    }

    private var fieldTable: [String] {
        let fields = fields ?? [], all = fields.reduce(0) { $0.saturatingAdd($1.bytes) }
        let head = ["layer", "field", "tiles", "features", "values", "bytes", "share"]
        let rows = fields.map { field in
            let values = AmountText.count(field.values.count)
            return [field.layer, field.name].map { SafeText.sanitised($0, limit: 16) }
                + [field.tiles, field.features].map { AmountText.count($0) }
                + [field.values.isExact ? values : "~" + values, AmountText.bytes(field.bytes)]
                + [AmountText.percent(Double(field.bytes) / Double(max(all, 1)))]
        }
        return TextTable(head, leading: 2, rows).lines + truncation
    }

    private var truncation: [String] {
        let kind = fields == nil ? "layers" : "layers or fields"
        return isTruncated ? ["The \(kind) after the first \(ArchiveSchema.layerLimit) are missing."] : []
    }

    private var histogramTable: [String] {
        let most = histogram.map(\.tiles).max() ?? 0
        let rows = histogram.map { bin in
            let bar = bin.tiles == 0 ? 0 : max(1, Int(Double(bin.tiles) / Double(max(most, 1)) * 24))
            return [
                AmountText.bytes(bin.limit), AmountText.count(bin.tiles), AmountText.bytes(bin.bytes),
                AmountText.percent(Double(bin.tiles) / Double(max(readCount, 1))),
                String(repeating: "#", count: bar),
            ]
        }
        let head = ["size up to", "tiles", "stored", "share", ""]
        return TextTable(head, leading: 0, closing: 1, rows).lines
    }

    private static func table(_ tiles: [TileSize]) -> [String] {
        let isRead = tiles.contains { $0.plain != nil }, isWeighted = tiles.contains { $0.requests != nil }
        let rows = tiles.map { tile in
            var row = ["\(tile.tile)", AmountText.bytes(tile.stored)]
            if isRead { row.append(tile.plain.map(AmountText.bytes) ?? "") }
            if isWeighted {
                let requests = tile.requests ?? 0
                row += [
                    AmountText.count(requests), AmountText.bytes(tile.stored.saturatingMultiply(requests)),
                ]
            }
            return row
        }
        let head =
            ["tile", "stored"] + (isRead ? ["unpacked"] : []) + (isWeighted ? ["requests", "sent"] : [])
        return TextTable(head, leading: 1, rows).lines.map { "  " + $0 }
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

extension ArchiveStatistics.Sizes {
    /// The total, the mean and the largest size.
    fileprivate func cells(_ count: Int) -> [String] {
        [total, mean(of: count), largest].map(AmountText.bytes)
    }
}
