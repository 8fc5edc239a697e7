public import RhumbCore

/// A query for the heights of the ground along lines.
public struct HeightQuestion: Query {
    /// The heights along the lines of a query.
    public struct Response: Sendable {
        /// The heights of each line's points, in metres.
        let heights: [[Float]]
        /// The source of the heights; nil if no stored data has any.
        let source: String?
        /// A clause with the reason why heights are unknown; nil if all are known.
        let gapReason: String?

        /// Creates a response with heights from a source.
        public init(_ heights: [[Float]], from source: String?, gapReason: String? = nil) {
            self.heights = heights
            self.source = source
            self.gapReason = gapReason
        }
    }

    /// The lines.
    public let paths: [OverlayPath]

    /// Queries run independently, because each track panel sends its own.
    public static var scheduling: QueryScheduling { .each }

    public static func == (a: HeightQuestion, b: HeightQuestion) -> Bool {
        a.paths.count == b.paths.count && zip(a.paths, b.paths).allSatisfy { $0 === $1 }
    }
}
