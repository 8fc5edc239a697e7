internal import RhumbBase

/// The reason why a document is not a catalogue of packages.
public enum PackageCatalogFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// The text is not valid JSON; it may be truncated.
    case text(String)
    /// The JSON is not a catalogue.
    case other
    /// The catalogue needs a newer version of Rhumb.
    case version(Int)
    case tooMany(Int, limit: Int)
    /// A member is missing, or has a wrong type or value.
    case member(package: String?, String, String)
    case duplicate(String)
    /// The parent of a package is missing, or comes after it.
    case unknownParent(package: String, parent: String)
    /// A package has too many ancestors.
    case tooDeep(package: String, limit: Int)
    /// The number of packages without a parent is not one.
    case roots([String])

    public var description: String { "invalid catalogue: \(problem); report this to its publisher" }

    private var problem: String {
        switch self {
        case .text(let problem): problem
        case .other: "it has no \"rhumb-catalog\", so it is another kind of document"
        case .version(let version):
            "it has version \(version), but this Rhumb reads version \(PackageCatalog.version)"
        case .tooMany(let count, let limit): "it has \(count) packages, over the limit of \(limit)"
        case .member(let package, let name, let problem):
            (package.map { "package \(safe($0)): " } ?? "") + "\"\(name)\" \(problem)"
        case .duplicate(let id): "there are two packages \(safe(id))"
        case .unknownParent(let package, let parent):
            "the parent of package \(safe(package)), \(safe(parent)), must come before it"
        case .tooDeep(let package, let limit): "package \(safe(package)) is more than \(limit) levels deep"
        case .roots(let ids):
            ids.isEmpty
                ? "it has no package"
                : "\(safe(ids.prefix(3).joined(separator: ", "))) have no parent, but only one package may have none"
        }
    }

    private func safe(_ text: String) -> String { SafeText.sanitised(text, limit: 80) }
}
