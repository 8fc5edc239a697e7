internal import CSQLite

extension Connection {
    /// Bounds what a file of unknown origin can cost: its tables may be views that compute without
    /// end, or make values that are nowhere stored.
    /// - Parameters:
    ///   - valueBytes: the longest value or row; longer ones are failures.
    ///   - steps: about the most instructions of SQLite's machine for one row; then the statement
    ///     fails as interrupted. A hundred million take about a second.
    func limit(valueBytes: Int, steps: Int) {
        sqlite3_limit(database, SQLITE_LIMIT_LENGTH, Int32(clamping: valueBytes))
        let budget = StepBudget(steps / StepBudget.unit)
        self.budget = budget
        sqlite3_progress_handler(
            database, Int32(StepBudget.unit),
            { pointer in
                guard let pointer else { return 0 }
                return Unmanaged<StepBudget>.fromOpaque(pointer).takeUnretainedValue().isSpent() ? 1 : 0
            }, Unmanaged.passUnretained(budget).toOpaque())
    }
}

/// Counts what one step of a statement costs, in units.
final class StepBudget {
    /// Instructions between two looks.
    static let unit = 100_000

    private let limit: Int
    private var spent = 0

    init(_ limit: Int) { self.limit = limit }

    func renew() { spent = 0 }

    fileprivate func isSpent() -> Bool {
        spent += 1
        return spent > limit
    }
}
