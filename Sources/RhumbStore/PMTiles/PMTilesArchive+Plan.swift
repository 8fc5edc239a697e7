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
        var sections: [FileSection] = []
        for tile in tiles {
            guard let entry = try file.entry(for: tile.hilbertID), entry.length > 0 else { continue }
            sections.append(try file.index.section(ofTile: entry, "\(tile)"))
        }
        let parts = FileSection.groups(of: sections) { $0 }.map(\.section)
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
        let limit = TileID.firstHilbertID(zoom: TileID.maximumZoom + 1), entries = directory.entries
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
            let sections = try leaves.map { try file.index.section(ofLeaf: $0.entry) }
            file.bytes.plan(FileSection.groups(of: sections) { $0 }.map(\.section))
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
