internal import Glibc
internal import RhumbCore

/// Prints a table of all measurements with figures for comparison. Arguments select the sections whose titles
/// begin with them; "Million" runs only if selected. If RHUMB_BENCH_BEFORE is the path of another revision's
/// RhumbBench, its figures are printed beside the current ones.
let sections: [(title: String, rows: @Sendable () async -> [BenchRow])] = [
    ("Picture to cells, beside libchafa", CellBench.rows),
    ("Picture to frame", FrameBench.rows),
    ("Traffic", TrafficBench.rows),
    ("Routes", RouteBench.rows),
    ("Routes on stored tiles", RoadBench.rows), ("Contours", TerrainBench.rows),
    ("Archives", archiveRows),
    ("Regions", RegionBench.rows),
    ("Packages", PackageBench.rows),
    ("Export", ExportBench.rows),
    ("Downloads of regions, beside curl", RegionDownloadBench.rows),
    ("Large regions", RegionDownloadBench.largeRows),
    ("Terminal", TerminalBench.rows),
    ("The program in a pseudo-terminal", ProgramBench.rows),
    ("Vector tiles", VectorBench.rows),
    ("Places", PlacesBench.rows),
    ("Search in stored tiles", SearchBench.rows),
    ("Search while downloading", SearchDownloadBench.rows),
    ("Overlays", OverlayBench.rows),
    ("Download", HTTPBench.rows),
    ("Cache, beside bare SQLite", CacheBench.rows),
    ("Filling the cache, beside curl", FillBench.rows),
    ("Panning", PanBench.rows),
    ("Million rows in the cache", CacheBench.largeRows),
    ("Million things to be searched", SearchBench.largeRows),
]
let chosen = CommandLine.arguments.dropFirst()
let earlier = getenv("RHUMB_BENCH_BEFORE").map { EarlierFigures(program: String(cString: $0)) }
// The other revision only measures itself.
unsetenv("RHUMB_BENCH_BEFORE")

for section in sections
where (chosen.isEmpty && !section.title.hasPrefix("Million"))
    || chosen.contains(where: section.title.hasPrefix)
{
    print("\n\(section.title)")
    let before = earlier?.rows(of: section.title) ?? [:]
    for row in await section.rows() {
        print(row.line + (before[row.name].map { "   before: \($0)" } ?? ""))
    }
}
