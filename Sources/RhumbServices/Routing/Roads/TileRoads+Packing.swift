extension TileRoads {
    /// Returns the main roads, or the others, in a compact form: the names and numbers; then in columns
    /// the number of corners, the traits, the name and the number of each road, and the steps between
    /// corners. The lowest bit of a step to the east marks a junction.
    package func packed(isMain: Bool) -> [UInt8] {
        let chosen = roads.filter { $0.traits.kind.isMain == isMain }.sorted { $0.order < $1.order }
        guard !chosen.isEmpty else { return [] }
        var known: [Int: Int] = [0: 0], texts: [UInt8] = [], bytes: [UInt8] = []
        func number(_ name: Int) -> Int {
            if let number = known[name] { return number }
            known[name] = known.count
            texts += names[name].utf8 + [0]
            return known.count - 1
        }
        let columns = chosen.map {
            SIMD4($0.corners.count, Int($0.traits.rawValue), number($0.name), number($0.reference))
        }
        bytes.appendNumber(known.count - 1)
        bytes += texts
        bytes.appendNumber(chosen.count)
        for column in 0..<4 {
            for row in columns { bytes.appendNumber(row[column]) }
        }
        var east: [UInt8] = [], south: [UInt8] = [], last = TileRoad.Corner.zero
        for road in chosen {
            for (corner, isJunction) in zip(road.corners, road.areJunctions) {
                let step = corner &- last
                east.appendNumber(zigzag(step.x) << 1 | (isJunction ? 1 : 0))
                south.appendNumber(zigzag(step.y))
                last = corner
            }
        }
        return bytes + east + south
    }

    private func zigzag(_ step: Int32) -> Int { Int(UInt32(bitPattern: step << 1 ^ step >> 31)) }

    /// Adds roads from their compact form.
    /// - Returns: False, without adding any, if the bytes are damaged.
    package mutating func add(packed bytes: [UInt8]) -> Bool {
        guard !bytes.isEmpty else { return true }
        var reader = PackedRoads(bytes)
        guard let count = reader.number(), let texts = reader.texts(count), let rows = reader.number(),
            let sizes = reader.numbers(rows), let traits = reader.numbers(rows),
            let ownNames = reader.numbers(rows), let references = reader.numbers(rows),
            sizes.allSatisfy({ (2...bytes.count).contains($0) }),
            (ownNames + references).allSatisfy({ $0 <= count }),
            let east = reader.numbers(sizes.reduce(0, +)), let south = reader.numbers(east.count)
        else { return false }
        let first = names.count - 1
        var found: [TileRoad] = [], last = TileRoad.Corner.zero, at = 0
        for row in 0..<rows {
            var road = TileRoad(
                traits: RoadTraits(rawValue: UInt16(truncatingIfNeeded: traits[row])), corners: [])
            road.name = ownNames[row] > 0 ? first + ownNames[row] : 0
            road.reference = references[row] > 0 ? first + references[row] : 0
            road.corners.reserveCapacity(sizes[row])
            road.areJunctions.reserveCapacity(sizes[row])
            for _ in 0..<sizes[row] {
                last = last &+ TileRoad.Corner(PackedRoads.step(east[at] >> 1), PackedRoads.step(south[at]))
                guard (0...TileRoads.extent).contains(last.x), (0...TileRoads.extent).contains(last.y)
                else { return false }
                road.corners.append(last)
                road.areJunctions.append(east[at] & 1 == 1)
                at += 1
            }
            found.append(road)
        }
        names += texts
        roads += found
        return true
    }
}

extension TileRoad {
    /// Roads that are close to each other have similar numbers (a Morton code).
    fileprivate var order: UInt32 {
        let x = UInt32(corners[0].x), y = UInt32(corners[0].y)
        var code: UInt32 = 0
        for bit: UInt32 in 0..<13 {
            code |= (x >> bit & 1) << (2 * bit)
            code |= (y >> bit & 1) << (2 * bit + 1)
        }
        return code
    }
}

/// Reads the numbers and texts of packed roads.
private struct PackedRoads {
    private let bytes: [UInt8]
    private var at = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func number() -> Int? {
        var value = 0, shift = 0
        while at < bytes.count, shift < 42 {
            let byte = bytes[at]
            at += 1
            value |= Int(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
        return nil
    }

    /// Returns some numbers; nil if there are fewer.
    mutating func numbers(_ count: Int) -> [Int]? {
        guard count <= bytes.count - at else { return nil }
        var found: [Int] = []
        found.reserveCapacity(count)
        for _ in 0..<count {
            guard let number = number() else { return nil }
            found.append(number)
        }
        return found
    }

    mutating func texts(_ count: Int) -> [String]? {
        guard count <= bytes.count - at else { return nil }
        var found: [String] = []
        for _ in 0..<count {
            guard let end = bytes[at...].firstIndex(of: 0) else { return nil }
            found.append(String(decoding: bytes[at..<end], as: UTF8.self))
            at = end + 1
        }
        return found
    }

    static func step(_ value: Int) -> Int32 {
        let bits = UInt32(truncatingIfNeeded: value)
        return Int32(bitPattern: bits >> 1) ^ -Int32(bitPattern: bits & 1)
    }
}

extension [UInt8] {
    fileprivate mutating func appendNumber(_ value: Int) {
        var rest = value
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(truncatingIfNeeded: rest))
    }
}
