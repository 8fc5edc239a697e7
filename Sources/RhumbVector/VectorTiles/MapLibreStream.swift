/// A stream of a MapLibre Tile of version 1: values of one type, with their encoding. See
/// https://maplibre.org/maplibre-tile-spec/specification/v1 and, for the encodings,
/// https://maplibre.org/maplibre-tile-spec/encodings.
struct MapLibreStream {
    /// The byte "stream_type", a category and a subtype.
    enum Kind: UInt8 {
        case present = 0
        case data = 0x10, singleDictionary, sharedDictionary, vertex, morton, fsst
        case vertexOffset = 0x20, indexOffset, stringOffset, keyOffset
        case varBinary = 0x30, geometries, parts, rings, triangles, symbol, dictionary
    }

    /// The fields "logical1" and "logical2" of the encoding.
    enum Logical: UInt8 {
        case none = 0b000_000
        case delta = 0b001_000
        case deltaRLE = 0b001_011
        case componentwiseDelta = 0b010_000
        case rle = 0b011_000
        case mortonDelta = 0b100_001
    }

    /// The field "physical" of the encoding.
    enum Physical: UInt8 {
        case none, fastPFOR, varint
    }

    let kind: Kind
    let logical: Logical
    let physical: Physical
    /// The number of values after decoding.
    let count: Int
    /// The number of runs of values.
    let runs: Int
    /// The number of bits of each coordinate in a Morton code.
    private let mortonBits: UInt32
    /// The number added to each coordinate before it became part of a Morton code.
    private let mortonShift: UInt32
    private let payload: Range<Int>
    /// The offset of the payload in the tile.
    var offset: Int { payload.lowerBound }

    /// Reads a stream's header, and skips its payload.
    /// - Parameter isBoolean: True for the data of a boolean column.
    init(_ reader: inout WireReader, isBoolean: Bool = false) throws(VectorTileFailure) {
        let type = try reader.byte(), encoding = try reader.byte()
        guard let kind = Kind(rawValue: type < 0x10 ? 0 : type) else {
            throw reader.failure("the stream type \(type) is unknown")
        }
        guard let logical = Logical(rawValue: encoding >> 2), let physical = Physical(rawValue: encoding & 3)
        else { throw reader.failure("the encoding \(encoding) of a stream is unknown") }
        let number = try reader.count(), length = try reader.count()
        let hasRuns = (logical == .rle || logical == .deltaRLE) && kind != .present && !isBoolean
        self.kind = kind
        self.logical = logical
        self.physical = physical
        runs = hasRuns ? try reader.count() : 0
        count = hasRuns ? try reader.count() : number
        guard max(count, runs) <= MapLibreLayer.valueLimit else {
            throw reader.failure("a stream of \(max(count, runs)) values")
        }
        mortonBits = logical == .mortonDelta ? UInt32(try reader.count()) : 0
        mortonShift = logical == .mortonDelta ? UInt32(try reader.count()) : 0
        guard mortonBits <= 16 else { throw reader.failure("a Morton code of \(mortonBits) bits") }
        payload = try reader.pass(length)
    }

    /// The bytes of strings or of symbols.
    func payload(of bytes: [UInt8]) -> ArraySlice<UInt8> { bytes[payload] }

    func failure(_ problem: String) -> VectorTileFailure {
        VectorTileFailure(problem: problem, offset: payload.lowerBound)
    }

    // MARK: Integers

    /// Returns the values of a stream of integers.
    /// - Parameter isSigned: True for a signed type, whose values are returned as two's complement.
    func integers<Word: FixedWidthInteger & UnsignedInteger>(
        of bytes: [UInt8], isSigned: Bool = false
    ) throws(VectorTileFailure) -> [Word] {
        var words: [Word]
        switch logical {
        case .none, .delta: words = try self.words(count, of: bytes)
        case .rle, .deltaRLE: words = try expanded(self.words(2 * runs, of: bytes))
        case .componentwiseDelta, .mortonDelta: throw failure("an encoding of vertices for other values")
        }
        if logical == .delta || logical == .deltaRLE {
            var sum: Word = 0
            for at in words.indices {
                sum &+= words[at].unzigzagged
                words[at] = sum
            }
        } else if isSigned {
            for at in words.indices { words[at] = words[at].unzigzagged }
        }
        return words
    }

