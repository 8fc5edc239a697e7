internal import RhumbCore
internal import RhumbEngine

/// A connection to a gazetteer, with the data unpacked so far. Assets/build/gazetteer.py describes the
/// tables.
final class GazetteerFile {
    let chunks: [PlaceChunk]
    /// The indices of the chunks, sorted by their most important place.
    private(set) lazy var chunksByCeiling = chunks.indices.sorted {
        (chunks[$1].ceiling, $0) < (chunks[$0].ceiling, $1)
    }
    /// The name folding, decoded on first use. Only searches need it.
    private(set) lazy var nameFolding = NameFolding(table: String(decoding: foldingTable, as: UTF8.self))
    private let foldingTable: [UInt8]
    var folding: Folding { nameFolding.folding }
    private let connection: Connection
    private let countries: [String: String]
    private var regions: [Int: (country: String, name: String)] = [:]
    private let region: Statement
    private let regionsOfCountry: Statement
    private let numbersOfChunk: Statement
    private let namesOfChunk: Statement
    private let search: Statement
    private var numbers: [PlaceNumbers?]
    private var names: [Int: PlaceNames] = [:]
    private var unpackedVocabulary: Vocabulary?
    private var unpackedAreas: AreaNames?
    /// The maximum number of chunks whose names are cached, at about 15 KB each.
    private static let nameCacheLimit = 256

    init(_ name: String, _ mode: Connection.Mode) throws(PlaceSearchFailure) {
        do throws(StoreFailure) {
            connection = try Connection(name, mode)
            chunks = try GazetteerFile.chunks(connection)
            countries = try GazetteerFile.countries(connection)
            region = try connection.prepare(
                "SELECT country, name FROM region WHERE id = ?1", to: "read a region")
            regionsOfCountry = try connection.prepare(
                "SELECT id FROM region WHERE country = ?1", to: "read regions")
            numbersOfChunk = try connection.prepare(
                "SELECT numbers FROM chunk WHERE first = ?1", to: "read places")
            namesOfChunk = try connection.prepare(
                "SELECT names FROM chunk WHERE first = ?1", to: "read names")
            search = try connection.prepare("SELECT rowid FROM names(?1)", to: "search for a name")
        } catch {
            throw .unreadable("\(error)")
        }
        numbers = Array(repeating: nil, count: chunks.count)
        foldingTable = try GazetteerFile.text("folding", connection)
    }

    // MARK: Opening

    private static func chunks(_ connection: Connection) throws(StoreFailure) -> [PlaceChunk] {
        let rows = try connection.prepare(
            "SELECT first, count, ceiling, west, south, east, north FROM chunk ORDER BY first",
            to: "read the place index")
        var chunks: [PlaceChunk] = []
        while try rows.step() {
            func degrees(_ column: Int) -> Double { (rows.double(column) ?? 0) / PlaceChunk.unitsPerDegree }
            chunks.append(
                PlaceChunk(
                    first: rows.int(0) ?? 0, count: min(max(rows.int(1) ?? 0, 0), 10_000),
                    ceiling: (rows.double(2) ?? 0) / 100,
                    box: (degrees(3), degrees(4), degrees(5), degrees(6))))
        }
        return chunks
    }

    private static func countries(_ connection: Connection) throws(StoreFailure) -> [String: String] {
        let rows = try connection.prepare("SELECT code, name FROM country", to: "read the countries")
        var countries: [String: String] = [:]
        while try rows.step() { countries[rows.text(0) ?? ""] = rows.text(1) ?? "" }
        return countries
    }

    private static func text(
        _ name: String, _ connection: Connection
    ) throws(PlaceSearchFailure) -> [UInt8] {
        let packed: [UInt8]
        do throws(StoreFailure) {
            let row = try connection.prepare("SELECT value FROM text WHERE name = ?1", to: "read its \(name)")
            try row.bind(1, name)
            packed = try row.step() ? row.bytes(0) ?? [] : []
        } catch {
            throw .unreadable("\(error)")
        }
        return try unpacked(packed, connection)
    }

    private static func unpacked(
        _ bytes: [UInt8], _ connection: Connection
    ) throws(PlaceSearchFailure) -> [UInt8] {
        guard let bytes = try? Gzip.unpacked(bytes) else { throw damaged(connection) }
        return bytes
    }

    private static func damaged(_ connection: Connection) -> PlaceSearchFailure {
        .unreadable("the place index \(connection.file) is damaged; install Rhumb again")
    }

    // MARK: Reading

