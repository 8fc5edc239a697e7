internal import RhumbCore

/// The reason why archives can't be copied, merged or compared.
public struct ArchiveCopyFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// The category of a failure.
    public enum Reason: String, Sendable {
        /// The extension of the destination names no archive format.
        case format
        /// The destination is also an input.
        case sameFile
        /// The destination is a folder with contents.
        case folderExists
        /// The inputs have different types of tiles.
        case mixedInputs
        /// A tile is in more than one input.
        case duplicate
        /// No tile is in the requested area and zooms.
        case outside
        /// An input has no tiles.
        case empty
        /// An archive has more tiles than a patch can describe.
        case tooLarge
        /// A file is no patch, or a damaged one.
        case notPatch
        /// A patch was made for another archive.
        case otherBase
        /// A tile that was listed can't be found.
        case missing
        /// An input changed while it was being read.
        case changed
    }

    /// The category of the failure.
    public let reason: Reason
    /// The path of the archive concerned, sanitised for terminal output.
    public let file: String
    /// The problem.
    public let problem: String
    /// The suggested remedy.
    public let advice: String

    init(_ file: String, _ reason: Reason, _ problem: String, _ advice: String) {
        self.file = SafeText.sanitised(file)
        self.reason = reason
        self.problem = SafeText.sanitised(problem)
        self.advice = advice
    }

    public var description: String { "\(file): \(problem); \(advice)" }
}
