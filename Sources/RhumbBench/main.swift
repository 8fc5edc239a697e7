internal import RhumbCore

/// Prints every measurement as a table: what, how much, and what to compare it with. Words on
/// the command line choose sections whose title begins so.
let sections: [(title: String, rows: @Sendable () async -> [BenchRow])] = [
    ("Picture to cells, beside libchafa", CellBench.rows),
    ("Picture to frame", FrameBench.rows),
    ("Traffic", TrafficBench.rows),
    ("Archives", archiveRows),
    ("Regions", RegionBench.rows),
    ("Terminal", TerminalBench.rows),
    ("The program in a pseudo-terminal", ProgramBench.rows),
    ("Vector tiles", VectorBench.rows),
    ("Places", PlacesBench.rows),
    ("Download", HTTPBench.rows),
]
let chosen = CommandLine.arguments.dropFirst()

for section in sections where chosen.isEmpty || chosen.contains(where: section.title.hasPrefix) {
    print("\n\(section.title)")
    for row in await section.rows() { print(row.line) }
}
