public import RhumbCore
public import RhumbEngine

extension Raster {
    /// A tile of one colour that is different for every tile.
    public static func flat(_ tile: TileID, side: Int = 256) -> Raster {
        let mixed = UInt32(truncatingIfNeeded: (tile.x &* 7919) ^ (tile.y &* 104729) ^ (tile.zoom << 20))
        return Raster(width: side, height: side, filledWith: RGB(mixed))
    }
}

extension TileAnswer {
    /// A tile of one colour that is different for every tile.
    public static func flat(_ tile: TileID, side: Int = 256) -> TileAnswer {
        .bitmap(.raster(.flat(tile, side: side)))
    }
}

/// A decoder that knows one kind of file: width, height and grey as three bytes.
public struct ThreeByteDecoder: ImageDecoder {
    public init() {}

    public func decode(_ bytes: [UInt8], limits: ImageLimits) throws(ImageFailure) -> Raster {
        guard bytes.count == 3, bytes[0] > 0, bytes[1] > 0 else {
            throw .corrupt(kind: "three-byte", reason: "it has \(bytes.count) bytes")
        }
        let grey = UInt32(bytes[2])
        return Raster(
            width: Int(bytes[0]), height: Int(bytes[1]),
            filledWith: RGB(grey << 16 | grey << 8 | grey))
    }
}

/// Waits until a condition holds that other threads or processes bring about; gives up after a minute.
/// - Returns: True if it holds.
public func eventually(
    isolation: isolated (any Actor)? = #isolation, _ condition: () async throws -> Bool
) async rethrows -> Bool {
    let end = ContinuousClock.now + .seconds(60)
    while try await !condition() {
        guard ContinuousClock.now < end, (try? await Task.sleep(for: .milliseconds(1))) != nil else {
            return false
        }
    }
    return true
}
