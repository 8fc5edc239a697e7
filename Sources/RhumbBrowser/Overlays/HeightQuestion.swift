public import RhumbCore

/// How high is the ground along these lines?
public struct HeightQuestion: Equatable, Sendable {
    /// The lines.
    public let paths: [OverlayPath]

    public static func == (a: HeightQuestion, b: HeightQuestion) -> Bool {
        a.paths.count == b.paths.count && zip(a.paths, b.paths).allSatisfy { $0 === $1 }
    }
}
