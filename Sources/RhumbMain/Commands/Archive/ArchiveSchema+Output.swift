internal import Rhumb

/// Layers and fields as text and as JSON.
extension ArchiveSchema {
    private static let width = 80

    /// The result as lines of text, about 80 columns wide and sanitised.
    var lines: [String] {
        let read =
            readCount == tileCount
            ? AmountText.count(tileCount, "tile")
            : "\(AmountText.count(readCount)) of \(AmountText.count(tileCount, "tile"))"
        var lines = ["  \(AmountText.count(layers.count, "layer")) in \(read)"]
        for layer in layers { lines += [""] + layer.lines(width: Self.width) }
        if isTruncated { lines += ["", "The layers after the first \(Self.layerLimit) are missing."] }
        if let first = layers.first, first.isDeclared == nil {
            lines += ["", "The metadata has no list of layers."]
        }
        if !differences.isEmpty {
            lines += ["", "Differences from the metadata:"] + differences.map { "  " + $0 }
        }
        return lines + problems.lines
    }

    /// The layers and fields of one tile as lines of text.
    var tileLines: [String] {
        layers.flatMap { [""] + $0.lines(width: Self.width) } + problems.lines
    }

    /// The layers as JSON.
    var layerJSON: JSON { .array(layers.map(\.json)) }

    /// True if no tile is damaged, and the metadata has the same layers and fields.
    var isSound: Bool { problems.count == 0 && !differsFromMetadata }

    private var differences: [String] {
        absentLayers.map { "layer \(Self.quoted($0)): declared but absent" } + layers.flatMap(\.differences)
    }

    fileprivate static func quoted(_ name: String) -> String { "\"\(SafeText.sanitised(name, limit: 40))\"" }

    func json(of path: String) -> JSON {
        [
            "file": .string(path), "tiles": .integer(tileCount), "readTiles": .integer(readCount),
            "otherTiles": .integer(otherCount), "layers": .array(layers.map(\.json)),
            "absentLayers": .array(absentLayers.map(JSON.string)), "truncated": .bool(isTruncated),
            "problemCount": .integer(problems.count), "problems": .messages(problems.examples),
        ]
    }
}

extension ArchiveSchema.Layer {
    private static let kindNames: [(kind: VectorFeature.Kind, singular: String, text: String)] = [
        (.point, "point", "points"), (.line, "line", "lines"), (.polygon, "polygon", "polygons"),
        (.unknown, "unknown shape", "unknown shapes"),
    ]

    fileprivate func lines(width: Int) -> [String] {
        let kinds = Self.kindNames.compactMap { kind, singular, plural in
            summary.kinds[kind].map { AmountText.count($0, singular, plural: plural) }
        }
        let contents = kinds.isEmpty ? "no features" : kinds.joined(separator: ", ")
        let zooms = zooms.count == 1 ? "zoom" : "zooms"
        let head =
            SafeText.sanitised(name, limit: 40) + ": \(contents), \(zooms) \(ZoomText.ranges(self.zooms))"
        let rows = summary.fields.sorted { $0.key < $1.key }.map { name, field in
            [
                SafeText.sanitised(name, limit: 30), field.typeText, field.rangeText,
                ZoomText.ranges(fieldZooms[name] ?? []), field.sampleText,
            ]
        }
        let table = TextTable(leading: 5, rows).lines.map { ("  " + $0).clipped(to: width) }
        let more =
            summary.isTruncated
            ? ["  The fields after the first \(AmountText.count(LayerSummary.fieldLimit)) are missing."] : []
        return [head] + table + more
    }

    fileprivate var differences: [String] {
        let layer = "layer " + ArchiveSchema.quoted(name)
        func line(_ fields: [String], _ problem: String) -> [String] {
            guard !fields.isEmpty else { return [] }
            let names = fields.prefix(10).map(ArchiveSchema.quoted).joined(separator: ", ")
            let more = fields.count > 10 ? " and \(fields.count - 10) more" : ""
            return ["\(layer), \(fields.count == 1 ? "field" : "fields") \(names)\(more): \(problem)"]
        }
        return (isDeclared == false ? ["\(layer): present but undeclared"] : [])
            + line(absentFields, "declared but absent")
            + line(undeclaredFields, "present but undeclared")
    }

    fileprivate var json: JSON {
        let kinds = Self.kindNames.compactMap { kind, _, _ in
            summary.kinds[kind].map { (kind, $0) }
        }
        let fields = summary.fields.sorted { $0.key < $1.key }.map { name, field in
            field.json(
                name, fieldZooms[name] ?? [], isDeclared.map { $0 && !undeclaredFields.contains(name) })
        }
        let layer: JSON = [
            "name": .string(name), "declared": isDeclared.map(JSON.bool) ?? .null, "tiles": .integer(tiles),
            "features": .integer(summary.featureCount),
            "geometryTypes": .array(
                kinds.map { ["type": .string("\($0.0)"), "features": .integer($0.1)] }),
            "fields": .array(fields), "absentFields": .array(absentFields.map(JSON.string)),
            "truncated": .bool(summary.isTruncated),
        ]
        return layer.adding(ZoomText.json(zooms))
    }
}

extension FieldSummary {
    private var sortedTypes: [ValueType] { ValueType.allCases.filter(types.contains) }

    fileprivate var typeText: String { sortedTypes.map(\.rawValue).joined(separator: ", ") }

    fileprivate var rangeText: String {
        guard let minimum, let maximum else { return "" }
        let (low, high) = (Self.text(minimum), Self.text(maximum))
        return low == high ? low : "\(low) to \(high)"
    }

    fileprivate var sampleText: String {
        samples.map { value in
            switch value {
            case .string(let text): "\"\(SafeText.sanitised(text, limit: 24))\""
            case .number, .integer, .unsigned: Self.text(value)
            case .bool(let flag): "\(flag)"
            case .nested: SafeText.sanitised(value.text, limit: 24)
            }
        }.joined(separator: ", ")
    }

    /// Returns a number with four decimals at most.
    private static func text(_ number: VectorValue) -> String {
        if case .number(let double) = number { return JSON.number(double.rounded(4)).text }
        return number.json.text
    }

    fileprivate func json(_ name: String, _ zooms: Set<Int>, _ isDeclared: Bool?) -> JSON {
        let field: JSON = [
            "name": .string(name), "declared": isDeclared.map(JSON.bool) ?? .null,
            "types": .array(sortedTypes.map { .string($0.rawValue) }), "features": .integer(featureCount),
            "minimum": minimum?.json ?? .null, "maximum": maximum?.json ?? .null,
            "samples": .array(samples.map(\.json)),
        ]
        return field.adding(ZoomText.json(zooms))
    }
}
