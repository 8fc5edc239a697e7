/// A decoder of image files. The decoders themselves are in RhumbDrawing.
public protocol ImageDecoder: Sendable {
    /// Decodes a whole image.
    /// - Parameters:
    ///   - bytes: The complete file. Its kind is detected from the first bytes, never from a name.
    ///   - limits: The sizes beyond which the image is rejected, before memory is allocated for pixels.
    /// - Throws: `ImageFailure`; invalid bytes never crash.
    func decode(_ bytes: [UInt8], limits: ImageLimits) throws(ImageFailure) -> Raster
}

/// The limits of an image, which protect against decompression bombs.
public struct ImageLimits: Sendable, Equatable {
    /// The longest side, in pixels.
    public var side: Int
    /// The largest file, in bytes.
    public var bytes: Int
    /// The largest amount of memory for pixels and for decoding, in bytes.
    public var memory: Int

    /// The limits for a map tile: 4096 pixels per side, 5 MiB, decoded in 176 MiB.
    public static let tile = ImageLimits(side: 4096, bytes: 5 << 20, memory: 176 << 20)
    /// The limits for a picture that the user names: 16384 pixels per side, 64 MiB, decoded in 192 MiB. That
    /// is enough for 50 million pixels, or 20 million in a progressive JPEG and 25 million in a WebP.
    public static let picture = ImageLimits(side: 16384, bytes: 64 << 20, memory: 192 << 20)

    /// The limits of an image: pixels per side, bytes of the file, bytes of memory.
    public init(side: Int, bytes: Int, memory: Int = 176 << 20) {
        self.side = side
        self.bytes = bytes
        self.memory = memory
    }
}

/// The reason that an image could not be decoded or written.
public enum ImageFailure: Error, Equatable, Sendable, CustomStringConvertible {
    case empty
    /// A format that Rhumb does not read, by name ("AVIF", "GIF"), or "unknown".
    case unsupported(kind: String)
    /// The file is truncated or damaged. `reason` is the decoder's own message, sanitised.
    case corrupt(kind: String, reason: String)
    case tooLarge(width: Int, height: Int, limit: Int)
    /// Decoding would take more memory than the limit.
    case tooMuchMemory(width: Int, height: Int, limit: Int)
    case tooManyBytes(count: Int, limit: Int)
    /// The library that decodes and encodes the format can't be loaded.
    case noLibrary(kind: String, library: String, package: String)
    /// The picture could not be written. `reason` is the encoder's own message, sanitised.
    case unwritable(kind: String, reason: String)

    public var description: String {
        switch self {
        case .empty: "the image is empty (0 bytes)"
        case .unsupported(let kind):
            "the image format is \(kind), but Rhumb reads only PNG, JPEG and WebP"
        case .corrupt(let kind, let reason): "the \(kind) image is damaged: \(reason)"
        case .tooLarge(let width, let height, let limit):
            "the image is \(width)×\(height) pixels, over the limit of \(limit) per side"
        case .tooMuchMemory(let width, let height, let limit):
            "the image is \(width)×\(height) pixels, and decoding it takes more than \(limit >> 20) MiB"
        case .tooManyBytes(let count, let limit):
            "the image has \(count) bytes, over the limit of \(limit)"
        case .noLibrary(let kind, let library, let package):
            "\(kind) images need \(library), which is missing; install \(package)"
        case .unwritable(let kind, let reason):
            "can't encode the image as \(kind): \(reason)"
        }
    }
}
