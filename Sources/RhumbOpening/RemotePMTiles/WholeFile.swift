internal import RhumbCore
package import RhumbHTTP
package import RhumbStore
internal import Synchronization

/// A copy of a file on a server that ignores ranges. It has no name: the system deletes it when it is closed,
/// also if the process is killed.
package final class WholeFile: Sendable {
    private let file: Mutex<PartFile>
    /// The response that the file arrived in; only its headers count.
    let response: HTTPResponse
    /// In bytes.
    let size: Int

    /// - Parameter file: Holds all bytes, and has no name.
    package init(_ file: sending PartFile, _ response: HTTPResponse, size: Int) {
        self.file = Mutex(file)
        self.response = response
        self.size = size
    }

    /// The bytes of a section; fewer if the file ends before.
    func bytes(_ section: FileSection) -> [UInt8] {
        guard section.offset < UInt64(size) else { return [] }
        let count = min(section.length, UInt64(size) - section.offset)
        return file.withLock { $0.read(at: Int(section.offset), count: Int(count)) }
    }
}
