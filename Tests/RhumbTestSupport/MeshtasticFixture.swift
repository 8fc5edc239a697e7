/// Frames of Meshtastic's stream protocol.
public enum MeshtasticFixture {
    /// The message that ends the list of nodes.
    public static let end = frame([0x38, 0x01])

    /// Returns a frame around a message.
    public static func frame(_ message: [UInt8]) -> [UInt8] {
        [0x94, 0xC3, UInt8(message.count >> 8), UInt8(message.count & 255)] + message
    }

    /// Returns a node of the list.
    public static func node(
        _ number: UInt32, name: String, latitude: Int32, longitude: Int32, time: UInt32,
        precision: UInt32 = 0
    ) -> [UInt8] {
        let user = part(2, Array(name.utf8)) + part(3, Array(name.utf8.prefix(4)))
        let place = body(latitude, longitude, time, precision)
        return frame(part(4, varint(8) + varint(UInt64(number)) + part(2, user) + part(3, place)))
    }

    /// Returns a packet with the position of a node.
    /// - Parameter motion: The speed, and the course in hundredths of a degree.
    public static func position(
        _ number: UInt32, latitude: Int32, longitude: Int32, time: UInt32, precision: UInt32 = 0,
        motion: (speed: UInt32, track: UInt32)? = nil
    ) -> [UInt8] {
        let moves = motion.map {
            varint(15 << 3) + varint(UInt64($0.speed)) + varint(16 << 3) + varint(UInt64($0.track))
        }
        let data = [0x08, 3] + part(2, body(latitude, longitude, time, precision) + (moves ?? []))
        return frame(part(2, fixed(1, number) + part(4, data)))
    }

    private static func body(
        _ latitude: Int32, _ longitude: Int32, _ time: UInt32, _ precision: UInt32
    ) -> [UInt8] {
        fixed(1, UInt32(bitPattern: latitude)) + fixed(2, UInt32(bitPattern: longitude))
            + (time > 0 ? fixed(4, time) : [])
            + (precision > 0 ? varint(23 << 3) + varint(UInt64(precision)) : [])
    }

    private static func fixed(_ field: UInt8, _ value: UInt32) -> [UInt8] {
        [field << 3 | 5] + (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) }
    }

    private static func part(_ field: UInt8, _ bytes: [UInt8]) -> [UInt8] {
        [field << 3 | 2] + varint(UInt64(bytes.count)) + bytes
    }

    private static func varint(_ value: UInt64) -> [UInt8] {
        value < 128 ? [UInt8(value)] : [UInt8(value & 127) | 128] + varint(value >> 7)
    }
}
