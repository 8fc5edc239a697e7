internal import RhumbCore

/// Some features of a tile that are close together, packed:
///
///     count       a varint, like all numbers here
///     categories  a byte each; the highest bit states that a box follows
///     x, y        the differences from the previous feature, in turn
///     boxes       the distances of the middle from the western, northern, eastern and southern edge
///     kinds       indices into the list of kinds
///
/// Then lines of text: the kinds, separated by tabs; for each feature its name and other names, separated by
/// tabs, followed by a separator and its details.
struct SearchChunk: Sendable {
    /// The maximum number of features in a chunk.
    static let size = 256

    let tile: TileID
    private let categories: [UInt8]
    private let middles: [IndexedFeature.Place]
    private let boxes: [Int: (low: IndexedFeature.Place, high: IndexedFeature.Place)]
    private let kindNumbers: [Int]
    private let kinds: [String]
    private let text: [UInt8]
    /// The start of each feature's line, and the end of the last.
    private let starts: [Int]

    private static let hasBox: UInt8 = 0x80
    private static let tab = UInt8(ascii: "\t"), newline = UInt8(ascii: "\n"), separator: UInt8 = 0x1F

    var count: Int { categories.count }

    func category(_ index: Int) -> PlaceCategory {
        PlaceCategory(rawValue: categories[index] & ~SearchChunk.hasBox) ?? .other
    }
    func middle(_ index: Int) -> IndexedFeature.Place { middles[index] }

    /// Returns the name followed by the other names, in UTF-8.
    func names(_ index: Int) -> [ArraySlice<UInt8>] {
        let line = text[starts[index]..<(starts[index + 1] - 1)]
        let names = line.prefix { $0 != SearchChunk.separator }
        return names.split(separator: SearchChunk.tab, omittingEmptySubsequences: false)
    }

    /// Returns a feature as it was added.
    func feature(_ index: Int) -> IndexedFeature {
        let names = names(index).map { String(decoding: $0, as: UTF8.self) }
        var feature = IndexedFeature(names.first ?? "", category(index), at: middles[index])
        feature.otherNames = Array(names.dropFirst())
        feature.kind = kinds.indices.contains(kindNumbers[index]) ? kinds[kindNumbers[index]] : ""
        if let box = boxes[index] { (feature.low, feature.high) = (box.low, box.high) }
        let line = text[starts[index]..<(starts[index + 1] - 1)]
        feature.details = line.split(separator: SearchChunk.separator, omittingEmptySubsequences: false)
            .dropFirst().map { String(decoding: $0, as: UTF8.self) }
        return feature
    }

    // MARK: Packing

    /// Returns the features of a tile in groups that are close together.
    static func groups(of features: [IndexedFeature]) -> [ArraySlice<IndexedFeature>] {
        let sorted = features.map { (order: interleaved($0.middle), feature: $0) }.sorted {
            $0.order < $1.order
        }.map(\.feature)
        let groups = (sorted.count + size - 1) / size
        return (0..<groups).map { sorted[sorted.count * $0 / groups..<sorted.count * ($0 + 1) / groups] }
    }

    /// Returns a number that is similar for nearby places (a Morton code).
    private static func interleaved(_ place: IndexedFeature.Place) -> UInt32 {
        func spread(_ value: Int32) -> UInt32 {
            var bits = UInt32(bitPattern: max(value, 0)) & 0xFFFF
            bits = (bits | bits << 8) & 0x00FF_00FF
            bits = (bits | bits << 4) & 0x0F0F_0F0F
            bits = (bits | bits << 2) & 0x3333_3333
            return (bits | bits << 1) & 0x5555_5555
        }
        return spread(place.x) | spread(place.y) << 1
    }

    /// Returns the bytes that `init` reads.
    static func packed(_ features: ArraySlice<IndexedFeature>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(varint: UInt64(features.count))
        for feature in features {
            bytes.append(feature.category.rawValue | (feature.low == feature.high ? 0 : hasBox))
        }
        var last = IndexedFeature.Place.zero
        for feature in features {
            for step in [feature.middle.x - last.x, feature.middle.y - last.y] { append(step, to: &bytes) }
            last = feature.middle
        }
        for feature in features where feature.low != feature.high {
            let gaps = [feature.middle &- feature.low, feature.high &- feature.middle]
            for gap in gaps {
                for value in [gap.x, gap.y] { bytes.append(varint: UInt64(max(value, 0))) }
            }
        }
        let kinds = Array(Set(features.map(\.kind))).sorted()
        let numbers = Dictionary(uniqueKeysWithValues: zip(kinds, 0...))
        for feature in features { bytes.append(varint: UInt64(numbers[feature.kind] ?? 0)) }
        return Gzip.small(bytes + lines(features, kinds))
    }

