internal import CSPNG
internal import RhumbCore

/// Owns a libspng context.
struct PNGContext: ~Copyable {
    let pointer: OpaquePointer
    /// True if libspng is available. The first access loads it.
    static let isAvailable = rhumb_spng_load()

    /// - Parameter flags: Flags for the context; 0 for decoding.
    init(flags: spng_ctx_flags = spng_ctx_flags(rawValue: 0)) throws(PNGStatus) {
        guard PNGContext.isAvailable else { throw PNGStatus(code: PNGStatus.noLibrary) }
        guard let pointer = rhumb_spng_ctx_new(Int32(flags.rawValue)) else {
            throw PNGStatus(code: SPNG_EMEM.rawValue)
        }
        self.pointer = pointer
    }

    deinit { rhumb_spng_ctx_free(pointer) }
}

/// A libspng error.
struct PNGStatus: Error {
    let code: Int32
    /// The code for a missing library. The codes of libspng begin at -2.
    static let noLibrary = Int32.min

    /// Returns the failure to decode or encode a picture.
    /// - Parameter failure: Creates the failure from the message of libspng.
    func failure(_ failure: (_ reason: String) -> ImageFailure) -> ImageFailure {
        code == PNGStatus.noLibrary
            ? .noLibrary(kind: ImageKind.png.rawValue, library: "libspng.so.0", package: "libspng0")
            : failure(message)
    }

    private var message: String {
        if code == SPNG_IO_EOF.rawValue { return "truncated" }
        guard let text = rhumb_spng_strerror(code) else { return "libspng error \(code)" }
        return SafeText.sanitised(String(cString: text))
    }

    static func check(_ code: Int32) throws(PNGStatus) {
        guard code == SPNG_OK.rawValue else { throw PNGStatus(code: code) }
    }
}
