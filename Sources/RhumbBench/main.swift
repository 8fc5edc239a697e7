internal import RhumbCore

/// Prints every measurement as a table: what, how much, and what to compare it with. Words on
/// the command line choose sections whose title begins so; "Million" is only run when chosen.
let sections: [(title: String, rows: @Sendable () async -> [BenchRow])] = [
    ("Picture to cells, beside libchafa", CellBench.rows),
    ("Picture to frame", FrameBench.rows),
    ("Traffic", TrafficBench.rows),
    ("Archives", archiveRows),
    ("Regions", RegionBench.rows),
    ("Export", ExportBench.rows),
    ("Downloads of regions, beside curl", RegionDownloadBench.rows),
    ("Terminal", TerminalBench.rows),
    ("The program in a pseudo-terminal", ProgramBench.rows),
    ("Vector tiles", VectorBench.rows),
    ("Places", PlacesBench.rows),
    ("Download", HTTPBench.rows),
    ("Cache, beside bare SQLite", CacheBench.rows),
    ("Filling the cache, beside curl", FillBench.rows),
    ("Panning", PanBench.rows),
    ("Million rows in the cache", CacheBench.largeRows),
]
let chosen = CommandLine.arguments.dropFirst()

for section in sections where (chosen.isEmpty && !section.title.hasPrefix("Million")) || chosen.contains(where: section.title.hasPrefix) {
    print("\n\(section.title)")
    for row in await section.rows() { print(row.line) }
}
