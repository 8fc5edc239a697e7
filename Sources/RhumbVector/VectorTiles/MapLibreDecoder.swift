extension VectorLayer {
    /// Decodes a layer of a MapLibre Tile.
    /// - Throws: `VectorTileFailure` if the layer is damaged.
    init(_ layer: MapLibreLayer, of bytes: [UInt8]) throws(VectorTileFailure) {
        guard (1...VectorLayer.largestExtent).contains(UInt64(layer.extent)) else {
            throw VectorTileFailure(problem: "a layer has an extent of \(layer.extent)", offset: 0)
        }
        var attributes = MapLibreAttributes(layer, bytes), shapes = MapLibreGeometry()
        var ids: [UInt64?] = []
        for column in layer.columns {
            switch column.type {
            case .geometry: try shapes.decode(column, of: bytes)
            case .id, .longID: ids = try attributes.ids(column)
            default: try attributes.decode(column)
            }
        }
        let tags = attributes.tags, starts = tags.starts
        let features = (0..<layer.featureCount).map { at in
            VectorFeature(
                shapes.kinds[at], id: ids.isEmpty ? nil : ids[at], tags: starts[at]..<starts[at + 1],
                parts: shapes.starts[at]..<shapes.starts[at + 1])
        }
        self.init(
            name: layer.name, extent: layer.extent, keys: attributes.keys, values: attributes.values,
            features: features, tags: tags.tags, geometry: shapes.geometry)
    }
}

/// Decodes the columns of a layer with attributes into a table of values, and collects the tags of features.
private struct MapLibreAttributes {
    private(set) var keys: [String] = []
    private(set) var values: [VectorValue?] = []

    private let bytes: [UInt8]
    private let featureCount: Int
    private var columns: [(presence: [UInt8]?, values: [UInt32])] = []
    /// The ranges of the strings of each dictionary, by its offset in the tile.
    private var dictionaries: [Int: Range<Int>] = [:]

    init(_ layer: MapLibreLayer, _ bytes: [UInt8]) {
        self.bytes = bytes
        featureCount = layer.featureCount
    }

    /// Decodes a column, and adds its name to `keys`.
    mutating func decode(_ column: MapLibreLayer.Column) throws(VectorTileFailure) {
        guard let stream = column.streams.first else {
            throw VectorTileFailure(problem: "the column \"\(column.name)\" is empty", offset: 0)
        }
        let presence = try column.presence.map { presence throws(VectorTileFailure) in
            try presence.bits(of: bytes)
        }
        let numbers: [UInt32]
        switch column.type {
        case .string: numbers = try strings(column)
        case .bool: numbers = try flags(stream)
        case .float:
            numbers = add(try stream.floats(of: bytes, isDouble: false).map(\.bitPattern), Self.double)
        case .double:
            numbers = add(try stream.floats(of: bytes, isDouble: true).map(\.bitPattern), Self.double)
        case .int32:
            let words: [UInt32] = try stream.integers(of: bytes, isSigned: true)
            numbers = add(words.map { UInt64($0) }) {
                .number(Double(Int32(bitPattern: UInt32(truncatingIfNeeded: $0))))
            }
        case .int64:
            numbers = add(try stream.integers(of: bytes, isSigned: true)) {
                VectorValue(Int64(bitPattern: $0))
            }
        case .uint64: numbers = add(try stream.integers(of: bytes)) { VectorValue($0) }
        default:
            let words: [UInt32] = try stream.integers(of: bytes)
            numbers = add(words.map { UInt64($0) }) { .number(Double($0)) }
        }
        guard numbers.count == (try count(presence, column.presence)), values.count <= VectorTile.itemLimit
        else {
            throw stream.failure("the column \"\(column.name)\" has a wrong number of values")
        }
        keys.append(column.name)
        columns.append((presence, numbers))
    }

    /// Returns the ids of all features.
    func ids(_ column: MapLibreLayer.Column) throws(VectorTileFailure) -> [UInt64?] {
        guard let stream = column.streams.first else { return [] }
        var ids: [UInt64]
        if column.type == .longID {
            ids = try stream.integers(of: bytes)
        } else {
            let words: [UInt32] = try stream.integers(of: bytes)
            ids = words.map(UInt64.init)
        }
        let presence = try column.presence.map { presence throws(VectorTileFailure) in
            try presence.bits(of: bytes)
        }
        guard ids.count == (try count(presence, column.presence)) else {
            throw stream.failure("the column of ids has a wrong number of values")
        }
        guard let presence else { return ids.map { $0 } }
        var next = 0
        return (0..<featureCount).map { at in
            guard presence[at / 8] >> UInt8(at % 8) & 1 == 1 else { return nil }
            defer { next += 1 }
            return ids[next]
        }
    }

