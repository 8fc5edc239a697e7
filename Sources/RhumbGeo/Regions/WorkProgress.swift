/// The progress of long local work, such as an export. The work reports to the handler of the task it runs
/// in.
public enum WorkProgress {
    /// Receives the units done and their total, nil if unknown. It may be called for every tile. A task's
    /// value can't be the closure itself, because the runtime finds no type for it in optimised builds.
    public struct Handler: Sendable {
        private let body: @Sendable (_ done: Int, _ total: Int?) -> Void

        /// Creates a handler that calls a closure.
        public init(_ body: @escaping @Sendable (_ done: Int, _ total: Int?) -> Void) { self.body = body }

        func callAsFunction(_ done: Int, _ total: Int?) { body(done, total) }
    }

    /// The handler of the current task; nil for none.
    @TaskLocal public static var handler: Handler?

    /// Reports progress to the current task's handler.
    /// - Parameter total: Evaluated only if there is a handler; nil if unknown.
    public static func report(_ done: Int, of total: @autoclosure () -> Int?) {
        guard let handler else { return }
        handler(done, total())
    }

    /// Runs a part of a larger work. Its progress is added to that of the parts before it.
    public static func part<Value>(
        after base: Int, of total: Int, _ work: () throws -> Value
    ) rethrows -> Value {
        guard let handler else { return try work() }
        return try $handler.withValue(Handler { done, _ in handler(base + done, total) }, operation: work)
    }

    /// A unit of progress.
    public enum Unit: Sendable, Hashable {
        /// Countable things, as a plural: "tiles".
        case count(String)
        case bytes
        /// Units without a name, shown as a percentage only.
        case share
    }
}
