public import RhumbCore

/// How high is the ground along these lines?
public struct HeightQuestion: Query {
    /// Heights along the lines of a question.
    public struct Response: Sendable {
        /// For each line the heights of its points, in metres.
        let heights: [[Float]]
        /// The source of the heights; nil if no stored data has any.
        let source: String?

        /// Heights from a source.
        public init(_ heights: [[Float]], from source: String?) {
            self.heights = heights
            self.source = source
        }
    }

    /// The lines.
    public let paths: [OverlayPath]

    /// Each panel of a track asks for its own.
    public static var scheduling: QueryScheduling { .each }

    /// Has the panel of the track show the heights.
    public func receive(_ response: Response, in browser: inout Browser) -> [Effect] {
        browser.withEach(TrackPanel.self) { panel, _ in panel.receive(response, to: self) }
    }

    public static func == (a: HeightQuestion, b: HeightQuestion) -> Bool {
        a.paths.count == b.paths.count && zip(a.paths, b.paths).allSatisfy { $0 === $1 }
    }
}
