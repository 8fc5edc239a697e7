/// Reads the kind (such as "PNG") and the size in pixels of a picture from its first bytes; nil if the format
/// is unknown. Provided by the image decoders.
public typealias TileProbe = @Sendable ([UInt8]) -> (kind: String, width: Int, height: Int)?
