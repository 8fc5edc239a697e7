internal import RhumbCore

/// Prints every measurement as a table: what, how much, and what to compare it with.
let sections: [(title: String, rows: () -> [BenchRow])] = [
    ("Picture to cells, beside libchafa", CellBench.rows),
    ("Picture to frame", FrameBench.rows),
    ("Archives", archiveRows),
    ("Terminal", TerminalBench.rows),
    ("The program in a pseudo-terminal", ProgramBench.rows),
]

for section in sections {
    print("\n\(section.title)")
    for row in section.rows() { print(row.line) }
}
