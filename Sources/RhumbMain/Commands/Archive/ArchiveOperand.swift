internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// The archive that a command names.
extension ArchiveInput {
    /// The path, sanitised.
    var name: String { SafeText.sanitised(path) }

    /// Returns a tile, decompressed, also if Rhumb can't draw it.
    /// - Throws: `TileFailure` if it is damaged, `Notice.Problem` if it doesn't exist.
    func body(of tile: TileID) throws -> [UInt8] {
        let zooms = archive.info.zooms
        // Tiles that are drawn on demand could be drawn beyond their zooms.
        let isListed = !archive.isDrawnOnDemand || zooms.contains(tile.zoom)
        guard isListed, let stored = try archive.storedBody(tile), !stored.isEmpty else {
            throw Notice.Problem(
                zooms.contains(tile.zoom)
                    ? "\(name) has no tile \(tile); choose one in its bounds, see rhumb archive info \(name)"
                    : "\(name) has no tile \(tile); its zooms are \(zooms.lowerBound) to \(zooms.upperBound)")
        }
        return try plain(stored, tile)
    }
}

/// Zooms as text.
enum ZoomText {
    /// Returns ranges such as "0–4, 6".
    static func ranges(_ zooms: Set<Int>) -> String {
        var ranges: [ClosedRange<Int>] = []
        for zoom in zooms.sorted() {
            if let last = ranges.last, last.upperBound == zoom - 1 {
                ranges[ranges.count - 1] = last.lowerBound...zoom
            } else {
                ranges.append(zoom...zoom)
            }
        }
        return ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)–\($0.upperBound)" }
            .joined(separator: ", ")
    }

    /// Returns the members `minZoom`, `maxZoom` and `missingZooms`.
    static func json(_ zooms: Set<Int>) -> KeyValuePairs<String, JSON> {
        let first = zooms.min() ?? 0, last = zooms.max() ?? 0
        let missing = (first...last).filter { !zooms.contains($0) }
        return [
            "minZoom": .count(zooms.min()), "maxZoom": .count(zooms.max()),
            "missingZooms": .array(zooms.isEmpty ? [] : missing.map(JSON.integer)),
        ]
    }
}

extension TileProblems {
    /// The problems as lines of text; empty if there are none.
    var lines: [String] {
        guard count > 0 else { return [] }
        let more = count > examples.count ? ["  and \(AmountText.count(count - examples.count)) more"] : []
        return ["", AmountText.count(count, "damaged part") + ":"] + examples.map { "  " + $0 } + more
    }
}
