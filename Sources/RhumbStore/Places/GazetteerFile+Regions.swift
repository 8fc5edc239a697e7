internal import RhumbCore
internal import RhumbEngine

/// Countries and regions that narrow a search.
extension GazetteerFile {
    /// Returns the numbers of the regions with a name, including all regions of a country; empty if there are
    /// none.
    /// - Parameter isBegun: If true, also matches names that only begin with the words.
    func regions(named words: [[UInt8]], isBegun: Bool = false) throws(PlaceSearchFailure) -> Set<Int> {
        var regions: Set<Int> = []
        for target in try areas().targets(words.joinedBySpaces + (isBegun ? [] : [AreaNames.tab])) {
            let text = String(decoding: target, as: UTF8.self)
            if let number = Int(text) {
                regions.insert(number)
            } else {
                regions.formUnion(try self.regions(of: text))
            }
        }
        return regions
    }
}

/// The folded names of countries and regions.
struct AreaNames {
    static let tab = UInt8(ascii: "\t")
    private let bytes: [UInt8]
    /// The start of each line; one more for the end of the last.
    private let starts: [Int]

    /// - Parameter lines: Sorted lines of a name, a tab, and country codes and region numbers.
    init(_ lines: [UInt8]) {
        let bytes = lines + [UInt8(ascii: "\n")]
        self.bytes = bytes
        starts = [0] + bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
    }

    /// Returns the codes and numbers in the lines that begin with a text.
    func targets(_ start: [UInt8]) -> [ArraySlice<UInt8>] {
        let lines = starts.indices.dropLast()
        let first = lines.partitioningIndex { !self[$0].lexicographicallyPrecedes(start) }
        return lines[first...].prefix { self[$0].starts(with: start) }.flatMap { line in
            self[line].drop { $0 != AreaNames.tab }.dropFirst().split(separator: UInt8(ascii: " "))
        }
    }

    private subscript(line: Int) -> ArraySlice<UInt8> { bytes[starts[line]..<(starts[line + 1] - 1)] }
}
