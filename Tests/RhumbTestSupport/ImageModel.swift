/// The images of a small terminal that speaks the kitty graphics protocol.
public struct ImageModel {
    /// An image on the screen.
    public struct Placement: Equatable {
        public let row: Int, column: Int
        /// The numeric keys of the command.
        public let keys: [String: Int]
    }

    /// The PNG files by the ids of their images.
    public private(set) var stored: [Int: [UInt8]] = [:]
    /// The positions by the ids of their images.
    public private(set) var placements: [Int: Placement] = [:]
    /// The number of bytes of all commands, and of those that store images.
    public private(set) var bytes = 0, storedBytes = 0
    /// Commands that were not understood, or name an unknown image.
    public private(set) var faults: [String] = []
    private var pending: (id: Int, data: [UInt8])?

    public init() {}

    /// Deletes everything on the screen, as `ESC [ 2 J` does.
    mutating func clear() {
        placements = [:]
        stored = [:]
    }

    /// Runs a command without its enclosing `ESC _` and `ESC \\`, and returns the response.
    mutating func run(_ text: String, at cursor: (row: Int, column: Int)) -> String {
        bytes += text.utf8.count + 4
        let parts = text.dropFirst().split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
        var keys: [String: Substring] = [:]
        for pair in parts[0].split(separator: ",") {
            let sides = pair.split(separator: "=", maxSplits: 1)
            if sides.count == 2 { keys[String(sides[0])] = sides[1] }
        }
        let numbers = keys.compactMapValues { Int($0) }, id = numbers["i"] ?? 0
        let data = parts.count > 1 ? Array(parts[1].utf8) : []
        switch keys["a"] {
        case "q": return "\u{1B}_Gi=\(id);OK\u{1B}\\"
        case "t", nil:
            storedBytes += text.utf8.count + 4
            store(id, data, isLast: numbers["m"] != 1, isFirst: keys["a"] != nil)
        case "p":
            guard stored[id] != nil else {
                faults.append(text)
                return "\u{1B}_Gi=\(id);ENOENT:no such image\u{1B}\\"
            }
            placements[id] = Placement(row: cursor.row, column: cursor.column, keys: numbers)
        case "d": delete(keys["d"] ?? "a", id, numbers)
        default: faults.append(text)
        }
        return ""
    }

    private mutating func store(_ id: Int, _ data: [UInt8], isLast: Bool, isFirst: Bool) {
        if isFirst { pending = (id, []) }
        guard var image = pending else {
            faults.append("data without a command")
            return
        }
        image.data += data
        pending = isLast ? nil : image
        guard isLast else { return }
        stored[image.id] = Self.decoded(image.data)
        placements[image.id] = nil
    }

    private mutating func delete(_ kind: Substring, _ id: Int, _ numbers: [String: Int]) {
        let gone: [Int]
        switch kind {
        case "i", "I": gone = [id]
        case "z", "Z": gone = placements.filter { $0.value.keys["z"] == numbers["z"] }.map(\.key)
        case "a", "A": gone = Array(placements.keys)
        default: return faults.append("d=\(kind)")
        }
        for id in gone {
            placements[id] = nil
            if kind.first?.isUppercase == true { stored[id] = nil }
        }
    }

    /// Decodes base64 (RFC 4648).
    private static func decoded(_ text: [UInt8]) -> [UInt8] {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
        var values = [UInt8: UInt32]()
        for (at, digit) in digits.enumerated() { values[digit] = UInt32(at) }
        var bytes: [UInt8] = [], bits: UInt32 = 0, count = 0
        for value in text.compactMap({ values[$0] }) {
            bits = bits << 6 | value
            count += 6
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        return bytes
    }
}
