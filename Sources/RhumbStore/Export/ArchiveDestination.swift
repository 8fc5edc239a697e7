internal import Glibc

/// The place of a new archive: a file of an `ArchiveFormat`, or a folder if the path ends in a slash.
struct ArchiveDestination: Sendable {
    private let path: String
    private let isReplacing: Bool
    /// The format of the file; nil for a folder.
    private let format: ArchiveFormat?

    /// - Parameters:
    ///   - inputs: The archives that are read, which must not be replaced.
    ///   - isReplacing: If true, an existing file may be replaced. A folder never is.
    /// - Throws: `ArchiveCopyFailure`
    init(_ path: String, inputs: [ArchiveInput], isReplacing: Bool) throws(ArchiveCopyFailure) {
        let isFolder = path.hasSuffix("/")
        format = isFolder ? nil : ArchiveFormat(path: path)
        guard isFolder || format != nil else {
            throw ArchiveCopyFailure(
                path, .format, "unknown archive format",
                "use a name that ends in \(ArchiveFormat.suffixes), or in / for a folder")
        }
        guard !inputs.contains(where: { $0.isSame(as: path) }) else {
            throw ArchiveCopyFailure(path, .sameFile, "it is also an input", "choose another name")
        }
        var facts = stat()
        if isFolder, lstat(PartFile.withoutSlash(path), &facts) == 0, facts.st_mode & S_IFMT == S_IFLNK {
            throw ArchiveCopyFailure(
                path, .folderExists, "it is a symbolic link", "name the folder that it leads to")
        }
        if isFolder, FolderNames.list(path)?.isEmpty == false {
            throw ArchiveCopyFailure(
                path, .folderExists, "the folder has contents", "choose another name or remove it")
        }
        self.path = path
        self.isReplacing = isReplacing
    }

    /// True if the format stores consecutive tiles with a common body as one entry.
    var storesRuns: Bool { format?.needsOrder == true }
    /// The path of the file if its tiles must be added in the order of their PMTiles ids; nil otherwise.
    var orderedPath: String? { format?.needsOrder == true ? path : nil }

    /// Creates a writer.
    /// - Throws: `ExportFailure`
    func writer(_ label: ExportLabel) throws(ExportFailure) -> any ArchiveWriter {
        guard let format else { return try TileFolderWriter(path, label: label) }
        return try format.writer(to: path, label: label, isReplacing: isReplacing)
    }
}
