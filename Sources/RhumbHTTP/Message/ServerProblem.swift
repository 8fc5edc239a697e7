package import RhumbCore

/// A problem with a server or a caching proxy that stops no request.
public struct ServerProblem: Error, Hashable, Sendable, CustomStringConvertible {
    /// A sentence with the problem and its effect.
    public let description: String

    /// The server states different validators for the same file.
    package static func inconsistentVersions(of address: HTTPAddress) -> ServerProblem {
        ServerProblem(
            description: "\(address): the server sends different ETags or dates for the same file, "
                + "so a replaced file may go unnoticed; the version that was opened first is used")
    }
}
