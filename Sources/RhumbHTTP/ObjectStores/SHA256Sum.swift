internal import CCrypto

/// The SHA-256 of bytes that arrive in pieces, computed by OpenSSL's libcrypto.
package final class SHA256Sum {
    private let context: OpaquePointer

    /// Starts a sum; nil if libcrypto can't be loaded.
    package init?() {
        guard let context = rhumb_sha256_begin() else { return nil }
        self.context = OpaquePointer(context)
    }

    /// Returns the sum of bytes in hexadecimal; nil if libcrypto can't be loaded.
    package static func of(_ bytes: [UInt8]) -> String? {
        guard let sum = SHA256Sum() else { return nil }
        sum.add(bytes)
        return sum.finish()
    }

    package func add(_ bytes: [UInt8]) {
        rhumb_sha256_add(UnsafeMutableRawPointer(context), bytes, bytes.count)
    }

    /// Returns the sum in hexadecimal. Call it once, at the end.
    package func finish() -> String {
        var result = [UInt8](repeating: 0, count: 32)
        rhumb_sha256_end(UnsafeMutableRawPointer(context), &result)
        return S3Signature.hex(result)
    }
}
