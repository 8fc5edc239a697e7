public import RhumbCore
internal import RhumbEngine

/// The contents of a tile archive, counted tile by tile.
public struct ArchiveInspection: Sendable, Equatable {
    /// The size in bytes above which a tile counts as oversized.
    static let oversize = 500_000

    /// The path, as given.
    public let file: String
    /// The format: "MBTiles", "PMTiles 3" or "folder".
    public let format: String
    /// The name of the archive, sanitised for terminal output.
    public let name: String
    /// The archive's attribution, sanitised for terminal output.
    public let attribution: String
    /// The declared kind of the tiles; nil if there is no such declaration.
    let declaredKind: TileKind?
    /// The zooms declared in the metadata; nil if missing or invalid.
    public let declaredZooms: ClosedRange<Int>?
    /// The declared bounds; nil if there are none.
    let declaredBounds: Bounds?
    /// The metadata, unchanged.
    public let metadata: JSON
    /// The bounds of the tiles at the deepest zoom; nil if there are no tiles.
    public let foundBounds: Bounds?
    /// The statistics of each zoom with tiles, in ascending order.
    public let zooms: [ZoomStatistics]
    /// The number and sizes of the bodies.
    public let bodies: BodyFigures
    /// The number of tiles of each kind, most frequent first; empty if the contents were not checked.
    public let kinds: [KindCount]
    /// The number of tiles of each image size, most frequent first; empty without a probe, or if
    /// the contents were not checked.
    public let sizes: [SizeCount]
    /// The number of tiles of a single colour; nil if not counted.
    public let blankTiles: Int?
    /// The number of tiles with more than `oversize` bytes.
    public let oversizedTiles: Int
    /// The five largest tiles.
    public let largest: [TileBytes]
    /// The faults.
    public let faults: ArchiveVerification

    /// The number of tiles. Tiles with a shared body are counted individually.
    public var tileCount: Int { zooms.reduce(0) { $0 + $1.tiles } }
    /// The total size of the tiles in bytes. A shared body counts once for each of its tiles.
    public var byteCount: Int { zooms.reduce(0) { $0 + $1.bytes } }
    /// The zooms without tiles between the first and the last zoom.
    public var missingZooms: [Int] {
        guard let first = zooms.first?.zoom, let last = zooms.last?.zoom else { return [] }
        let present = Set(zooms.map(\.zoom))
        return (first...last).filter { !present.contains($0) }
    }

    /// The number of tiles of a kind.
    public struct KindCount: Sendable, Equatable {
        /// The kind of the tiles.
        public let kind: TileKind
        /// The number of tiles.
        public let tiles: Int
    }

    /// The number of tiles of an image size.
    public struct SizeCount: Sendable, Equatable {
        /// The width in pixels.
        public let width: Int
        /// The height in pixels.
        public let height: Int
        /// The number of tiles.
        public let tiles: Int
    }

    /// The size of a tile's body.
    public struct TileBytes: Sendable, Equatable {
        /// The tile.
        public let tile: TileID
        /// The size of its body in bytes.
        public let bytes: Int
    }

    /// The number and sizes of an archive's bodies.
    public struct BodyFigures: Sendable, Equatable {
        /// The number of distinct bodies; nil if they were not compared.
        public let distinct: Int?
        /// The total size of the distinct bodies in bytes; nil if they were not compared.
        public let distinctBytes: Int?
        /// The number of bodies stored in the file.
        public let stored: Int
        /// The total size of the stored bodies in bytes.
        public let storedBytes: Int
        /// The number of tiles whose body repeats that of another tile; nil if bodies were not compared.
        public let repeats: Int?
        /// The number of bytes saved because tiles share equal bodies.
        public let savedBytes: Int
        /// The number of bytes wasted on bodies that are stored more than once; nil if bodies were not
        /// compared.
        public let wastedBytes: Int?
    }
}