    /// Repeats each value of a list of run lengths and values.
    private func expanded<Word: FixedWidthInteger & UnsignedInteger>(
        _ words: [Word]
    ) throws(VectorTileFailure) -> [Word] {
        var isWhole = true
        let values = [Word](unsafeUninitializedCapacity: count) { values, filled in
            for run in 0..<runs {
                let length = Int(clamping: words[run]), value = words[runs + run]
                guard length <= count - filled else { return isWhole = false }
                for at in filled..<filled + length { values.initializeElement(at: at, to: value) }
                filled += length
            }
        }
        guard isWhole else { throw failure("the runs have too many values") }
        guard values.count == count else { throw failure("the runs have too few values") }
        return values
    }

    private func words<Word: FixedWidthInteger & UnsignedInteger>(
        _ count: Int, of bytes: [UInt8]
    ) throws(VectorTileFailure) -> [Word] {
        let words = bytes.withUnsafeBufferPointer { all -> [Word]? in
            let part = UnsafeBufferPointer(rebasing: all[payload])
            return switch physical {
            case .none: Self.fixed(part, count)
            case .varint: Self.varints(part, count)
            case .fastPFOR:
                Word.self == UInt32.self
                    ? FastPFOR.values(part, count: count).map { unsafeBitCast($0, to: [Word].self) } : nil
            }
        }
        guard let words else { throw failure("a stream is damaged, or has fewer than \(count) numbers") }
        return words
    }

    private static func fixed<Word: FixedWidthInteger>(
        _ bytes: UnsafeBufferPointer<UInt8>, _ count: Int
    ) -> [Word]? {
        let size = MemoryLayout<Word>.size, raw = UnsafeRawBufferPointer(bytes)
        guard raw.count >= count * size else { return nil }
        return (0..<count).map {
            Word(littleEndian: raw.loadUnaligned(fromByteOffset: $0 * size, as: Word.self))
        }
    }

    private static func varints<Word: FixedWidthInteger & UnsignedInteger>(
        _ bytes: UnsafeBufferPointer<UInt8>, _ count: Int
    ) -> [Word]? {
        guard bytes.count >= count else { return nil }
        var isWhole = true
        let words = [Word](unsafeUninitializedCapacity: count) { words, filled in
            var at = 0
            let end = bytes.count
            var next = 0
            while next < count, at < end {
                var byte = bytes[at], value = Word(truncatingIfNeeded: byte)
                // Numbers of one and two bytes alternate at random, so a branch would often be mispredicted.
                if at + 1 < end, byte & bytes[at + 1] < 0x80 {
                    let isLong = value >> 7, high = Word(truncatingIfNeeded: bytes[at + 1])
                    words.initializeElement(at: next, to: value & 0x7F | (high &* isLong) &<< 7)
                    at += 1 + Int(truncatingIfNeeded: isLong)
                    next += 1
                    continue
                }
                at += 1
                if byte >= 0x80 {
                    value &= 0x7F
                    var shift: Word = 7
                    repeat {
                        guard at < end, shift < Word.bitWidth else {
                            filled = next
                            return isWhole = false
                        }
                        byte = bytes[at]
                        value |= Word(truncatingIfNeeded: byte & 0x7F) &<< shift
                        shift &+= 7
                        at += 1
                    } while byte >= 0x80
                }
                words.initializeElement(at: next, to: value)
                next += 1
            }
            filled = next
            isWhole = next == count
        }
        return isWhole ? words : nil
    }

    // MARK: Vertices

