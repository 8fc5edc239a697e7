internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// `rhumb diff`: compares two archives. The exit statuses are those of diff(1).
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
        let paths = invocation.operands, limit = invocation[.top] ?? 10
        let first = try invocation.archive(paths[0]), second = try invocation.archive(paths[1])
        switch try await ArchiveWork.run("comparing", { try ArchiveDiff(first, second, limit: limit) }) {
        case .interrupted(let signal): return 128 + signal
        case .done(let diff) where invocation[.show] && diff.hasTileChanges:
            return try await show(first, second)
        case .done(let diff):
            try invocation.print(diff.lines(paths[0], paths[1]), diff.json(paths[0], paths[1]))
            return diff.isEqual ? ExitStatus.done : ExitStatus.different
        }
    }

    /// Maximum number of tiles of each kind on the map.
    private static let shownLimit = 20_000

    /// Shows the differences on the map.
    private func show(_ first: ArchiveInput, _ second: ArchiveInput) async throws -> Int32 {
        let outcome = try await ArchiveWork.run("comparing") {
            let diff = try ArchiveDiff(first, second, limit: Self.shownLimit)
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
                    .init(tile: $0.tile, kind: .changed, bytes: ($0.firstBytes, $0.secondBytes))
                }
            func sum(_ count: (ArchiveDiff.Zoom) -> Int) -> Int { diff.zooms.reduce(0) { $0 + count($1) } }
            let counts: [MapComparison.Kind: Int] = [
                .added: sum(\.added), .removed: sum(\.removed), .changed: sum(\.changed),
            ]
            return (changes, counts)
        }
        guard case .done((let changes, let counts)) = outcome else { return outcome.interruption }
        let status = try await MapCommand.run(invocation, comparing: (second.path, changes, counts))
        return status == ExitStatus.done ? ExitStatus.different : status
    }
}

extension ArchiveDiff {
    fileprivate var hasTileChanges: Bool { zooms.contains { $0.added + $0.removed + $0.changed > 0 } }
}
