internal import RhumbCore
internal import RhumbStore

extension FileFacts {
    /// The ETag, which changes with the file.
    var etag: String {
        "\"\(String(size, radix: 16))-\(String(modified.value, radix: 16))-\(String(nanoseconds, radix: 16))\""
    }
}