    /// Returns the vertices of a vertex buffer.
    func vertices(of bytes: [UInt8]) throws(VectorTileFailure) -> [VectorGeometry.Point] {
        if logical == .mortonDelta {
            var code: UInt32 = 0
            let steps: [UInt32] = try words(count, of: bytes)
            return steps.map { step in
                code &+= step
                return VectorGeometry.Point(coordinate(code), coordinate(code >> 1))
            }
        }
        let words: [UInt32] =
            logical == .componentwiseDelta
            ? try self.words(count, of: bytes) : try integers(of: bytes, isSigned: true)
        guard words.count.isMultiple(of: 2) else { throw failure("a vertex without a second coordinate") }
        var vertex = VectorGeometry.Point.zero
        return [VectorGeometry.Point](unsafeUninitializedCapacity: words.count / 2) { vertices, filled in
            for at in 0..<words.count / 2 {
                let pair = SIMD2(words[2 * at], words[2 * at + 1])
                if logical == .componentwiseDelta {
                    let step = pair &>> 1 ^ (0 &- (pair & 1))
                    vertex &+= VectorGeometry.Point(truncatingIfNeeded: step)
                } else {
                    vertex = VectorGeometry.Point(truncatingIfNeeded: pair)
                }
                vertices.initializeElement(at: at, to: vertex)
            }
            filled = words.count / 2
        }
    }

    /// Returns the number in each second bit of a Morton code, as a coordinate.
    private func coordinate(_ code: UInt32) -> Int32 {
        var bits = code & 0x5555_5555
        bits = (bits | bits >> 1) & 0x3333_3333
        bits = (bits | bits >> 2) & 0x0F0F_0F0F
        bits = (bits | bits >> 4) & 0x00FF_00FF
        bits = (bits | bits >> 8) & (1 << mortonBits - 1)
        return Int32(truncatingIfNeeded: bits &- mortonShift)
    }

    // MARK: Other values

    /// Returns the values of a boolean stream as bits, lowest first. The bits after the last value are 0.
    func bits(of bytes: [UInt8]) throws(VectorTileFailure) -> [UInt8] {
        let size = (count + 7) / 8
        var bits: [UInt8] = []
        if logical == .rle {
            bits.reserveCapacity(size)
            var input = bytes[payload]
            while let control = input.popFirst() {
                let run = control < 128 ? Int(control) + 3 : 256 - Int(control)
                guard run <= size - bits.count, input.count >= (control < 128 ? 1 : run) else { break }
                if control < 128, let byte = input.popFirst() {
                    bits.append(contentsOf: repeatElement(byte, count: run))
                } else {
                    bits += input.prefix(run)
                    input = input.dropFirst(run)
                }
            }
        } else {
            bits = Array(bytes[payload].prefix(size))
        }
        guard bits.count == size else { throw failure("a boolean stream has fewer than \(count) values") }
        if count % 8 > 0 { bits[size - 1] &= 1 << UInt8(count % 8) - 1 }
        return bits
    }

    /// Returns the values of a stream of floating-point numbers.
    func floats(of bytes: [UInt8], isDouble: Bool) throws(VectorTileFailure) -> [Double] {
        guard logical == .none, physical == .none else { throw failure("encoded floating-point numbers") }
        if isDouble {
            let words: [UInt64] = try words(count, of: bytes)
            return words.map { Double(bitPattern: $0) }
        }
        let words: [UInt32] = try words(count, of: bytes)
        return words.map { Double(Float(bitPattern: $0)) }
    }
}

extension UnsignedInteger where Self: FixedWidthInteger {
    /// The signed number that the ZigZag encoding stands for, as two's complement.
    fileprivate var unzigzagged: Self { self >> 1 ^ (0 &- (self & 1)) }
}

extension WireReader {
    mutating func byte() throws(VectorTileFailure) -> UInt8 { bytes[try pass(1).lowerBound] }

    /// Reads a number of things.
    mutating func count() throws(VectorTileFailure) -> Int {
        let value = try varint()
        guard let count = Int32(exactly: value) else { throw failure("a count of \(value)") }
        return Int(count)
    }

    mutating func string() throws(VectorTileFailure) -> String {
        String(decoding: bytes[try pass(try count())], as: UTF8.self)
    }
}
