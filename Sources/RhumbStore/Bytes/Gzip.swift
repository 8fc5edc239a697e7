internal import CDeflate
internal import CZlib
internal import RhumbCore

/// Compression and decompression of gzip (RFC 1952) and decompression of zlib data (RFC 1950).
package enum Gzip {
    /// The default limit of unpacked data in bytes: 32 MiB.
    package static let limit = 32 << 20

    package enum Failure: Error, Equatable {
        case damaged
        case tooLarge
    }

    /// Returns true if the bytes start with a gzip or zlib header, which a MapLibre Tile may, too.
    package static func isWrapped(_ bytes: [UInt8]) -> Bool {
        guard bytes.count > 2 else { return false }
        if bytes[0] == 0x1F && bytes[1] == 0x8B { return true }
        return bytes[0] == 0x78 && (Int(bytes[0]) << 8 | Int(bytes[1])) % 31 == 0
            && !VectorTile.isMapLibre(bytes)
    }

    /// Returns a body without the gzip or zlib compression that it may have.
    /// - Throws: `Failure` if the data is damaged or truncated, or unpacks to more than `limit` bytes.
    package static func unwrapped(_ body: [UInt8], limit: Int = limit) throws(Failure) -> [UInt8] {
        isWrapped(body) ? try unpacked(body, limit: limit) : body
    }

    /// Decompresses gzip or zlib data. Multiple gzip members are joined.
    /// - Throws: `Failure` if the data is damaged or truncated, or unpacks to more than `limit` bytes.
    package static func unpacked(_ bytes: [UInt8], limit: Int = limit) throws(Failure) -> [UInt8] {
        if let whole = whole(bytes, limit: limit) { return whole }
        // 32: detect gzip or zlib by the header.
        return try inflated(
            bytes, MAX_WBITS + 32, expecting: expectedSize(bytes) ?? bytes.count * 4, limit: limit)
    }

    /// Decompresses deflate data (RFC 1951), without a header unless `windowBits` announces one.
    /// - Throws: `Failure` if the data is damaged or truncated, or unpacks to more than `limit` bytes.
    static func inflated(
        _ bytes: [UInt8], _ windowBits: Int32 = -MAX_WBITS, expecting: Int, limit: Int
    ) throws(Failure) -> [UInt8] {
        var output: [UInt8] = []
        try unpack(bytes, windowBits, expecting: expecting, limit: limit) { piece, step in
            // Reusing a mostly empty piece would retain its unused capacity.
            if output.isEmpty && piece.count > step / 2 {
                output = piece
            } else {
                output.append(contentsOf: piece)
            }
            return true
        }
        return output
    }

    /// Returns the contents of an undamaged gzip member whose trailer has their size, or of a small piece of
    /// zlib data; nil for anything else. libdeflate unpacks tiles at 240 MB/s, and zlib at 110, but needs to
    /// know how much room they take.
    private static func whole(_ bytes: [UInt8], limit: Int) -> [UInt8]? {
        let size = expectedSize(bytes), isSmall = bytes.first == 0x78 && bytes.count <= 1 << 20
        let room = size ?? (isSmall ? bytes.count * 8 : .max)
        guard room <= limit, let unpacker = libdeflate_alloc_decompressor() else { return nil }
        defer { libdeflate_free_decompressor(unpacker) }
        var isWhole = false
        let output = [UInt8](unsafeUninitializedCapacity: room) { buffer, filled in
            let unpack =
                size == nil ? libdeflate_zlib_decompress_ex : libdeflate_gzip_decompress_ex
            var used = 0, count = 0
            let outcome = unpack(unpacker, bytes, bytes.count, buffer.baseAddress, room, &used, &count)
            isWhole = outcome == LIBDEFLATE_SUCCESS && used == bytes.count
            filled = isWhole ? count : 0
        }
        guard isWhole else { return nil }
        // An array keeps its unused room.
        return output.count == room ? output : output.withUnsafeBufferPointer(Array.init)
    }

    /// Decompresses data piece by piece, so that memory use doesn't depend on its size.
    /// - Parameter take: Receives each piece of at most 1 MiB; returns false to stop.
    /// - Throws: `Failure` if the data is damaged or truncated, or unpacks to more than `limit` bytes.
    package static func unpack(_ bytes: [UInt8], limit: Int, _ take: ([UInt8]) -> Bool) throws(Failure) {
        try unpack(bytes, MAX_WBITS + 32, expecting: expectedSize(bytes) ?? bytes.count * 4, limit: limit) {
            (piece, _) in take(piece)
        }
    }

    private static func unpack(
        _ bytes: [UInt8], _ windowBits: Int32, expecting expected: Int, limit: Int,
        _ take: (_ piece: [UInt8], _ step: Int) -> Bool
    ) throws(Failure) {
        var stream = z_stream()
        let size = Int32(MemoryLayout<z_stream>.size)
        guard inflateInit2_(&stream, windowBits, ZLIB_VERSION, size) == Z_OK else { throw .damaged }
        defer { inflateEnd(&stream) }
        var input = bytes
        try input.withUnsafeMutableBufferPointer { input throws(Failure) in
            stream.next_in = input.baseAddress
            stream.avail_in = UInt32(clamping: input.count)
            try inflate(&stream, expecting: expected, limit: limit, take)
        }
    }

    /// Returns the size in the trailer of a gzip member; nil if absent or implausible.
    private static func expectedSize(_ bytes: [UInt8]) -> Int? {
        guard bytes.count > 18, bytes[0] == 0x1F else { return nil }
        let size = Int(littleEndian: bytes.suffix(4))
        // The maximum compression ratio of deflate is 1032.
        return size < bytes.count * 1032 ? size : nil
    }

    private static func inflate(
        _ stream: inout z_stream, expecting: Int, limit: Int, _ take: ([UInt8], Int) -> Bool
    ) throws(Failure) {
        var outcome = Z_OK, count = 0
        var step = min(max(expecting, 1024), 1 << 20)
        while outcome == Z_OK {
            let piece = [UInt8](unsafeUninitializedCapacity: step) { buffer, filled in
                stream.next_out = buffer.baseAddress
                stream.avail_out = UInt32(buffer.count)
                outcome = CZlib.inflate(&stream, Z_NO_FLUSH)
                filled = buffer.count - Int(stream.avail_out)
            }
            count += piece.count
            guard count <= limit else { throw .tooLarge }
            guard take(piece, step) else { return }
            if outcome == Z_STREAM_END && stream.avail_in > 1 && stream.next_in?.pointee == 0x1F {
                outcome = inflateReset(&stream)
            }
            step = min(step * 2, 1 << 20)
        }
        guard outcome == Z_STREAM_END else { throw .damaged }
    }

    /// Returns the bytes compressed as one gzip member. At level 6, libdeflate takes less time than zlib at
    /// level 1, and tiles become smaller than by zlib at level 6: those of Monaco 214 kB instead of 215 kB.
    package static func packed(_ bytes: [UInt8]) -> [UInt8] {
        guard let packer = libdeflate_alloc_compressor(6) else { return [] }
        defer { libdeflate_free_compressor(packer) }
        let room = libdeflate_gzip_compress_bound(packer, bytes.count)
        return [UInt8](unsafeUninitializedCapacity: room) { output, filled in
            filled = libdeflate_gzip_compress(packer, bytes, bytes.count, output.baseAddress, room)
        }
    }
}
