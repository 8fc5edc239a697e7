internal import RhumbCore
internal import RhumbEngine
internal import RhumbHTTP
internal import RhumbOpening
internal import RhumbStore

/// A folder of regions and other files that is carried to another machine, or a tar archive of it. `set.json`
/// lists its files with their SHA-256 sums.
public enum TransferSet {
    /// Returns true if a set is a single file, as its name states.
    public static func isArchive(_ path: String) -> Bool { path.lowercased().hasSuffix(".tar") }

    static let listName = "set.json"
    static let format = "rhumb-set"

    /// A file of a set.
    public struct File: Sendable, Equatable {
        /// The path within the folder, such as "styles/winter.json".
        public let path: String
        let bytes: Int
        let sha256: String

        var json: JSON { ["path": .string(path), "bytes": .integer(bytes), "sha256": .string(sha256)] }

        /// Reads an entry of the list.
        /// - Throws: `TransferSetFailure`, also for a path that leads out of the folder.
        init(json: JSON) throws(TransferSetFailure) {
            guard let path = json["path"]?.string, let bytes = json["bytes"]?.int, bytes >= 0,
                let sha256 = json["sha256"]?.string
            else { throw .list("an entry of \"files\" lacks its path, bytes or sha256") }
            guard File.isInside(path) else { throw .path(path) }
            self.path = path
            self.bytes = bytes
            self.sha256 = sha256
        }

        /// Computes the sum of a file.
        init(_ path: String, in folder: String) throws(TransferSetFailure) {
            guard let file = try? FileBytes(folder + "/" + path), let hash = SHA256Sum() else {
                throw .unreadable(path)
            }
            bytes = Int(file.size)
            do { try file.eachPiece(of: 0..<bytes) { piece, _ in hash.add(piece) } } catch {
                throw .unreadable(path)
            }
            self.path = path
            sha256 = hash.finish()
        }

        /// Returns true for paths of plain names below the folder.
        public static func isInside(_ path: String) -> Bool {
            let parts = path.split(separator: "/", omittingEmptySubsequences: false)
            return (1...4).contains(parts.count)
                && parts.allSatisfy { part in
                    !part.isEmpty && !part.hasPrefix(".") && part.utf8.count <= 200
                        && part.utf8.allSatisfy { byte in
                            (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte)
                                || "._-".utf8.contains(byte)
                        }
                }
        }
    }
}

extension FileBytes {
    /// Writes the file to another one, and publishes that.
    func copy(to file: PartFile) throws {
        try eachPiece(of: 0..<Int(size)) { try file.write($0, at: $1) }
        try file.publish()
    }

    /// Calls a function with a part of the file in pieces of at most 1 MiB, and the offset of each.
    func eachPiece(of range: Range<Int>, _ body: ([UInt8], _ offset: Int) throws -> Void) throws {
        for offset in stride(from: range.lowerBound, to: range.upperBound, by: 1 << 20) {
            try body(read(offset: UInt64(offset), count: min(1 << 20, range.upperBound - offset)), offset)
        }
    }
}

/// The reason why a set can't be written or imported. Nothing was imported.
public enum TransferSetFailure: Error, Equatable, Sendable, CustomStringConvertible {
    case exists(String)
    case noSet(String)
    case list(String)
    /// A path leads out of the folder.
    case path(String)
    case unreadable(String)
    /// The archive ends too early.
    case cut(String)
    /// The file is not a tar archive, or damaged.
    case archive(String)
    case damaged(String)

    public var description: String {
        switch self {
        case .exists(let folder): "\(safe(folder)) is not empty; choose a new folder"
        case .noSet(let folder): "\(safe(folder)) has no \(TransferSet.listName), so it is not a complete set"
        case .list(let problem): "\(TransferSet.listName): \(safe(problem))"
        case .path(let path):
            "\(TransferSet.listName): the path \(safe(path)) is not allowed; nothing was imported"
        case .unreadable(let path): "\(safe(path)): missing or unreadable; nothing was imported"
        case .cut(let path): "\(safe(path)): incomplete; copy it again, nothing was imported"
        case .archive(let path):
            "\(safe(path)): not a tar archive, or damaged; copy it again, nothing was imported"
        case .damaged(let path):
            "\(safe(path)): its checksum is wrong; copy the set again, nothing was imported"
        }
    }

    private func safe(_ text: String) -> String { SafeText.sanitised(text, limit: 200) }
}
