internal import RhumbBase
internal import RhumbVector

/// Reads Meshtastic's stream protocol: frames of the bytes 0x94 and 0xC3, a length of two bytes and a message
/// in Protocol Buffers. Bytes between frames, such as a device's log, are skipped.
struct MeshtasticReader: Sendable {
    private var waiting: [UInt8] = []
    private var nodes = MeshNodes()
    /// True once the device has sent its list of nodes.
    private(set) var hasList = false

    private static let start: [UInt8] = [0x94, 0xC3]
    /// The maximum length of a message.
    private static let longest = 512
    /// The request for the nodes that the device knows. Newer devices then omit their settings and keys.
    static let request = frame([0x18] + [0xAD, 0x9E, 0x04])
    /// The message that keeps the connection open.
    static let heartbeat = frame([0x3A, 0x00])

    private static func frame(_ message: [UInt8]) -> [UInt8] {
        start + [UInt8(message.count >> 8), UInt8(message.count & 255)] + message
    }

    /// Drops an incomplete frame, because the connection has ended.
    mutating func interrupt() { waiting = [] }

    mutating func read(_ more: Bytes, into sink: inout FeatureSink) {
        waiting += more
        var at = 0
        while at + 4 <= waiting.count {
            guard waiting[at] == Self.start[0], waiting[at + 1] == Self.start[1] else {
                at += 1
                continue
            }
            let length = Int(waiting[at + 2]) << 8 | Int(waiting[at + 3])
            guard length <= Self.longest else {
                sink.faults.add("Meshtastic frame of \(length) bytes")
                at += 2
                continue
            }
            guard at + 4 + length <= waiting.count else { break }
            do {
                try take(at + 4..<at + 4 + length, &sink)
                at += 4 + length
            } catch {
                // The frame may have been cut off, and another one may begin within it.
                sink.faults.add("damaged Meshtastic message: \(error)")
                at += 2
            }
        }
        waiting.removeFirst(at)
    }

    // MARK: Messages

    private mutating func take(_ part: Range<Int>, _ sink: inout FeatureSink) throws {
        var reader = WireReader(waiting, part), features: [OverlayFeature] = []
        while let field = try reader.field() {
            switch (field.number, field.content) {
            case (2, .bytes(let packet)): features += try self.packet(packet)
            case (4, .bytes(let node)): features += try self.node(node)
            case (7, .varint): hasList = true
            default: break
            }
        }
        sink.features += features
    }

    /// Reads a packet from the network. Encrypted ones are skipped.
    private mutating func packet(_ part: Range<Int>) throws -> [OverlayFeature] {
        var reader = WireReader(waiting, part), from: UInt32 = 0, received: UInt32 = 0
        var port: UInt64 = 0, payload: Range<Int>?
        while let field = try reader.field() {
            switch (field.number, field.content) {
            case (1, .fixed32(let at)): from = number(at)
            case (7, .fixed32(let at)): received = number(at)
            case (4, .bytes(let data)):
                var inner = WireReader(waiting, data)
                while let field = try inner.field() {
                    if case (1, .varint(let value)) = field { port = value }
                    if case (2, .bytes(let bytes)) = field { payload = bytes }
                }
            default: break
            }
        }
        guard from != 0, let payload else { return [] }
        switch port {
        case 3:
            var report = try position(payload)
            if report.time == 0 { report.time = received }
            return try nodes.features(from, report)
        case 4:
            return try user(payload, of: from)
        default: return []
        }
    }

    private mutating func node(_ part: Range<Int>) throws -> [OverlayFeature] {
        var reader = WireReader(waiting, part), id: UInt32 = 0, heard: UInt32 = 0
        var userPart: Range<Int>?, positionPart: Range<Int>?, hops: UInt32?
        while let field = try reader.field() {
            switch (field.number, field.content) {
            case (1, .varint(let value)): id = UInt32(truncatingIfNeeded: value)
            case (2, .bytes(let part)): userPart = part
            case (3, .bytes(let part)): positionPart = part
            case (5, .fixed32(let at)): heard = number(at)
            case (9, .varint(let value)): hops = UInt32(truncatingIfNeeded: value)
            default: break
            }
        }
        let named = try userPart.map { try user($0, of: id) } ?? []
        if let hops { nodes.reach(id, hops: hops) }
        guard let positionPart else { return named }
        var report = try position(positionPart)
        if report.time == 0 { report.time = heard }
        return try nodes.features(id, report)
    }

    private mutating func user(_ part: Range<Int>, of node: UInt32) throws -> [OverlayFeature] {
        var reader = WireReader(waiting, part), long = "", short = ""
        while let field = try reader.field() {
            if case (2, .bytes(let text)) = field { long = String(decoding: waiting[text], as: UTF8.self) }
            if case (3, .bytes(let text)) = field { short = String(decoding: waiting[text], as: UTF8.self) }
        }
        return try nodes.name(node, long, short).map { [$0] } ?? []
    }

    private func position(_ part: Range<Int>) throws -> MeshNodes.Report {
        var reader = WireReader(waiting, part), report = MeshNodes.Report(), time: UInt32 = 0
        while let field = try reader.field() {
            switch (field.number, field.content) {
            case (1, .fixed32(let at)): report.latitude = Int32(bitPattern: number(at))
            case (2, .fixed32(let at)): report.longitude = Int32(bitPattern: number(at))
            case (3, .varint(let value)): report.height = Int32(truncatingIfNeeded: value)
            case (4, .fixed32(let at)): time = number(at)
            case (7, .fixed32(let at)): report.time = number(at)
            case (15, .varint(let value)): report.speed = UInt32(truncatingIfNeeded: value)
            case (16, .varint(let value)): report.track = UInt32(truncatingIfNeeded: value)
            case (23, .varint(let value)): report.precision = UInt32(truncatingIfNeeded: value)
            default: break
            }
        }
        if report.time == 0 { report.time = time }
        return report
    }

    private func number(_ at: Int) -> UInt32 {
        (0..<4).reduce(0) { $0 | UInt32(waiting[at + $1]) << UInt32(8 * $1) }
    }
}
