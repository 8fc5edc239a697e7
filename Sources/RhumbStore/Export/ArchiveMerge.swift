internal import RhumbCore
internal import RhumbEngine

/// A union of archives. The new archive appears when it is complete.
public struct ArchiveMerge: Sendable {
    /// The rule for a tile that is in more than one archive.
    public enum DuplicateRule: String, Sendable, CaseIterable {
        /// Use the tile of the first archive that has it.
        case first
        /// Use the tile of the last archive that has it.
        case last
        /// Use the tile of the archive that was changed last; of a folder, by the tile's own file.
        case newest
        /// Unite the layers of vector tiles.
        case overlay
        /// Fail.
        case error
    }

    /// The result of a merge.
    public struct Summary: Equatable, Sendable {
        /// The new archive.
        public let archive: ExportSummary
        /// The number of tiles that are in more than one input.
        public let duplicates: Int
    }

    private let inputs: [ArchiveInput]
    private let destination: ArchiveDestination
    private let rule: DuplicateRule

    /// Prepares a merge.
    /// - Parameters:
    ///   - path: The new file, or a folder if it ends in a slash.
    ///   - isReplacing: If true, an existing file may be replaced.
    /// - Throws: `ArchiveCopyFailure`
    public init(
        of inputs: [ArchiveInput], to path: String, onDuplicate rule: DuplicateRule = .error,
        isReplacing: Bool = false
    ) throws(ArchiveCopyFailure) {
        self.inputs = inputs
        self.rule = rule
        destination = try ArchiveDestination(path, inputs: inputs, isReplacing: isReplacing)
    }

    /// Copies the tiles of all archives. The metadata is that of the first archive, with the attributions,
    /// vector layers and bounds of all.
    /// - Throws: `ArchiveFailure`, `ArchiveCopyFailure`, `ExportFailure`; `TileFailure` for a damaged tile,
    ///   `CancellationError` if the task is cancelled.
    public func run() throws -> Summary {
        var omissions = ArchiveOmissions()
        var parts = try inputs.map { (input: $0, tiles: try $0.tiles { omissions.add($0) }) }
        for part in parts { omissions.add(repeatedIn: part.tiles) }
        let kind = try MergedTraits.check(parts)
        if rule == .overlay, let kind, !kind.isVector {
            throw ArchiveCopyFailure(
                inputs[0].path, .mixedInputs, "its tiles are images, which can't be united",
                "use another rule for duplicates")
        }
        guard let label = MergedLabel(inputs).label else {
            throw ArchiveCopyFailure("", .empty, "no archives to merge", "name at least one")
        }
        var all = TileRuns()
        for part in parts { part.tiles.runs.forEach { all.insert($0) } }
        all.settle()
        for part in parts { try part.input.checkCount(of: part.tiles) }
        // A tile of a picture that shows no data is no duplicate.
        for at in parts.indices {
            parts[at].tiles = try parts[at].input.withoutBlank(parts[at].tiles) { id in
                parts.indices.contains { $0 != at && parts[$0].tiles.contains(id) }
            }
        }
        let writer = try destination.writer(label)
        let ordered = rule == .last ? parts.reversed() : parts
        var duplicates = 0, emptyTiles = 0
        try all.eachTile { tile in
            let id = tile.hilbertID
            let owners = ordered.filter { $0.tiles.contains(id) }.map(\.input)
            guard let first = owners.first else { return }
            if owners.count > 1 { duplicates += 1 }
            if owners.count > 1, rule == .error { throw ArchiveMerge.duplicate(tile, first, owners[1]) }
            let body = try body(tile, owners, first)
            if body.isEmpty { emptyTiles += 1 } else { try writer.add(tile, body) }
        }
        for input in inputs { try input.checkUnchanged() }
        var summary = try writer.finish()
        summary.emptyTiles = emptyTiles
        summary.omissions = omissions
        return Summary(archive: summary, duplicates: duplicates)
    }

    /// Returns the body of a tile according to the rule.
    private func body(_ tile: TileID, _ owners: [ArchiveInput], _ first: ArchiveInput) throws -> [UInt8] {
        guard owners.count > 1 else { return try first.body(tile) }
        switch rule {
        case .first, .last, .error: return try first.body(tile)
        case .newest:
            // The first of several with the same time.
            let never = (Int64.min, 0)
            let newest = owners.reduce(first) {
                $1.changeTime(of: tile) ?? never > $0.changeTime(of: tile) ?? never ? $1 : $0
            }
            return try newest.body(tile)
        case .overlay:
            let bodies = try owners.map { try $0.plain($0.stored(tile), tile) }
            if bodies.allSatisfy({ $0 == bodies[0] }) { return try first.body(tile) }
            do throws(VectorTileFailure) {
                return try VectorTile.union(bodies)
            } catch {
                let paths = owners.map(\.path).joined(separator: " or ")
                throw TileBody.bad("\(tile)", paths, "can't be united: \(error.problem)")
            }
        }
    }

    private static func duplicate(
        _ tile: TileID, _ first: ArchiveInput, _ second: ArchiveInput
    ) -> ArchiveCopyFailure {
        ArchiveCopyFailure(
            second.path, .duplicate, "tile \(tile) is also in \(first.path)",
            "choose a rule for such tiles")
    }
}

/// The properties that all inputs of a merge must share.
private struct MergedTraits {
    private let input: ArchiveInput
    private let kind: TileKind
    /// The size of pictures in pixels; nil for vector tiles.
    private let pixels: Int?

    private init(_ input: ArchiveInput, _ tiles: TileRuns) throws {
        self.input = input
        var body: [UInt8] = []
        for id in tiles.runs.lazy.joined() {
            guard body.isEmpty, let tile = TileID(hilbertID: id) else { break }
            body = try input.plain(input.stored(tile), tile)
        }
        let found = TileKind(of: body)
        kind = input.holdsVectorTiles && found != .mapLibre ? .vector : found
        pixels = kind.isVector ? nil : input.archive.info.tileSize.rawValue
    }

    /// Checks that all inputs have the traits of the first.
    /// - Returns: The kind of the tiles; nil without inputs.
    /// - Throws: `ArchiveCopyFailure` with the names of two inputs that differ.
    static func check(_ parts: [(input: ArchiveInput, tiles: TileRuns)]) throws -> TileKind? {
        let traits = try parts.map { try MergedTraits($0.input, $0.tiles) }
        guard let first = traits.first else { return nil }
        for other in traits.dropFirst() {
            if other.kind != first.kind {
                throw other.failure(
                    "its tiles are of type \(other.kind.rawValue)", first.kind.rawValue, first)
            }
            if other.pixels != first.pixels {
                throw other.failure(
                    "its tiles have \(other.pixels ?? 0) pixels", "\(first.pixels ?? 0)", first)
            }
        }
        return first.kind
    }

    private func failure(_ own: String, _ expected: String, _ first: MergedTraits) -> ArchiveCopyFailure {
        ArchiveCopyFailure(
            input.path, .mixedInputs, "\(own), those of \(first.input.path) \(expected)",
            "merge archives of one kind")
    }
}
