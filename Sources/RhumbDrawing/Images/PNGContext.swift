internal import CSPNG
internal import RhumbCore

/// Owns a libspng context.
struct PNGContext: ~Copyable {
    let pointer: OpaquePointer

    /// - Parameter flags: Flags for the context; 0 for decoding.
    init(flags: spng_ctx_flags = spng_ctx_flags(rawValue: 0)) throws(PNGStatus) {
        guard let pointer = spng_ctx_new(Int32(flags.rawValue)) else {
            throw PNGStatus(code: SPNG_EMEM.rawValue)
        }
        self.pointer = pointer
    }

    deinit { spng_ctx_free(pointer) }
}

/// A libspng error.
struct PNGStatus: Error {
    let code: Int32

    /// The message of libspng.
    var reason: String {
        guard let text = spng_strerror(code) else { return "libspng error \(code)" }
        return SafeText.sanitised(String(cString: text))
    }

    static func check(_ code: Int32) throws(PNGStatus) {
        guard code == SPNG_OK.rawValue else { throw PNGStatus(code: code) }
    }
}
