/// Why bytes are not a vector tile, or a layer of it can't be read.
public struct VectorTileFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The problem.
    public let problem: String
    /// The offset in bytes.
    public let offset: Int

    public var description: String { "invalid vector tile: \(problem) at byte \(offset)" }
}
