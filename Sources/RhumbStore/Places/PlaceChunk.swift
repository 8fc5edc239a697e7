internal import RhumbCore

/// A run of neighbouring places, from one row of the gazetteer.
struct PlaceChunk {
    /// The number of coordinate units per degree; stored coordinates are integers.
    static let unitsPerDegree = 10_000.0

    /// The number of the first place.
    let first: Int
    let count: Int
    /// The maximum importance of its places.
    let ceiling: Double
    /// The western, southern, eastern and northern edge, in degrees.
    let box: (west: Double, south: Double, east: Double, north: Double)
}

/// The coordinates, populations and kinds of a chunk's places.
struct PlaceNumbers {
    private(set) var latitudes: [Double] = []
    private(set) var longitudes: [Double] = []
    private(set) var populations: [Int] = []
    private(set) var kinds: [NamedPlace.Kind] = []
    private(set) var importances: [Double] = []
    /// The fame of each place, a score added to its importance.
    private(set) var fames: [Double] = []
    /// The flags of settlements and capitals without a larger settlement for hundreds of kilometres, and the
    /// minimum of their importance.
    private static let (remoteFlags, remoteImportance) = (5...6, 5.2)
    /// The kinds of natural features and sites, by the remainder of their number.
    private static let nature: [NamedPlace.Kind] = [
        .water, .landscape, .peak, .river, .island, .sight, .airport, .port,
    ]

    /// Reads the delta-encoded longitude and latitude of each place, its population combined with its kind,
    /// and its fame, if any.
    /// - Returns: nil if the bytes don't contain that many places.
    init?(_ bytes: [UInt8], count: Int) {
        var reader = Varints(bytes)
        var longitude = 0, latitude = 0
        for _ in 0..<count {
            guard let east = PlaceNumbers.next(&reader), let north = PlaceNumbers.next(&reader),
                let people = PlaceNumbers.next(&reader)
            else { return nil }
            longitude += PlaceNumbers.signed(east)
            latitude += PlaceNumbers.signed(north)
            var fame = 0
            if people & 8 != 0 {
                guard let read = PlaceNumbers.next(&reader) else { return nil }
                fame = PlaceNumbers.signed(read)
            }
            append(longitude, latitude, number: people >> 4, flag: people & 7)
            fames.append(Double(fame) / 100)
        }
        guard reader.isAtEnd else { return nil }
    }

    /// - Parameter number: The population; for natural features and sites the importance in thousandths
    ///   times the number of kinds, plus the kind.
    private mutating func append(_ longitude: Int, _ latitude: Int, number: Int, flag: Int) {
        let (thousandths, which) = number.quotientAndRemainder(dividingBy: PlaceNumbers.nature.count)
        let isNature = flag == 4,
            kind = isNature ? PlaceNumbers.nature[which] : PlaceNumbers.kind(flag, number)
        let population = isNature ? 0 : number
        longitudes.append(Double(longitude) / PlaceChunk.unitsPerDegree)
        latitudes.append(Double(latitude) / PlaceChunk.unitsPerDegree)
        populations.append(population)
        kinds.append(kind)
        let importance =
            isNature ? Double(thousandths) / 1000 : NamedPlace.importance(kind, population: population)
        importances.append(
            PlaceNumbers.remoteFlags.contains(flag)
                ? max(importance, PlaceNumbers.remoteImportance) : importance)
    }

    func coordinate(_ index: Int) -> Coordinate {
        Coordinate(latitude: latitudes[index], longitude: longitudes[index])
    }

    /// Reads the next number; nil above 2^40, so that sums don't overflow.
    private static func next(_ reader: inout Varints) -> Int? {
        (try? reader.next("number")).flatMap { $0 <= 1 << 40 ? Int($0) : nil }
    }

    private static func signed(_ value: Int) -> Int { value & 1 == 0 ? value >> 1 : -(value >> 1) }

    private static func kind(_ flag: Int, _ population: Int) -> NamedPlace.Kind {
        switch flag {
        case 1, 6: .capital
        case 2: .region
        case 3: .country
        default: population >= 100_000 ? .city : population >= 5000 ? .town : .village
        }
    }
}