    private static func append(_ step: Int32, to bytes: inout [UInt8]) {
        bytes.append(varint: UInt64(UInt32(bitPattern: step << 1 ^ step >> 31)))
    }

    private static func lines(_ features: ArraySlice<IndexedFeature>, _ kinds: [String]) -> [UInt8] {
        var text = Array(kinds.joined(separator: "\t").utf8) + [newline]
        for feature in features {
            text += ([feature.name] + feature.otherNames).joined(separator: "\t").utf8
            for detail in feature.details { text += [separator] + detail.utf8 }
            text.append(newline)
        }
        return text
    }

    // MARK: Unpacking

    /// Returns nil if the bytes are damaged.
    init?(_ packed: [UInt8], of tile: TileID) {
        guard let bytes = Gzip.unpackedSmall(packed), let read = try? SearchChunk(plain: bytes, tile) else {
            return nil
        }
        self = read
    }

    private init(plain bytes: [UInt8], _ tile: TileID) throws {
        var numbers = Varints(bytes)
        let count = Int(clamping: try numbers.next("the count"))
        guard count <= SearchChunk.size, let categories = numbers.bytes(count) else {
            throw Varints.Failure.damaged
        }
        var last = IndexedFeature.Place.zero, middles: [IndexedFeature.Place] = []
        for _ in 0..<count {
            last =
                last &+ IndexedFeature.Place(try SearchChunk.step(&numbers), try SearchChunk.step(&numbers))
            middles.append(last)
        }
        var boxes: [Int: (low: IndexedFeature.Place, high: IndexedFeature.Place)] = [:]
        for (index, category) in categories.enumerated() where category & SearchChunk.hasBox != 0 {
            let low = try SearchChunk.place(&numbers), high = try SearchChunk.place(&numbers)
            boxes[index] = (middles[index] &- low, middles[index] &+ high)
        }
        kindNumbers = try (0..<count).map { _ in Int(clamping: try numbers.next("a kind")) }
        let text = Array(bytes[numbers.position...])
        let ends = text.indices.filter { text[$0] == SearchChunk.newline }.map { $0 + 1 }
        guard ends.count == count + 1, let first = ends.first else { throw Varints.Failure.damaged }
        kinds = text[..<(first - 1)].split(separator: SearchChunk.tab, omittingEmptySubsequences: false).map {
            String(decoding: $0, as: UTF8.self)
        }
        self.tile = tile
        self.categories = Array(categories)
        self.middles = middles
        self.boxes = boxes
        self.text = text
        starts = ends
    }

    private static func step(_ numbers: inout Varints) throws(Varints.Failure) -> Int32 {
        let value = UInt32(truncatingIfNeeded: try numbers.next("a step"))
        return Int32(bitPattern: value >> 1) ^ -Int32(bitPattern: value & 1)
    }

    private static func place(
        _ numbers: inout Varints
    ) throws(Varints.Failure) -> IndexedFeature.Place {
        IndexedFeature.Place(
            Int32(truncatingIfNeeded: try numbers.next("an edge")),
            Int32(truncatingIfNeeded: try numbers.next("an edge")))
    }
}

extension Gzip {
    /// Returns the bytes compressed if that makes them shorter. The first byte states which.
    static func small(_ bytes: [UInt8]) -> [UInt8] {
        let packed = packed(bytes)
        return packed.count < bytes.count ? [1] + packed : [0] + bytes
    }

    /// Returns the bytes given to `small`; nil if they are damaged.
    static func unpackedSmall(_ bytes: [UInt8]) -> [UInt8]? {
        guard let first = bytes.first else { return nil }
        return first == 0 ? Array(bytes.dropFirst()) : try? unpacked(Array(bytes.dropFirst()), limit: 4 << 20)
    }
}
