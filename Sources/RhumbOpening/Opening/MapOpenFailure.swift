public import RhumbCore
public import RhumbStore

/// An error while opening a map.
public enum MapOpenFailure: RecoverableError, Equatable, Sendable, CustomStringConvertible {
    /// Neither a file nor a source has this name; `among` has the names of the sources.
    case unknown(String, among: [String])
    /// The file can't be read.
    case unreadable(file: String)
    /// The file is damaged or not a tile archive.
    case archive(ArchiveFailure)
    /// The web source is invalid, or its document could not be fetched.
    case web(WebSourceFailure)
    /// The document in a file is invalid.
    case document(file: String, problem: String)
    /// No layer of the style draws vector tiles.
    case drawsNothing(style: String)
    /// The map has several layers, but a single one was expected.
    case severalLayers(Int)

    public var description: String {
        switch self {
        case .unknown(let name, _): "no file or source called \(SafeText.sanitised(name, limit: 300))"
        case .unreadable(let file): "\(FileProblem(file))"
        case .archive(let failure): failure.description
        case .web(let failure): failure.description
        case .document(let file, let problem): "\(SafeText.sanitised(file)): \(problem)"
        case .drawsNothing(let style):
            "\(SafeText.sanitised(style)): no layer of this style draws vector tiles; choose another style"
        case .severalLayers(let count): "the style has \(count) layers; use the source of one of them"
        }
    }

    /// A further remedy; nil for none.
    public var remedy: RecoverySuggestion? {
        switch self {
        case .unknown(let name, let names): names.nearest(to: name).map { .takeSource($0) } ?? .listSources
        case .web(let failure): failure.remedy
        case .archive(let failure): failure.remedy
        default: nil
        }
    }
}
