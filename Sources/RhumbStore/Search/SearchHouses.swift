internal import RhumbCore

/// The packed house numbers of a tile. Each line contains a street and its numbers with their positions,
/// separated by tabs.
enum SearchHouses {
    static func packed(_ houses: [HouseNumber]) -> [UInt8] {
        var lines: [String: [String]] = [:]
        for house in houses {
            lines[house.street, default: []].append("\(house.number) \(house.place.x) \(house.place.y)")
        }
        let text = lines.sorted { $0.key < $1.key }.map { ([$0.key] + $0.value).joined(separator: "\t") }
        return Gzip.small(Array(text.joined(separator: "\n").utf8))
    }

    /// Returns the house numbers; empty if the bytes are damaged.
    static func unpacked(_ bytes: [UInt8]) -> [HouseNumber] {
        guard let plain = Gzip.unpackedSmall(bytes) else { return [] }
        let text = String(decoding: plain, as: UTF8.self)
        return text.split(separator: "\n").flatMap { line -> [HouseNumber] in
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
            return fields.dropFirst().compactMap { house($0, of: String(fields[0])) }
        }
    }

    private static func house(_ field: Substring, of street: String) -> HouseNumber? {
        let words = field.split(separator: " ")
        guard words.count > 2, let x = Int32(words[words.count - 2]), let y = Int32(words[words.count - 1])
        else { return nil }
        return HouseNumber(
            words.dropLast(2).joined(separator: " "), street: street, at: IndexedFeature.Place(x, y))
    }
}
