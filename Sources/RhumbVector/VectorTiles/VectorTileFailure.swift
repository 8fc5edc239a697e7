/// The reason why data is not a vector tile, or why a layer can't be read.
public struct VectorTileFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The problem in words.
    public let problem: String
    /// The offset in bytes, from 0.
    public let offset: Int

    public var description: String { "invalid vector tile: \(problem) at byte \(offset)" }
}
