internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// `rhumb archive diff`: compares two archives. The exit statuses are those of diff(1).
struct DiffCommand {
    private let invocation: Invocation

    init(_ invocation: Invocation) { self.invocation = invocation }

    func run() async -> Int32 {
        do {
            return try await compare()
        } catch {
            Output.say("rhumb: \(FailureText.sentence(error))")
            return ExitStatus.notCompared
        }
    }

    private func compare() async throws -> Int32 {
        try await invocation.withArchives(invocation.operands) { inputs in
            inputs.forEach(invocation.noteSize)
            return try await compare(inputs[0], inputs[1])
        }
    }

    private func compare(_ first: ArchiveInput, _ second: ArchiveInput) async throws -> Int32 {
        let paths = invocation.operands, limit = invocation[.top] ?? 10
        var options = ArchiveDiff.Options()
        options.limit = limit
        options.comparesFeatures = invocation[.by] == "feature"
        options.decode = Self.decode
        let diff = try await ArchiveWork.run("comparing") { [options] in
            try ArchiveDiff(first, second, options)
        }
        if invocation[.show] && diff.hasTileChanges {
            return try await show(first, second, deepest: diff.deepestDifference)
        }
        try invocation.print(diff.lines(paths[0], paths[1]), diff.json(paths[0], paths[1]))
        return diff.isEqual ? ExitStatus.done : ExitStatus.different
    }

    /// Maximum number of tiles and features of each kind on the map.
    private static let shownLimit = 20_000

    private static let decode: TileDecode = { try? SniffingDecoder().decode($0, limits: .tile) }

    /// Shows the differences on the map.
    /// - Parameter deepest: The deepest zoom with differences, whose features are shown.
    private func show(_ first: ArchiveInput, _ second: ArchiveInput, deepest: Int) async throws -> Int32 {
        var options = ArchiveDiff.Options()
        options.limit = Self.shownLimit
        options.comparesFeatures = [first, second].allSatisfy(\.holdsVectorTiles)
        options.shownZoom = deepest
        options.decode = Self.decode
        let compared = try await ArchiveWork.run("comparing") { [options] in
            let diff = try ArchiveDiff(first, second, options)
            func change(_ tile: TileID, _ kind: MapComparison.Kind) -> MapComparison.Change {
                func bytes(_ input: ArchiveInput) -> Int {
                    ((try? input.archive.storedBody(tile)) ?? nil)?.count ?? 0
                }
                return .init(
                    tile: tile, kind: kind,
                    bytes: (kind == .added ? 0 : bytes(first), kind == .removed ? 0 : bytes(second)))
            }
            let changes =
                diff.addedTiles.map { change($0, .added) } + diff.removedTiles.map { change($0, .removed) }
                + diff.changes.map {
                    .init(
                        tile: $0.tile, kind: .changed, bytes: ($0.firstBytes, $0.secondBytes),
                        difference: $0.difference)
                }
            func sum(_ count: (ArchiveDiff.Zoom) -> Int) -> Int { diff.zooms.reduce(0) { $0 + count($1) } }
            let counts: [MapComparison.Kind: Int] = [
                .added: sum(\.added), .removed: sum(\.removed), .changed: sum(\.changed),
            ]
            return MapCommand.Compared(
                path: second.path, changes: changes, counts: counts, features: diff.shownFeatures,
                lowestZoom: deepest - 1)
        }
        let status = try await MapCommand.run(invocation, comparing: compared)
        return status == ExitStatus.done ? ExitStatus.different : status
    }
}

extension ArchiveDiff {
    fileprivate var hasTileChanges: Bool { zooms.contains { $0.added + $0.removed + $0.changed > 0 } }

    fileprivate var deepestDifference: Int {
        zooms.last { $0.added + $0.removed + $0.changed > 0 }?.zoom ?? 0
    }

    /// The features that differ, in the colours of the kinds. They have no labels, as the map has them.
    fileprivate var shownFeatures: [OverlayFeature] {
        var styles: [LayerDifference.Kind: OverlayStyle] = [:]
        return featureChanges.flatMap { change -> [OverlayFeature] in
            guard let shape = change.shape else { return [] }
            let style =
                styles[change.kind]
                ?? {
                    let shade = MapComparison.Kind(rawValue: change.kind.rawValue)?.shade
                    return OverlayStyle(ink: shade, fill: shade, fillOpacity: 0.4, width: 2)
                }()
            styles[change.kind] = style
            var attributes = OverlayAttributes()
            attributes.append("kind", change.kind.rawValue)
            attributes.append("layer", change.layer)
            if let name = change.name { attributes.append("feature", name) }
            return shape.onMap(in: change.tile).map {
                OverlayFeature($0, style: style, attributes: attributes)
            }
        }
    }
}

extension TileShape {
    /// Returns the shape as shapes of overlays, several for a feature of several points.
    fileprivate func onMap(in tile: TileID) -> [OverlayFeature.Shape] {
        let side = Double(1 << tile.zoom), scale = 1 / (side * Double(max(extent, 1)))
        let corner = SIMD2(Double(tile.x), Double(tile.y)) / side
        func points(_ part: Range<Int>) -> [SIMD2<Double>] {
            geometry.points[part].map { corner + SIMD2<Double>($0) * scale }
        }
        let parts = (0..<geometry.partCount).map(geometry.part)
        switch kind {
        case .point: return parts.flatMap(points).map { .point(WorldPoint(x: $0.x, y: $0.y)) }
        case .line: return [.line(parts.map { OverlayPath(points($0)) })]
        case .polygon:
            return [
                .area(geometry.polygonParts.map { rings in rings.map { OverlayPath(points($0.points)) } })
            ]
        case .unknown: return []
        }
    }
}