    /// Returns the number of values that a column must have.
    private func count(
        _ presence: [UInt8]?, _ stream: MapLibreStream?
    ) throws(VectorTileFailure) -> Int {
        guard let presence, let stream else { return featureCount }
        guard stream.count == featureCount else {
            throw stream.failure("the flags of features are incomplete")
        }
        return presence.reduce(0) { $0 + $1.nonzeroBitCount }
    }

    private mutating func flags(_ stream: MapLibreStream) throws(VectorTileFailure) -> [UInt32] {
        let bits = try stream.bits(of: bytes), first = UInt32(values.count)
        values += [.bool(false), .bool(true)]
        return (0..<stream.count).map { first + UInt32(bits[$0 / 8] >> UInt8($0 % 8) & 1) }
    }

    private static func double(_ bits: UInt64) -> VectorValue { .number(Double(bitPattern: bits)) }

    /// Adds numbers to the values, each once, and returns their indices.
    /// - Parameters:
    ///   - words: The bits of the numbers.
    ///   - value: Returns the value of some bits.
    private mutating func add(_ words: [UInt64], _ value: (UInt64) -> VectorValue) -> [UInt32] {
        var table = NumberTable(capacity: words.count), last: (word: UInt64, index: UInt32)?
        return words.map { word in
            if let last, last.word == word { return last.index }
            let index = table.index(of: word, new: UInt32(values.count))
            if index == values.count { values.append(value(word)) }
            last = (word, index)
            return index
        }
    }

    // MARK: Strings

    /// Adds the strings of a column to the values, and returns their indices.
    private mutating func strings(_ column: MapLibreLayer.Column) throws(VectorTileFailure) -> [UInt32] {
        guard let lengths = column.stream(.varBinary, .dictionary),
            let data = column.stream(.data, .singleDictionary, .sharedDictionary)
        else {
            throw VectorTileFailure(problem: "the column \"\(column.name)\" lacks a stream", offset: 0)
        }
        let range: Range<Int>
        if let cached = dictionaries[lengths.offset] {
            range = cached
        } else {
            range = try texts(column, lengths, data)
            dictionaries[lengths.offset] = range
        }
        guard let offsets = column.stream(.stringOffset, .keyOffset, .indexOffset) else {
            return range.map { UInt32($0) }
        }
        var indices: [UInt32] = try offsets.integers(of: bytes)
        let first = UInt32(range.lowerBound), count = UInt32(range.count)
        for at in indices.indices {
            guard indices[at] < count else { throw offsets.failure("a string is not in the dictionary") }
            indices[at] += first
        }
        return indices
    }

    /// Adds strings, and returns the range of their indices.
    private mutating func texts(
        _ column: MapLibreLayer.Column, _ lengths: MapLibreStream, _ data: MapLibreStream
    ) throws(VectorTileFailure) -> Range<Int> {
        let sizes: [UInt32] = try lengths.integers(of: bytes), first = values.count
        let total = sizes.reduce(0) { $0 + Int($1) }
        let text = try corpus(column, data, size: total)
        guard total <= text.count else { throw lengths.failure("the strings are longer than their data") }
        values.reserveCapacity(first + sizes.count)
        var start = text.startIndex
        for size in sizes {
            values.append(.string(String(decoding: text[start..<start + Int(size)], as: UTF8.self)))
            start += Int(size)
        }
        return first..<values.count
    }

    /// Returns the bytes of strings, decompressed with the symbol table of FSST if there is one.
    private func corpus(
        _ column: MapLibreLayer.Column, _ data: MapLibreStream, size: Int
    ) throws(VectorTileFailure) -> ArraySlice<UInt8> {
        let codes = data.payload(of: bytes)
        guard let lengths = column.stream(.symbol), let table = column.stream(.fsst) else { return codes }
        guard size <= VectorTile.sizeLimit else { throw data.failure("strings of \(size) bytes") }
        let text = FSST.text(
            codes, symbols: table.payload(of: bytes), lengths: try lengths.integers(of: bytes), size: size)
        guard let text else { throw data.failure("a symbol is unknown, or not in the table") }
        return text[...]
    }

    // MARK: Tags

