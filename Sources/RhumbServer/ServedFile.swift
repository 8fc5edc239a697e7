internal import Glibc
internal import RhumbCore
internal import RhumbStore

/// The open file of an archive, which stays readable after another file has taken its name.
final class ServedFile: Sendable {
    /// The facts of the file when it was opened.
    let facts: FileFacts
    private let path: String
    private let descriptor: Int32

    /// Opens a file or folder; nil if that fails.
    init?(_ path: String) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        guard let facts = FileFacts(descriptor: descriptor) else {
            close(descriptor)
            return nil
        }
        self.path = path
        self.descriptor = descriptor
        self.facts = facts
    }

    deinit { close(descriptor) }

    /// Returns another descriptor of the file, which the caller closes; nil if the process has too many.
    func duplicate() -> Int32? {
        let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        return copy >= 0 ? copy : nil
    }

    /// The facts of another file that has the name now, or of this one after it was changed; nil while the
    /// name still leads to this file, or to none.
    var successor: FileFacts? { FileFacts(path).flatMap { $0 == facts ? nil : $0 } }
}

extension FileFacts {
    /// The ETag, which changes with the file.
    var etag: String {
        "\"\(String(size, radix: 16))-\(String(modified.value, radix: 16))-\(String(nanoseconds, radix: 16))\""
    }

    /// Returns true if both are facts of one file, which may have changed.
    func isSameFile(as other: FileFacts) -> Bool { device == other.device && node == other.node }
}
