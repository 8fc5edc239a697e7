/// The reason why a style can't be converted.
public enum StyleConversionFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The two styles of a conversion.
    public enum Role: String, Sendable { case base, edited }

    /// One of the documents isn't a style.
    case noStyle(Role, problem: String)
    /// The edited style wasn't derived from this base.
    case otherBase(reason: String)

    public var description: String {
        switch self {
        case .noStyle(let role, let problem): "the \(role.rawValue) style can't be converted: \(problem)"
        case .otherBase(let reason):
            "the edited style is not from this base: \(reason); use the base it was made from"
        }
    }
}
