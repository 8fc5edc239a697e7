internal import RhumbCore
internal import RhumbEngine

/// Searches for airports by their codes.
extension GazetteerFile {
    /// The words for airports. The full-text index has at least one for each airport.
    private static let airportWords = "airport aeroport aeropuerto aeroporto flughafen airfield"
        .split(separator: " ").map { Array($0.utf8) }
    /// The maximum numbers of airports to read, and of results before a code in small letters.
    private static let (most, before) = (50, 2)

    /// Moves airports whose IATA or ICAO code is the text to the front, or, if the text is in small letters
    /// and may be the beginning of a name, to the third place.
    func codedFirst(
        _ text: String, _ found: [PlaceMatch], limit: Int
    ) throws(PlaceSearchFailure) -> [PlaceMatch] {
        let code = text.uppercased(), airports = try airports(coded: code)
        guard !airports.isEmpty else { return found }
        let known = Set(airports.map(\.place)), others = found.filter { !known.contains($0.place) }
        let first = code == text ? 0 : found.prefix(Self.before).count { !known.contains($0.place) }
        return Array((others.prefix(first) + airports + others.dropFirst(first)).prefix(limit))
    }

    private func airports(coded code: String) throws(PlaceSearchFailure) -> [PlaceMatch] {
        let letters = UInt8(ascii: "A")...UInt8(ascii: "Z")
        guard (3...4).contains(code.utf8.count), code.utf8.allSatisfy(letters.contains) else { return [] }
        let word = Array(code.lowercased().utf8)
        let query = NameQuery.expression([[word], Self.airportWords], isLastBegun: false)
        var numbers: [Int] = [], found: [PlaceMatch] = []
        try forEachMatch(query) { number in
            numbers.append(number)
            return numbers.count < Self.most
        }
        for number in numbers {
            guard let chunk = chunk(of: number) else { continue }
            let line = try line(of: number, inChunk: chunk), place = try place(number, inChunk: chunk)
            if place.kind == .airport, line.others.contains(where: { $0.name.elementsEqual(code.utf8) }) {
                found.append(PlaceMatch(place: place, otherName: code))
            }
        }
        return found
    }
}
