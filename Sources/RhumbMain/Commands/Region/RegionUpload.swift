internal import Glibc
internal import Rhumb
internal import RhumbBrowser
internal import RhumbCommandLine

/// The upload of a region's archives to an object store, by way of a temporary folder.
struct RegionUpload {
    /// The path at which the archives are written first; it may contain a placeholder.
    let path: String
    private let folder: String
    /// The address of the folder in the store.
    private let place: String
    private let uploader: S3Uploader

    /// Creates an upload; nil if the destination is not the address of an object store.
    init?(_ destination: String, _ invocation: Invocation) throws {
        guard URLReference.storeSchemes.contains(URLReference(destination).scheme ?? "") else { return nil }
        guard let slash = destination.lastIndex(of: "/"), slash != destination.startIndex,
            destination[..<slash].split(separator: "/").count > 1, !destination.hasSuffix("/")
        else {
            throw UsageError("-o: expected a file in a bucket, such as s3://bucket/home.pmtiles")
        }
        uploader = try invocation.uploader(to: destination)
        place = String(destination[..<slash])
        var template = Array("\(Environment.all["TMPDIR"] ?? "/tmp")/rhumb-XXXXXX".utf8CString)
        guard let made = mkdtemp(&template) else {
            throw Notice.Problem("can't create a temporary folder: \(String(cString: strerror(errno)))")
        }
        folder = String(cString: made)
        path = "\(folder)/\(destination[destination.index(after: slash)...])"
    }

    /// Uploads a file of the folder.
    /// - Returns: Its address.
    func send(_ file: String, isReplacing: Bool) throws -> String {
        let address = "\(place)/\(file.dropFirst(folder.count + 1))"
        let type = file.hasSuffix(".pmtiles") ? "application/vnd.pmtiles" : "application/octet-stream"
        do throws(S3Uploader.Failure) {
            _ = try uploader.upload(
                file, to: address, type: type, isReplacing ? .none : .absent, isResumable: false)
        } catch {
            guard case .conflict = error else { throw error }
            throw Notice.Problem("\(FailureText.sentence(error)); replace it with --force")
        }
        return address
    }

    /// Removes the temporary folder.
    func clean() {
        for name in FolderNames.list(folder) ?? [] { unlink("\(folder)/\(name)") }
        rmdir(folder)
    }
}
