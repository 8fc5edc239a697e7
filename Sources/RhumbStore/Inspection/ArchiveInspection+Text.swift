internal import RhumbCore

extension ArchiveInspection {
    /// The result without the faults as lines of text, about 80 columns wide and sanitised for terminal
    /// output.
    public var lines: [String] {
        var lines = [SafeText.sanitised(file), "  \(format) · \(name)"]
        if !attribution.isEmpty { lines.append("  " + attribution) }
        lines += ["", "  tiles     \(tileCount) in \(size(byteCount))" + kindText]
        lines.append("  zooms     " + zoomText)
        lines.append("  bounds    " + (foundBounds.map(text) ?? "none") + " (from the tiles)")
        if let declaredBounds { lines.append("            \(text(declaredBounds)) (declared)") }
        lines.append("  contents  " + bodyText)
        if let blankTiles { lines.append("  blank     \(blankTiles) of one colour") }
        if !zooms.isEmpty { lines += [""] + table }
        return lines + gapLines + largeLines
    }

    private var kindText: String {
        guard !kinds.isEmpty else {
            return declaredKind.map { ", declared as \($0.rawValue)" } ?? ""
        }
        let kinds = kinds.map { kind in
            let word = kind.kind.rawValue
            return kind.kind.isVector
                ? AmountText.count(kind.tiles, word) : "\(AmountText.count(kind.tiles)) \(word)"
        }
        let sizes = sizes.map { "\($0.tiles) of \($0.width)×\($0.height)" }
        return (kinds + sizes).map { ", " + $0 }.joined()
    }

    private var zoomText: String {
        guard let first = zooms.first?.zoom, let last = zooms.last?.zoom else { return "none" }
        let missing =
            missingZooms.isEmpty ? "" : ", without " + missingZooms.map(String.init).joined(separator: ", ")
        let declared = declaredZooms.map { "\($0.lowerBound)–\($0.upperBound)" } ?? "nothing"
        return "\(first)–\(last)\(missing) (declared: \(declared))"
    }

    private var bodyText: String {
        let wasted =
            bodies.wastedBytes.map { $0 > 0 ? ", \(size($0)) wasted on duplicates" : "" } ?? ""
        let distinct = bodies.distinct.map { "\($0) distinct, " } ?? ""
        let saved = bodies.savedBytes > 0 ? ", \(size(bodies.savedBytes)) saved by sharing" : ""
        return
            "\(distinct)\(bodies.stored) stored in \(size(bodies.storedBytes))\(saved)\(wasted)"
    }

    private var table: [String] {
        let head = ["zoom", "tiles", "bytes", "min", "avg", "max", "holes", "orphans"]
        let rows = zooms.map { zoom in
            [
                "\(zoom.zoom)", "\(zoom.tiles)", size(zoom.bytes), size(zoom.smallest), size(zoom.average),
                size(zoom.largest), "\(zoom.holes)", "\(zoom.orphans)",
            ]
        }
        return TextTable(head, leading: 0, rows).lines.map { "  " + $0 }
    }

    private var gapLines: [String] {
        zooms.flatMap { zoom in
            [
                ("missing", zoom.holes, zoom.holeExamples),
                ("without a parent", zoom.orphans, zoom.orphanExamples),
            ]
            .filter { $0.1 > 0 }
            .map {
                "  zoom \(zoom.zoom): \($0.1) \($0.0), e.g. \($0.2.map(\.description).joined(separator: " "))"
            }
        }.withHeading("gaps")
    }

    private var largeLines: [String] {
        let heading = "largest tiles (\(oversizedTiles) over \(size(ArchiveInspection.oversize)))"
        return largest.map { "  \($0.tile)  \(size($0.bytes))" }.withHeading(heading)
    }

    private func text(_ bounds: Bounds) -> String {
        [bounds.west, bounds.south, bounds.east, bounds.north].map(degrees).joined(separator: ",")
    }

    /// Returns degrees rounded to five decimals, about one metre.
    private func degrees(_ value: Double) -> String { "\((value * 1e5).rounded() / 1e5)" }

    private func size(_ bytes: Int) -> String {
        switch bytes {
        case ..<1000: "\(bytes) B"
        case ..<1_000_000: "\((Double(bytes) / 100).rounded() / 10) kB"
        case ..<1_000_000_000: "\((Double(bytes) / 100_000).rounded() / 10) MB"
        default: "\((Double(bytes) / 100_000_000).rounded() / 10) GB"
        }
    }
}

extension [String] {
    fileprivate func withHeading(_ heading: String) -> [String] {
        isEmpty ? [] : ["", "  " + heading] + map { "  " + $0 }
    }
}