    /// Returns the words of all names, for correcting typing errors.
    func vocabulary() throws(PlaceSearchFailure) -> Vocabulary {
        if let unpackedVocabulary { return unpackedVocabulary }
        let vocabulary = Vocabulary(try GazetteerFile.text("words", connection))
        unpackedVocabulary = vocabulary
        return vocabulary
    }

    /// Returns the names of countries and regions, which can narrow a search.
    func areas() throws(PlaceSearchFailure) -> AreaNames {
        if let unpackedAreas { return unpackedAreas }
        let areas = AreaNames(try GazetteerFile.text("areas", connection))
        unpackedAreas = areas
        return areas
    }

    /// Returns the index of the chunk that contains a place; nil if there is none.
    func chunk(of number: Int) -> Int? {
        let last = chunks.partitioningIndex { $0.first > number } - 1
        return last >= 0 && number - chunks[last].first < chunks[last].count ? last : nil
    }

    func numbers(ofChunk index: Int) throws(PlaceSearchFailure) -> PlaceNumbers {
        if let cached = numbers[index] { return cached }
        let bytes = try blob(numbersOfChunk, chunks[index].first)
        guard let read = PlaceNumbers(bytes, count: chunks[index].count) else {
            throw GazetteerFile.damaged(connection)
        }
        numbers[index] = read
        return read
    }

    func line(of number: Int, inChunk index: Int) throws(PlaceSearchFailure) -> PlaceNames.Line {
        if names[index] == nil {
            if names.count >= GazetteerFile.nameCacheLimit { names = [:] }
            let packed = try blob(namesOfChunk, chunks[index].first)
            names[index] = PlaceNames(try GazetteerFile.unpacked(packed, connection))
        }
        guard let line = names[index]?[number - chunks[index].first] else {
            throw GazetteerFile.damaged(connection)
        }
        return line
    }

    /// Returns a place with all its details. Its strings are sanitised for terminal output.
    func place(_ number: Int, inChunk index: Int) throws(PlaceSearchFailure) -> NamedPlace {
        let numbers = try numbers(ofChunk: index)
        let line = try line(of: number, inChunk: index)
        let offset = number - chunks[index].first
        let region = area(line.region)
        let kind = numbers.kinds[offset]
        return NamedPlace(
            number: number, name: GazetteerFile.text(line.name),
            localName: line.local.map(GazetteerFile.text),
            englishName: line.english.map(GazetteerFile.text), kind: kind,
            countryCode: SafeText.sanitised(region.country),
            country: SafeText.sanitised(region.countryName),
            region: kind == .country ? "" : SafeText.sanitised(region.name),
            coordinate: numbers.coordinate(offset), population: numbers.populations[offset],
            importance: numbers.importances[offset])
    }

    /// Returns a name sanitised for terminal output.
    static func text(_ name: ArraySlice<UInt8>) -> String {
        SafeText.sanitised(String(decoding: name, as: UTF8.self))
    }

    /// Returns the country code, country name and region name for a region number.
    func area(_ number: Int) -> (country: String, countryName: String, name: String) {
        let region = regions[number] ?? readRegion(number)
        regions[number] = region
        return (region.country, countries[region.country] ?? "", region.name)
    }

    /// Returns the numbers of a country's regions.
    func regions(of country: String) throws(PlaceSearchFailure) -> [Int] {
        do throws(StoreFailure) {
            try regionsOfCountry.bind(1, country)
            defer { regionsOfCountry.reset() }
            return try regionsOfCountry.all { $0.int(0) }
        } catch {
            throw .unreadable("\(error)")
        }
    }

    /// Returns a region's country code and name; both empty if it is missing or unreadable.
    private func readRegion(_ number: Int) -> (country: String, name: String) {
        defer { region.reset() }
        guard (try? region.bind(1, number)) != nil, (try? region.step()) == true else { return ("", "") }
        return (region.text(0) ?? "", region.text(1) ?? "")
    }

    /// Calls `body` with each place whose name matches a full-text query, most important classes first, until
    /// `body` returns false.
    func forEachMatch(
        _ query: String, _ body: (Int) -> Bool
    ) throws(PlaceSearchFailure) {
        do throws(StoreFailure) {
            search.reset()
            try search.bind(1, query)
            while try search.step() {
                guard let number = search.int(0), body(number) else { break }
            }
            search.reset()
        } catch {
            throw .unreadable("\(error)")
        }
    }

    private func blob(_ statement: Statement, _ first: Int) throws(PlaceSearchFailure) -> [UInt8] {
        do throws(StoreFailure) {
            try statement.bind(1, first)
            return try statement.first { $0.bytes(0) } ?? []
        } catch {
            throw .unreadable("\(error)")
        }
    }
}

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
