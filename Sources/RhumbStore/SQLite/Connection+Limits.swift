internal import CSQLite

extension Connection {
    /// Limits the cost of an untrusted file, whose tables may be views that compute endlessly or generate
    /// huge values.
    /// - Parameters:
    ///   - valueBytes: The maximum size of a value or row in bytes; larger ones fail.
    ///   - steps: The approximate maximum number of SQLite VM instructions per row; then the statement fails
    ///     as interrupted. A hundred million take about a second.
    ///   - total: The maximum number for all rows of a statement; nil for no limit.
    func limit(valueBytes: Int, steps: Int, total: Int? = nil) {
        sqlite3_limit(database, SQLITE_LIMIT_LENGTH, Int32(clamping: valueBytes))
        let budget = StepBudget(steps / StepBudget.unit, total: total.map { $0 / StepBudget.unit } ?? .max)
        self.budget = budget
        sqlite3_progress_handler(
            database, Int32(StepBudget.unit),
            { pointer in
                guard let pointer else { return 0 }
                return Unmanaged<StepBudget>.fromOpaque(pointer).takeUnretainedValue().isSpent() ? 1 : 0
            }, Unmanaged.passUnretained(budget).toOpaque())
    }
}

/// Counts the cost of the steps of a statement, in units.
final class StepBudget {
    /// The number of instructions between two checks.
    static let unit = 100_000

    private let limit: Int, total: Int
    /// The cost of the current step, and of all steps of the statement.
    private var spent = 0, sum = 0

    init(_ limit: Int, total: Int) { (self.limit, self.total) = (limit, total) }

    /// Begins a step.
    func renew() { spent = 0 }

    /// Begins a statement.
    func restart() { (spent, sum) = (0, 0) }

    fileprivate func isSpent() -> Bool {
        spent += 1
        sum += 1
        return spent > limit || sum > total
    }
}