/// The statistics of one zoom. Columns and rows are XYZ; rows count from the north.
public struct ZoomStatistics: Sendable, Equatable {
    /// The zoom.
    public let zoom: Int
    /// The number of tiles.
    public let tiles: Int
    /// The total size of the tiles in bytes.
    public let bytes: Int
    /// The size of the smallest body in bytes.
    public let smallest: Int
    /// The size of the largest body in bytes.
    public let largest: Int
    /// The tile with the largest body.
    public let largestTile: TileID
    /// The columns of the smallest rectangle that contains all tiles.
    public let columns: ClosedRange<Int>
    /// The rows of the smallest rectangle that contains all tiles.
    public let rows: ClosedRange<Int>
    /// The number of tiles missing from that rectangle.
    public let holes: Int
    /// The first missing tiles, at most three.
    public let holeExamples: [TileID]
    /// The number of tiles whose parent is missing; 0 for the archive's first zoom.
    public let orphans: Int
    /// The first tiles whose parent is missing, at most three.
    public let orphanExamples: [TileID]

    /// The average body size in bytes, rounded down.
    public var average: Int { tiles > 0 ? bytes / tiles : 0 }
}

extension TileArchive {
    /// Reports the contents and the faults of the archive. Uses 16 bytes of memory for each run of tiles.
    /// - Parameters:
    ///   - checksContents: True to read and check every tile on all cores, which uses about 100 bytes of
    ///     memory for each distinct picture. False to read only the header, the metadata and the directories.
    ///   - limit: The maximum number of faults of each kind to list.
    ///   - probe: Reads the size of pictures; nil to skip that check.
    ///   - decode: Decodes pictures; nil to check only their first bytes.
    /// - Throws: `ArchiveFailure` if the tiles can't be listed; `CancellationError` if the task is cancelled.
    public func inspect(
        checksContents: Bool = false, limit: Int = 10, probe: TileProbe? = nil, decode: TileDecode? = nil
    ) throws -> ArchiveInspection {
        let isReadable = refusal.map { $0.reason == .vectorTiles } ?? true
        let check =
            checksContents && isReadable ? ContentCheck(declaredContent, probe: probe, decode: decode) : nil
        var figures = ArchiveScan()
        var faults = FaultScan(declared: declaredContent, metadata: metadata, limit: limit)
        try checkStructure(isThorough: checksContents) { faults.add($0) }
        if let check {
            _ = try TileTraversal(archive: self, sample: nil).visit(check.examine) {
                figures.add($0, $1)
                faults.add($0, $1)
            }
        } else {
            try walk(.sizes) { run in
                try Task.checkCancellation()
                let finding = ContentCheck.Finding(listed: run)
                figures.add(run, finding)
                faults.add(run, finding)
            }
        }
        figures.settle()
        let unchecked: ArchiveVerification.Unchecked? =
            check != nil
            ? nil : isReadable ? .notRequested : refusal.map { .refused("\($0.problem); \($0.advice)") }
        return figures.result(self, faults.result(figures.tiles, unchecked: unchecked), check)
    }
}

extension ArchiveInspection {
    /// The result without the faults as lines of text, about 80 columns wide and sanitised for terminal
    /// output.
    public var lines: [String] {
        var lines = [SafeText.sanitised(file), "  \(format) · \(name)"]
        if !attribution.isEmpty { lines.append("  " + attribution) }
        lines += ["", "  tiles     \(tileCount) in \(AmountText.bytes(byteCount))" + kindText]
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
            bodies.wastedBytes.map { $0 > 0 ? ", \(AmountText.bytes($0)) wasted on duplicates" : "" } ?? ""
        let distinct = bodies.distinct.map { "\($0) distinct, " } ?? ""
        let saved = bodies.savedBytes > 0 ? ", \(AmountText.bytes(bodies.savedBytes)) saved by sharing" : ""
        return
            "\(distinct)\(bodies.stored) stored in \(AmountText.bytes(bodies.storedBytes))\(saved)\(wasted)"
    }

