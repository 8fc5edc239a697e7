internal import Rhumb

/// Differences as text, 80 columns wide, and as JSON.
extension ArchiveDiff {
    /// The maximum width of a value of the metadata in columns.
    private static let valueWidth = 26

    private var firstTiles: Int { zooms.reduce(0) { $0 + $1.firstTiles } }
    private var secondTiles: Int { zooms.reduce(0) { $0 + $1.secondTiles } }

    /// Returns the differences as lines of text, sanitised for terminal output.
    func lines(_ first: String, _ second: String) -> [String] {
        let names = [first, second].map { SafeText.sanitised($0, limit: 300) }
        guard !isEqual else {
            return ["\(names[0]) and \(names[1]) are equal: \(AmountText.count(firstTiles, "tile"))"]
        }
        var lines = [
            "first   \(names[0]): \(AmountText.count(firstTiles, "tile"))",
            "second  \(names[1]): \(AmountText.count(secondTiles, "tile"))", "",
        ]
        lines += table
        lines += list("added", addedTiles.map { "\($0)" }, of: zooms.reduce(0) { $0 + $1.added })
        lines += list("removed", removedTiles.map { "\($0)" }, of: zooms.reduce(0) { $0 + $1.removed })
        lines += list(
            "changed",
            changes.map {
                "\($0.tile)  \(AmountText.bytes($0.firstBytes)) → \(AmountText.bytes($0.secondBytes))"
                    + ($0.difference.map {
                        $0 == 0 ? ", same colours" : ", colours differ by \(AmountText.percent($0))"
                    } ?? "")
            }, of: zooms.reduce(0) { $0 + $1.changed })
        lines += featureLines
        guard !metadata.isEmpty else { return lines }
        let rows = metadata.map {
            [SafeText.sanitised($0.name, limit: 20), text($0.first), "→ " + text($0.second)]
        }
        return lines + ["", "metadata"] + TextTable([], rows).lines.map { "  " + $0 }
    }

    /// The features that differ, by layer and then one by one.
    private var featureLines: [String] {
        guard let layers else { return [] }
        guard !layers.isEmpty else { return ["", "no feature differs"] + problems.lines }
        let rows = layers.map { layer in
            [SafeText.sanitised(layer.name, limit: 30)]
                + LayerDifference.Kind.allCases.map { AmountText.count(layer.counts[$0] ?? 0) }
        }
        let head = ["features in layer"] + LayerDifference.Kind.allCases.map(\.rawValue)
        var lines = [""] + TextTable(head, leading: 1, rows).lines.map { "  " + $0 }
        for kind in LayerDifference.Kind.allCases {
            let changes = featureChanges.filter { $0.kind == kind }
            lines += list("\(kind.rawValue) features", changes.map(\.line), of: featureCount(kind))
        }
        return lines + problems.lines
    }

    private var table: [String] {
        let head = ["zoom", "first", "second", "added", "removed", "changed"]
        let rows = zooms.map { zoom in
            ["\(zoom.zoom)"]
                + [zoom.firstTiles, zoom.secondTiles, zoom.added, zoom.removed, zoom.changed].map {
                    AmountText.count($0)
                }
        }
        return TextTable(head, leading: 0, rows).lines.map { "  " + $0 }
    }

    private func list(_ title: String, _ items: [String], of total: Int) -> [String] {
        guard !items.isEmpty else { return [] }
        let more = total - items.count
        return ["", title] + items.map { "  " + $0 }
            + (more > 0 ? ["  and \(AmountText.count(more)) more"] : [])
    }

    /// Returns a value of the metadata, shortened.
    private func text(_ value: JSON?) -> String {
        guard let value else { return "absent" }
        var text = SafeText.sanitised(value.text, limit: 200)
        guard TextWidth.columns(of: text) > ArchiveDiff.valueWidth else { return text }
        while TextWidth.columns(of: text) >= ArchiveDiff.valueWidth { text.removeLast() }
        return text + "…"
    }

    /// Returns the differences as JSON.
    func json(_ first: String, _ second: String) -> JSON {
        [
            "first": .string(first), "second": .string(second), "equal": .bool(isEqual),
            "firstTiles": .integer(firstTiles), "secondTiles": .integer(secondTiles),
            "zooms": .array(
                zooms.map {
                    [
                        "zoom": .integer($0.zoom), "firstTiles": .integer($0.firstTiles),
                        "secondTiles": .integer($0.secondTiles), "added": .integer($0.added),
                        "removed": .integer($0.removed), "changed": .integer($0.changed),
                    ]
                }),
            "added": .array(addedTiles.map { .string("\($0)") }),
            "removed": .array(removedTiles.map { .string("\($0)") }),
            "changed": .array(
                changes.map {
                    [
                        "tile": .string("\($0.tile)"), "firstBytes": .integer($0.firstBytes),
                        "secondBytes": .integer($0.secondBytes),
                        "difference": $0.difference.map(JSON.number) ?? .null,
                    ]
                }),
            "layers": layers.map { .array($0.map(\.json)) } ?? .null,
            "features": layers == nil ? .null : .array(featureChanges.map(\.json)),
            "problemCount": .integer(problems.count), "problems": .messages(problems.examples),
            "metadataChanges": .array(
                metadata.map {
                    ["name": .string($0.name), "first": $0.first ?? .null, "second": $0.second ?? .null]
                }),
        ]
    }
}

extension ArchiveDiff.Layer {
    fileprivate var json: JSON {
        [
            "name": .string(name), "added": .integer(counts[.added] ?? 0),
            "removed": .integer(counts[.removed] ?? 0), "changed": .integer(counts[.changed] ?? 0),
        ]
    }
}

extension ArchiveDiff.FeatureChange {
    /// The tile, the layer, the id or name, and the changed parts, at most 78 columns wide and sanitised.
    fileprivate var line: String {
        let title = [id.map { "\($0)" }, name].compactMap(\.self).joined(separator: " ")
        let changes = (hasOtherShape ? ["shape"] : []) + fields
        let line =
            ["\(tile)", layer, title].filter { !$0.isEmpty }.joined(separator: "  ")
            + (changes.isEmpty ? "" : ": " + changes.joined(separator: ", "))
        var text = SafeText.sanitised(line, limit: 200)
        guard TextWidth.columns(of: text) > 76 else { return text }
        while TextWidth.columns(of: text) >= 76 { text.removeLast() }
        return text + "…"
    }

    fileprivate var json: JSON {
        [
            "tile": .string("\(tile)"), "layer": .string(layer), "kind": .string(kind.rawValue),
            "id": id.map { JSON($0) } ?? .null,
            "name": .text(name), "fields": .array(fields.map(JSON.string)), "shape": .bool(hasOtherShape),
        ]
    }
}
