public import RhumbCore
public import RhumbEngine

extension Raster {
    /// Returns an image of one colour, which differs for every tile.
    public static func flat(_ tile: TileID, side: Int = 256) -> Raster {
        let mixed = UInt32(truncatingIfNeeded: (tile.x &* 7919) ^ (tile.y &* 104729) ^ (tile.zoom << 20))
        return Raster(width: side, height: side, filledWith: RGB(mixed))
    }
}

extension TileAnswer {
    /// Returns an image of one colour, which differs for every tile.
    public static func flat(_ tile: TileID, side: Int = 256) -> TileAnswer {
        .bitmap(.raster(.flat(tile, side: side)))
    }
}

/// A decoder for a file format of three bytes: width, height and grey.
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

/// Waits until a condition that other threads or processes bring about holds. Gives up after a minute.
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
