/// Reads the kind and size of a picture from its first bytes: kind as "PNG", sides in pixels;
/// nil if the bytes begin no picture it knows. The image decoders provide it.
public typealias TileProbe = @Sendable ([UInt8]) -> (kind: String, width: Int, height: Int)?
