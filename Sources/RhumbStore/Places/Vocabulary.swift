internal import RhumbCore

/// The words of all names, for correcting typing errors.
struct Vocabulary {
    private let bytes: [UInt8]
    /// The start of each word, and the end of the last.
    private let starts: [Int]
    /// The set of letters of each word, folded into 32 bits.
    private let letters: [UInt32]
    /// The maximum number of corrections for a word.
    static let limit = 24

    /// - Parameter lines: One word per line, in UTF-8.
    init(_ lines: [UInt8]) {
        bytes = lines + [UInt8(ascii: "\n")]
        var starts = [0], letters: [UInt32] = [], seen: UInt32 = 0
        starts.reserveCapacity(bytes.count / 8)
        letters.reserveCapacity(bytes.count / 8)
        for index in bytes.indices {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\n") {
                starts.append(index + 1)
                letters.append(seen)
                seen = 0
            } else {
                seen |= Vocabulary.bit(byte)
            }
        }
        self.starts = starts
        self.letters = letters
    }

    /// Returns the number of typing mistakes allowed in a word of this many bytes.
    static func tolerance(_ count: Int) -> Int { count < 4 ? 0 : count < 7 ? 1 : 2 }

    /// Returns the words nearest to a mistyped word, nearest first.
    /// - Parameter isBegun: True if the mistyped word may be incomplete.
    func nearest(to word: [UInt8], isBegun: Bool) -> [[UInt8]] {
        let tolerance = Vocabulary.tolerance(word.count)
        guard tolerance > 0 else { return [] }
        let wanted = Vocabulary.letters(word)
        var measure = EditDistance(from: word)
        var found: [(index: Int, distance: Int)] = []
        for index in letters.indices where (wanted & ~letters[index]).nonzeroBitCount <= tolerance {
            let candidate = self[index]
            guard candidate.count + tolerance >= word.count,
                isBegun || candidate.count <= word.count + tolerance
            else { continue }
            let distance = measure.distance(to: candidate, isBegun: isBegun)
            if distance <= tolerance { found.append((index, distance)) }
        }
        found.sort { ($0.distance, length($0.index), $0.index) < ($1.distance, length($1.index), $1.index) }
        return found.prefix(Vocabulary.limit).map { Array(self[$0.index]) }
    }

    /// Returns true if a longer word begins with this one. The words must be sorted.
    func isBeginning(_ word: [UInt8]) -> Bool {
        let next = letters.indices.partitioningIndex { word.lexicographicallyPrecedes(self[$0]) }
        return next < letters.count && self[next].starts(with: word)
    }

    private subscript(index: Int) -> ArraySlice<UInt8> { bytes[starts[index]..<(starts[index + 1] - 1)] }

    private func length(_ index: Int) -> Int { starts[index + 1] - starts[index] }

    private static func bit(_ byte: UInt8) -> UInt32 { 1 << (UInt32(byte) & 31) }

    /// Returns the set of letters of a word or name, folded into 32 bits. Each typing error changes at most
    /// one bit.
    static func letters(_ text: [UInt8]) -> UInt32 { text.reduce(0) { $0 | bit($1) } }
}
