internal import RhumbCore
package import RhumbHTTP
package import RhumbStore
internal import Synchronization

/// A copy of a file on a server that ignores ranges. It has no name, so that the system deletes it when it is
/// closed, also if the process is killed.
package final class WholeFile: Sendable {
    private let file: Mutex<PartFile>
    /// The response that the file arrived in. Only its headers matter.
    let response: HTTPResponse
    /// The size in bytes.
    let size: Int

    /// Creates a copy.
    /// - Parameter file: A file without a name, with all bytes.
    package init(_ file: sending PartFile, _ response: HTTPResponse, size: Int) {
        self.file = Mutex(file)
        self.response = response
        self.size = size
    }

    /// Returns the bytes of a section; fewer if the file ends within it.
    func bytes(_ section: FileSection) -> [UInt8] {
        guard section.offset < UInt64(size) else { return [] }
        let count = min(section.length, UInt64(size) - section.offset)
        return file.withLock { $0.read(at: Int(section.offset), count: Int(count)) }
    }
}
