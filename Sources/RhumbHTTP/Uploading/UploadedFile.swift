internal import CCrypto
internal import Glibc
internal import RhumbCore

/// A file to upload, open for reading.
package final class UploadedFile {
    let path: String
    /// The size in bytes.
    package let size: Int
    private let descriptor: Int32

    /// Opens a file; nil if it can't be read.
    package init?(_ path: String) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        var facts = stat()
        guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            return nil
        }
        self.path = path
        self.descriptor = descriptor
        size = Int(facts.st_size)
    }

    deinit { close(descriptor) }

    /// Returns a part of the file.
    /// - Throws: `S3Uploader.Failure.file` if the file has become shorter or can't be read.
    package func bytes(at offset: Int, count: Int) throws(S3Uploader.Failure) -> [UInt8] {
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count, let start = buffer.baseAddress {
                let got = pread(descriptor, start + filled, count - filled, offset + filled)
                if got < 0 && errno == EINTR { continue }
                guard got > 0 else { return }
                filled += got
            }
        }
        guard bytes.count == count else {
            throw .file("\(SafeText.sanitised(path)): changed or can't be read; try again")
        }
        return bytes
    }

    /// Returns the SHA-256 of the file in hexadecimal.
    package func sha256() throws(S3Uploader.Failure) -> String {
        guard let hash = SHA256Sum() else { throw .refused("can't load libcrypto.so.3; install libssl3") }
        var offset = 0
        while offset < size {
            let piece = try bytes(at: offset, count: min(1 << 20, size - offset))
            hash.add(piece)
            offset += piece.count
        }
        return hash.finish()
    }
}

/// The state of an upload in parts, beside the file, so that an interrupted one is resumed.
struct UploadRecord {
    var upload: String?
    /// The ETags of the parts that the store has, by their numbers.
    var etags: [Int: String] = [:]
    private let path: String
    private let address: String
    private let hash: String
    private let partSize: Int

    /// Reads the record of an earlier upload of the same file to the same address.
    init(_ file: String, _ address: String, _ hash: String, partSize: Int) {
        path = file + ".upload"
        self.address = address
        self.hash = hash
        self.partSize = partSize
        guard let bytes = UploadedFile(path).flatMap({ try? $0.bytes(at: 0, count: min($0.size, 16 << 20)) }),
            let json = try? JSON.parse(bytes), json["address"]?.string == address,
            json["sha256"]?.string == hash,
            json["partSize"]?.int == partSize
        else { return }
        upload = json["upload"]?.string
        for part in json["parts"]?.array ?? [] {
            if let number = part["number"]?.int, let etag = part["etag"]?.string { etags[number] = etag }
        }
    }

    /// Writes the record. Without it, an interrupted upload begins again.
    func save() {
        let json: JSON = [
            "address": .string(address), "sha256": .string(hash), "partSize": .integer(partSize),
            "upload": .string(upload ?? ""),
            "parts": .array(
                etags.sorted { $0.key < $1.key }.map {
                    ["number": .integer($0.key), "etag": .string($0.value)]
                }),
        ]
        let bytes = Array(json.text.utf8), part = path + ".new"
        let descriptor = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return }
        let isWritten = write(descriptor, bytes, bytes.count) == bytes.count
        close(descriptor)
        if isWritten { rename(part, path) } else { unlink(part) }
    }

    func remove() { unlink(path) }
}