    /// The pairs of the indices of a name and a value, by feature, and the start of each feature's pairs.
    var tags: (tags: [UInt32], starts: [Int]) {
        var starts = [Int](repeating: 0, count: featureCount + 1)
        for column in columns { column.presence.forEachFeature(featureCount) { starts[$0 + 1] += 2 } }
        for at in 0..<featureCount { starts[at + 1] += starts[at] }
        var next = starts, tags = [UInt32](repeating: 0, count: starts[featureCount])
        next.withUnsafeMutableBufferPointer { next in
            tags.withUnsafeMutableBufferPointer { tags in
                for (key, column) in columns.enumerated() {
                    var at = 0
                    column.presence.forEachFeature(featureCount) { feature in
                        let index = next[feature]
                        tags[index] = UInt32(truncatingIfNeeded: key)
                        tags[index + 1] = column.values[at]
                        next[feature] = index + 2
                        at += 1
                    }
                }
            }
        }
        return (tags, starts)
    }
}

extension [UInt8]? {
    /// Calls a function with the index of each bit that is set, or with all indices if there are no bits.
    @inline(__always)
    fileprivate func forEachFeature(_ count: Int, _ body: (Int) -> Void) {
        guard let self else {
            for at in 0..<count { body(at) }
            return
        }
        for (at, byte) in self.enumerated() where byte != 0 {
            var rest = byte
            while rest != 0 {
                body(8 * at + rest.trailingZeroBitCount)
                rest &= rest - 1
            }
        }
    }
}

/// The indices of numbers by their bits. An open-addressing hash table.
private struct NumberTable {
    private var slots: [(number: UInt64, index: UInt32)]
    private let shift: UInt64

    init(capacity: Int) {
        let bits = max(4, (2 * capacity).bitWidth - max(2 * capacity, 1).leadingZeroBitCount)
        slots = Array(repeating: (0, .max), count: 1 << bits)
        shift = UInt64(64 - bits)
    }

    /// Returns the index of a number, which is `new` if it is not in the table yet.
    mutating func index(of number: UInt64, new: UInt32) -> UInt32 {
        var slot = Int((number &* 0x9E37_79B9_7F4A_7C15) >> shift)
        while slots[slot].index != .max {
            if slots[slot].number == number { return slots[slot].index }
            slot = (slot + 1) & (slots.count - 1)
        }
        slots[slot] = (number, new)
        return new
    }
}

/// The codec "Fast Static Symbol Table" for strings. A code is the number of a symbol, which stands for some
/// bytes, or 255, which a literal byte follows. See "FSST: Fast Random Access String Compression" (Boncz,
/// Neumann and Leis).
enum FSST {
    private static let escape = 255

    /// Decodes text.
    /// - Parameters:
    ///   - symbols: The bytes of all symbols.
    ///   - lengths: The number of bytes of each symbol.
    ///   - size: The maximum number of bytes to decode, which is trusted.
    /// - Returns: nil if a symbol is unknown, or beyond the table.
    static func text(
        _ codes: ArraySlice<UInt8>, symbols: ArraySlice<UInt8>, lengths: [UInt32], size: Int
    ) -> [UInt8]? {
        var starts = [0]
        starts.reserveCapacity(lengths.count + 1)
        for length in lengths { starts.append(starts[starts.count - 1] + Int(length)) }
        guard starts[lengths.count] <= symbols.count else { return nil }
        var isKnown = true
        let text = [UInt8](unsafeUninitializedCapacity: size) { text, filled in
            codes.withUnsafeBufferPointer { codes in
                symbols.withUnsafeBufferPointer { symbols in
                    isKnown = decode(codes, symbols, starts, into: text, &filled)
                }
            }
        }
        return isKnown ? text : nil
    }

    /// - Parameter filled: The number of decoded bytes, at first 0.
    /// - Returns: False if a symbol is unknown.
    private static func decode(
        _ codes: UnsafeBufferPointer<UInt8>, _ symbols: UnsafeBufferPointer<UInt8>, _ starts: [Int],
        into text: UnsafeMutableBufferPointer<UInt8>, _ filled: inout Int
    ) -> Bool {
        guard let table = symbols.baseAddress, let target = text.baseAddress else { return codes.isEmpty }
        let size = text.count, count = min(starts.count - 1, escape)
        var at = 0, next = 0
        defer { filled = next }
        while at < codes.count, next < size {
            let code = Int(codes[at])
            at += 1
            if code < count {
                let start = starts[code], length = min(starts[code + 1] - start, size - next)
                (target + next).initialize(from: table + start, count: length)
                next += length
            } else {
                guard code == escape else { return false }
                // A last code without a literal byte is ignored.
                guard at < codes.count else { break }
                (target + next).initialize(to: codes[at])
                at += 1
                next += 1
            }
        }
        return true
    }
}
