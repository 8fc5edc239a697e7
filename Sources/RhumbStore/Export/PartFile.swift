internal import Glibc

/// A file that grows beside its place and is moved there when it is whole, or else removed.
final class PartFile {
    let destination: String
    /// Where it grows.
    let path: String
    private let descriptor: Int32
    private var isPublished = false

    init(_ destination: String, isReplacing: Bool) throws(ExportFailure) {
        guard isReplacing || access(destination, F_OK) != 0 else {
            throw ExportFailure(destination, .exists, "there is such a file", "choose another name or remove it")
        }
        var opened: (path: String, descriptor: Int32)?
        for attempt in 0..<100 where opened == nil {
            let path = "\(destination).\(getpid())-\(attempt).part"
            let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
            if descriptor >= 0 { opened = (path, descriptor) } else if errno != EEXIST { break }
        }
        guard let opened else { throw ExportFailure(destination, errno: errno) }
        self.destination = destination
        (path, descriptor) = opened
    }

    deinit {
        close(descriptor)
        if !isPublished { unlink(path) }
    }

    func write(_ bytes: [UInt8], at offset: Int) throws(ExportFailure) {
        var written = 0
        let problem = bytes.withUnsafeBytes { bytes -> Int32? in
            while written < bytes.count, let start = bytes.baseAddress {
                let count = pwrite(descriptor, start + written, bytes.count - written, offset + written)
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { return count < 0 ? errno : EIO }
                written += count
            }
            return nil
        }
        if let problem { throw ExportFailure(destination, errno: problem) }
    }

    /// Bytes that were written before; fewer if there are no more.
    func read(at offset: Int, count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count, let start = buffer.baseAddress {
                let got = pread(descriptor, start + filled, count - filled, offset + filled)
                if got < 0 && errno == EINTR { continue }
                guard got > 0 else { return }
                filled += got
            }
        }
    }

    /// Takes the name away: the file goes on without one until it is closed.
    func hide() {
        unlink(path)
        isPublished = true
    }

    /// Makes sure that all is on the disk, and gives the file its name.
    /// - Returns: its size.
    func publish() throws(ExportFailure) -> Int {
        var facts = stat()
        guard fsync(descriptor) == 0, fstat(descriptor, &facts) == 0, rename(path, destination) == 0 else {
            throw ExportFailure(destination, errno: errno)
        }
        isPublished = true
        syncFolder()
        return Int(facts.st_size)
    }

    /// So that the new name outlives a power cut; where folders can't be synced nothing is lost.
    private func syncFolder() {
        let slash = destination.lastIndex(of: "/")
        let folder = slash.map { $0 == destination.startIndex ? "/" : String(destination[..<$0]) } ?? "."
        let opened = open(folder, O_RDONLY | O_CLOEXEC)
        guard opened >= 0 else { return }
        fsync(opened)
        close(opened)
    }
}
