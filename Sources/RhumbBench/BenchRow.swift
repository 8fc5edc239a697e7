/// One line of the benchmark's table.
struct BenchRow {
    let name: String
    let value: Double
    let unit: String
    /// What it is to be compared with: another program's figure, or a goal.
    let anchor: String
}
