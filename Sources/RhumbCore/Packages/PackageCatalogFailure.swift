/// Why something is no catalogue of packages.
public enum PackageCatalogFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// It is no JSON: cut off, perhaps.
    case text(String)
    /// It is JSON, but of something else.
    case other
    /// It was written for a newer Rhumb.
    case version(Int)
    case tooMany(Int, limit: Int)
    /// A member is missing, or of another type or range than it may be.
    case member(package: String?, String, String)
    case duplicate(String)
    /// The package that one lies in does not come before it, or not at all.
    case unknownParent(package: String, parent: String)
    /// A package has too many ancestors.
    case tooDeep(package: String, limit: Int)
    /// There is not one package without a parent.
    case roots([String])

    public var description: String { "the catalogue can't be used: \(problem); tell its publisher" }

    private var problem: String {
        switch self {
        case .text(let problem): problem
        case .other: "it has no \"rhumb-catalog\" and so is something else"
        case .version(let version): "it is of version \(version), this Rhumb reads version \(PackageCatalog.version)"
        case .tooMany(let count, let limit): "it has \(count) packages, and at most \(limit) are read"
        case .member(let package, let name, let problem):
            (package.map { "package \(safe($0)): " } ?? "") + "\"\(name)\" \(problem)"
        case .duplicate(let id): "there are two packages \(safe(id))"
        case .unknownParent(let package, let parent): "package \(safe(package)) lies in \(safe(parent)), which does not come before it"
        case .tooDeep(let package, let limit): "package \(safe(package)) lies more than \(limit) levels deep"
        case .roots(let ids):
            ids.isEmpty
                ? "it has no package" : "\(safe(ids.prefix(3).joined(separator: ", "))) lie in no other package, one should"
        }
    }

    private func safe(_ text: String) -> String { SafeText.sanitised(text, limit: 80) }
}