    private var table: [String] {
        let head = ["zoom", "tiles", "bytes", "min", "avg", "max", "holes", "orphans"]
        let rows = zooms.map { zoom in
            ["\(zoom.zoom)", "\(zoom.tiles)"]
                + [zoom.bytes, zoom.smallest, zoom.average, zoom.largest].map(AmountText.bytes)
                + ["\(zoom.holes)", "\(zoom.orphans)"]
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
        let limit = AmountText.bytes(ArchiveInspection.oversize)
        let heading = "largest tiles (\(oversizedTiles) over \(limit))"
        return largest.map { "  \($0.tile)  \(AmountText.bytes($0.bytes))" }.withHeading(heading)
    }

    private func text(_ bounds: Bounds) -> String {
        bounds.edges.map { "\($0.rounded(5))" }.joined(separator: ",")
    }
}

extension [String] {
    fileprivate func withHeading(_ heading: String) -> [String] {
        isEmpty ? [] : ["", "  " + heading] + map { "  " + $0 }
    }
}

extension ArchiveInspection {
    /// The result as JSON. Sizes are in bytes, bounds in degrees (west, south, east, north), and tiles are
    /// written as "z/x/y". The faults are not included.
    public var json: JSON {
        [
            "file": .string(file), "format": .string(format), "name": .string(name),
            "attribution": .string(attribution),
            "declared": [
                "kind": .text(declaredKind?.rawValue), "zooms": json(declaredZooms),
                "bounds": declaredBounds?.json ?? .null,
            ],
            "found": [
                "zooms": json(zooms.first.flatMap { first in zooms.last.map { first.zoom...$0.zoom } }),
                "bounds": foundBounds?.json ?? .null, "missingZooms": .array(missingZooms.map(JSON.integer)),
            ],
            "tiles": .integer(tileCount), "bytes": .integer(byteCount),
            "zooms": .array(zooms.map(\.json)), "bodies": bodies.json,
            "kinds": .array(kinds.map { ["kind": .string($0.kind.rawValue), "tiles": .integer($0.tiles)] }),
            "sizes": .array(
                sizes.map {
                    ["width": .integer($0.width), "height": .integer($0.height), "tiles": .integer($0.tiles)]
                }),
            "blankTiles": .count(blankTiles),
            "oversizedTiles": .integer(oversizedTiles),
            "largest": .array(largest.map { ["tile": .string("\($0.tile)"), "bytes": .integer($0.bytes)] }),
            "metadata": metadata,
        ]
    }

    private func json(_ zooms: ClosedRange<Int>?) -> JSON {
        zooms.map { [.integer($0.lowerBound), .integer($0.upperBound)] } ?? .null
    }
}

extension ArchiveInspection.BodyFigures {
    fileprivate var json: JSON {
        [
            "distinct": .count(distinct), "distinctBytes": .count(distinctBytes),
            "stored": .integer(stored), "storedBytes": .integer(storedBytes),
            "repeats": .count(repeats), "savedBytes": .integer(savedBytes),
            "wastedBytes": .count(wastedBytes),
        ]
    }
}

extension ZoomStatistics {
    fileprivate var json: JSON {
        [
            "zoom": .integer(zoom), "tiles": .integer(tiles), "bytes": .integer(bytes),
            "smallest": .integer(smallest), "average": .integer(average), "largest": .integer(largest),
            "largestTile": .string("\(largestTile)"),
            "columns": [.integer(columns.lowerBound), .integer(columns.upperBound)],
            "rows": [.integer(rows.lowerBound), .integer(rows.upperBound)],
            "holes": .integer(holes), "holeExamples": json(holeExamples),
            "orphans": .integer(orphans), "orphanExamples": json(orphanExamples),
        ]
    }

    private func json(_ tiles: [TileID]) -> JSON { .array(tiles.map { .string("\($0)") }) }
}
