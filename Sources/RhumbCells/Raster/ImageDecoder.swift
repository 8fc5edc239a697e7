/// Turns the bytes of an image file into pixels. A port: the decoders are in RhumbDrawing.
public protocol ImageDecoder: Sendable {
    /// Decodes a whole image.
    /// - Parameters:
    ///   - bytes: The complete file. Its kind is detected from the first bytes, never from a name.
    ///   - limits: The sizes beyond which it refuses, before memory is allocated for pixels.
    /// - Throws: `ImageFailure`; invalid bytes never crash.
    func decode(_ bytes: [UInt8], limits: ImageLimits) throws(ImageFailure) -> Raster
}

/// The limits of an image, against decompression bombs.
public struct ImageLimits: Sendable, Equatable {
    /// The longest side, in pixels.
    public var side: Int
    /// The largest file, in bytes.
    public var bytes: Int
    /// The most bytes for its pixels, and for the work of decoding.
    public var memory: Int

    /// Limits for a map tile: 4096 pixels a side, 5 MiB, decoded in 176 MiB.
    public static let tile = ImageLimits(side: 4096, bytes: 5 << 20, memory: 176 << 20)
    /// Limits for a picture that a person names: 16384 pixels a side, 64 MiB, decoded in 192 MiB,
    /// which is enough for 50 million pixels (of a progressive JPEG 20, of a WebP 25 million).
    public static let picture = ImageLimits(side: 16384, bytes: 64 << 20, memory: 192 << 20)

    /// The limits of a picture: pixels to a side, bytes of the file, bytes of the picture in
    /// memory.
    public init(side: Int, bytes: Int, memory: Int = 176 << 20) {
        self.side = side
        self.bytes = bytes
        self.memory = memory
    }
}

/// Why an image could not be decoded or written.
public enum ImageFailure: Error, Equatable, Sendable, CustomStringConvertible {
    case empty
    /// A kind Rhumb does not read, by name ("AVIF", "GIF"), or "unknown".
    case unsupported(kind: String)
    /// Cut short or damaged; `reason` is the decoder's own, sanitised.
    case corrupt(kind: String, reason: String)
    case tooLarge(width: Int, height: Int, limit: Int)
    /// Decoding would take more memory than the limit.
    case tooMuchMemory(width: Int, height: Int, limit: Int)
    case tooManyBytes(count: Int, limit: Int)
    /// A picture could not be written; `reason` is the encoder's own, sanitised.
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
        case .unwritable(let kind, let reason):
            "can't encode the image as \(kind): \(reason)"
        }
    }
}
