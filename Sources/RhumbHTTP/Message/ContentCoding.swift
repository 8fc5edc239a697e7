internal import CZlib
internal import RhumbCore

/// Decompresses bodies. curl could do so, but accepts a truncated compressed body as complete.
enum ContentCoding {
    /// The supported codings, for the request.
    static let accepted = "gzip, deflate"

    private static let compressions: Set<String> = [
        "gzip", "x-gzip", "deflate", "br", "zstd", "compress", "x-compress", "dcb", "dcz",
    ]

    /// Returns the compressions in a `Content-Encoding`, in the order in which they were applied. Other names
    /// in it don't change the bytes: object stores send `aws-chunked`, which describes an upload, and others
    /// send names of character sets. The format of the body is checked all the same.
    static func list(_ field: String?) -> [String] {
        (field ?? "").split(separator: ",").map { $0.trimmed.lowercased() }.filter(compressions.contains)
    }

    /// Returns the body without its `Content-Encoding`.
    /// - Parameter coding: The value of the field, a list.
    /// - Throws: `.truncated` if it is cut off or garbled, `.tooLarge` beyond the limit, `.unknownCoding` for
    ///   a coding that was not requested.
    static func decoded(_ body: [UInt8], coding: String?) throws(TransportFault) -> [UInt8] {
        let codings = list(coding)
        guard codings.count <= codingLimit else { throw .unknownCoding }
        var body = body
        for coding in codings.reversed() {
            switch coding {
            case "gzip", "x-gzip": body = try inflated(body, windowBits: 16 + MAX_WBITS)
            case "deflate":
                // Some servers send a raw deflate stream instead of the zlib format.
                let isZlib =
                    body.count > 1 && body[0] & 15 == 8 && (Int(body[0]) << 8 | Int(body[1])) % 31 == 0
                body = try inflated(body, windowBits: isZlib ? MAX_WBITS : -MAX_WBITS)
            default: throw .unknownCoding
            }
        }
        return body
    }

    /// The maximum number of compressions of one body.
    private static let codingLimit = 4

    private static func inflated(_ body: [UInt8], windowBits: Int32) throws(TransportFault) -> [UInt8] {
        var stream = z_stream()
        let limit = ExpectedContent.unpackedLimit
        let size = Int32(MemoryLayout<z_stream>.size)
        guard inflateInit2_(&stream, windowBits, ZLIB_VERSION, size) == Z_OK else { throw .truncated }
        defer { inflateEnd(&stream) }
        var input = body, output: [UInt8] = [], code = Z_OK
        input.withUnsafeMutableBufferPointer { input in
            stream.next_in = input.baseAddress
            stream.avail_in = UInt32(clamping: input.count)
            while code == Z_OK && output.count <= limit {
                code = step(&stream, into: &output)
                // A body may consist of several members (RFC 1952, 2.2). Other bytes after one are ignored.
                let isFollowed =
                    code == Z_STREAM_END && stream.avail_in > 1 && stream.next_in[0] == 0x1F
                    && stream.next_in[1] == 0x8B
                if isFollowed { code = inflateReset(&stream) }
            }
        }
        guard output.count <= limit else { throw .tooLarge }
        guard code == Z_STREAM_END else { throw .truncated }
        return output
    }

    private static func step(_ stream: inout z_stream, into output: inout [UInt8]) -> Int32 {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1 << 16) { room in
            stream.next_out = room.baseAddress
            stream.avail_out = UInt32(room.count)
            let code = inflate(&stream, Z_NO_FLUSH)
            output.append(contentsOf: room[..<(room.count - Int(stream.avail_out))])
            return code
        }
    }
}
