public import RhumbCore
public import RhumbEngine

/// Reading only the parts of an archive that are needed, in few requests.
extension PMTilesArchive {
    /// The size of all directories and tiles in bytes; nil if the archive is on this machine.
    public var remoteSize: Int? {
        guard file.bytes.isRemote else { return nil }
        return Int(clamping: file.header.tiles.length).saturatingAdd(Int(clamping: file.header.leaves.length))
    }

    /// Throws if the server of a remote archive is failing.
    public func checkServer() throws(ArchiveFailure) { try file.bytes.checkServer(file.name) }

    /// Plans to read tiles.
    public func plan(_ tiles: [TileID]) throws(TileFailure) -> ReadPlan? {
        guard file.bytes.isRemote else { return nil }
        var places: [FileSection] = []
        for tile in tiles {
            guard let entry = try file.entry(for: tile.pmtilesID), entry.length > 0 else { continue }
            places.append(try file.index.place(ofTile: entry, "\(tile)"))
        }
        let parts = FileSection.merged(places)
        file.bytes.plan(parts)
        return ReadPlan(bytes: parts.reduce(0) { $0 + Int($1.length) }, requests: parts.count)
    }

    /// Returns those of some tiles that the archive has. Only reads the directories that may contain them.
    /// - Throws: `TileFailure` if a directory is damaged; `CancellationError` if the task is cancelled.
    func tiles(among wanted: TileRuns) throws -> TileRuns {
        var found = TileRuns()
        try collect(wanted, from: file.root, until: .max, depth: 1, &found)
        found.settle()
        return found
    }

    private func collect(
        _ wanted: TileRuns, from directory: PMTilesDirectory, until end: UInt64, depth: Int,
        _ found: inout TileRuns
    ) throws {
        let limit = TileID.firstPMTilesID(zoom: TileID.maximumZoom + 1), entries = directory.entries
        var leaves: [(entry: PMTilesDirectory.Entry, end: UInt64)] = []
        for (index, entry) in entries.enumerated() where entry.id < limit {
            let next = index + 1 < entries.count ? entries[index + 1].id : end
            if entry.isLeaf {
                if next > entry.id, !wanted.runs(within: entry.id..<next).isEmpty {
                    leaves.append((entry, next))
                }
            } else {
                let tiles = entry.id..<min(entry.id + UInt64(entry.run), limit)
                for run in wanted.runs(within: tiles) { found.insert(run) }
            }
        }
        guard !leaves.isEmpty else { return }
        guard depth < PMTilesIndex.deepest else { throw file.index.tooDeep }
        if file.bytes.isRemote {
            file.bytes.plan(FileSection.merged(try leaves.map { try file.index.place(ofLeaf: $0.entry) }))
        }
        // All leaves of a level are read before the next level replaces the plan.
        let directories = try leaves.map { leaf in
            try Task.checkCancellation()
            return (try file.leaf(leaf.entry), leaf.end)
        }
        for (directory, end) in directories {
            try collect(wanted, from: directory, until: end, depth: depth + 1, &found)
        }
    }
}

extension FileSection {
    /// The maximum number of unneeded bytes between sections that are read together.
    private static let gap: UInt64 = 64 << 10
    /// The maximum length of sections that are read together.
    private static let longest: UInt64 = 4 << 20

    /// Returns sections that cover others, in the order of the file. Those that are close are joined.
    static func merged(_ sections: [FileSection]) -> [FileSection] {
        var merged: [FileSection] = []
        for next in sections.sorted(by: { $0.offset < $1.offset }) {
            if let last = merged.last, next.offset <= last.end + gap,
                max(next.end, last.end) - last.offset <= longest || next.end <= last.end
            {
                merged[merged.count - 1] = FileSection(last.offset..<max(next.end, last.end))
            } else {
                merged.append(next)
            }
        }
        return merged
    }
}
