/// The parts of a remote archive that are needed for some tiles.
public struct ReadPlan: Sendable, Equatable {
    /// The number of bytes to load, with the gaps between parts that are loaded together.
    public let bytes: Int
    /// The number of requests.
    public let requests: Int
}
