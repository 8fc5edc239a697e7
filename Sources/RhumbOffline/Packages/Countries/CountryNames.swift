internal import CDefaults

/// The differences between the names of countries in the list of places and in the outlines.
///
/// `Assets/countrynames.tsv` has a line for each difference. Its fields are separated by tabs:
///
///     kind      one of these words:
///               "name"      another name
///               "part"      a territory of the list that the outline includes
///               "disputed"  a country whose outline includes territories of another one in the list
///               "military"  a small territory without settlements, whose border says little
///               "unlisted"  a territory that the list counts to other countries
///     outline   the name in `CountryAreas`
///     listed    the name in the list of places; empty for the last two kinds
package struct CountryNames: Sendable {
    /// The names of the list for outlines with another name, and the countries of the list that share
    /// disputed territories.
    package private(set) var listed: [String: String] = [:], disputed: [String: String] = [:]
    package private(set) var military: Set<String> = [], unlisted: Set<String> = []
    private var parts: [String: String] = [:]

    /// The names embedded in the library.
    package static let embedded = CountryNames()

    private init() {
        let bytes = rhumb_asset_countrynames()
        let text = String(
            decoding: UnsafeBufferPointer(start: bytes.start, count: bytes.count), as: UTF8.self)
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard fields.count == 3 else { continue }
            switch fields[0] {
            case "name": listed[fields[1]] = fields[2]
            case "part": parts[fields[2]] = fields[1]
            case "disputed": disputed[fields[1]] = fields[2]
            case "military": military.insert(fields[1])
            default: unlisted.insert(fields[1])
            }
        }
    }

    /// Returns the name of the outline that includes a country of the list.
    package func outline(of country: String) -> String { parts[country] ?? country }
}
