internal import Glibc

/// Decompresses Zstandard with libzstd, which is loaded on first use.
enum ZstandardLibrary {
    private typealias Decompress =
        @convention(c) (UnsafeMutableRawPointer?, Int, UnsafeRawPointer?, Int) -> Int
    private typealias IsError = @convention(c) (Int) -> UInt32

    /// The functions of the library; nil if it is not installed.
    private static let functions: (decompress: Decompress, isError: IsError)? = {
        guard let library = dlopen("libzstd.so.1", RTLD_NOW | RTLD_LOCAL),
            let decompress = dlsym(library, "ZSTD_decompress"), let isError = dlsym(library, "ZSTD_isError")
        else { return nil }
        return (
            unsafeBitCast(decompress, to: Decompress.self), unsafeBitCast(isError, to: IsError.self)
        )
    }()

    /// True if the library is installed.
    static var isInstalled: Bool { functions != nil }

    /// Returns the decompressed bytes; nil if they are damaged or longer than `limit`.
    static func unpacked(_ bytes: [UInt8], limit: Int) -> [UInt8]? {
        guard let functions else { return nil }
        var isSound = false
        let unpacked = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            let length = functions.decompress(buffer.baseAddress, limit, bytes, bytes.count)
            isSound = functions.isError(length) == 0 && length <= limit
            count = isSound ? length : 0
        }
        return isSound ? unpacked : nil
    }
}
