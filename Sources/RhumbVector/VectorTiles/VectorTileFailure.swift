/// Why bytes are not a vector tile, or a layer of it can't be read.
public struct VectorTileFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// What is wrong.
    public let problem: String
    /// Where, counted in bytes from 0.
    public let offset: Int

    public var description: String { "invalid vector tile: \(problem) at byte \(offset)" }
}
