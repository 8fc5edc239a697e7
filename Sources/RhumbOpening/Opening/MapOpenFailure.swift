public import RhumbCore
public import RhumbStore

/// Why a map can't be opened.
public enum MapOpenFailure: RecoverableError, Equatable, Sendable, CustomStringConvertible {
    /// There is neither a file nor a source of that name, but sources of these names.
    case unknown(String, among: [String])
    /// A file can't be read.
    case unreadable(file: String)
    /// A file is no tile archive, or a damaged one.
    case archive(ArchiveFailure)
    /// A source of the web is wrong, or its document did not come.
    case web(WebSourceFailure)
    /// A document in a file can't be understood.
    case document(file: String, problem: String)
    /// No layer of a style draws vector tiles.
    case drawsNothing(style: String)
    /// A map of several layers, where one was wanted.
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
        default: nil
        }
    }
}
