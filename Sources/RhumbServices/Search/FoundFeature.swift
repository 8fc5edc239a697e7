public import RhumbGeo

/// A thing on the map that a search found.
public struct FoundFeature: Sendable, Hashable {
    /// Its usual name, harmless to a terminal; of a house its street and number; empty where it has none.
    public var name: String
    /// The name that was found, where it is not the usual one.
    public var otherName: String?
    /// What it is for.
    public var category: PlaceCategory
    /// The tile's own word for what it is, as "restaurant"; may be empty. Harmless to a terminal.
    public var kind: String
    /// The middle of its line or area.
    public var coordinate: Coordinate
    /// The box it lies in, on the world.
    public var box: WorldBox
    /// "socket:type2=4": what is told of it besides.
    public var details: [String]
    /// Who found it on the web; empty: it is of stored tiles.
    public var provider = ""
    /// "Firenze, Toscana": where it is, in the words of who found it; mostly empty. Harmless to a terminal.
    public var whereabouts = ""
    /// How many metres lie between it and where the person looks; nil where that is unknown.
    public var metres: Double?
    /// True if it is of a related kind only: a dentist for "hospital".
    public var isRelated = false
    /// The direction to it, in degrees clockwise from north; nil where that is unknown.
    public var degrees: Double?

    /// A thing of a tile.
    public init(_ feature: IndexedFeature, in tile: TileID) {
        name = feature.name
        category = feature.category
        kind = feature.kind
        details = feature.details
        coordinate = Mercator.coordinate(TileFeatures.world(feature.middle, in: tile))
        let low = TileFeatures.world(feature.low, in: tile), high = TileFeatures.world(feature.high, in: tile)
        box = WorldBox(minX: low.x, minY: low.y, maxX: high.x, maxY: high.y)
    }

    /// What it is, in few words: "pharmacy", "street".
    /// - Parameter language: a code of ISO 639-1; English where there are no words in it.
    public func kindWord(in language: String = "en") -> String {
        let plain = kind.replacing("_", with: " ")
        switch category {
        case .street, .address, .river, .building: return category.word(in: language)
        case .other: return plain.isEmpty ? category.word(in: language) : plain
        default:
            let isVague = plain.isEmpty || PlaceCategory.vagueKinds.contains(kind)
            return isVague ? category.word(in: language) : category.word(of: kind, in: language) ?? plain
        }
    }

    /// What to call it: its name, or what it is.
    public func title(in language: String = "en") -> String { name.isEmpty ? kindWord(in: language) : name }

    /// Seen from a place.
    public func seen(from place: Coordinate?) -> FoundFeature {
        guard let place else { return self }
        var found = self
        found.metres = place.metres(to: coordinate)
        found.degrees = place.bearing(to: coordinate)
        return found
    }
}

extension PlaceCategory {
    /// Classes that say no more than that there is something.
    fileprivate static let vagueKinds: Set<String> = [
        "other", "yes", "amenity", "tourism", "leisure", "place", "building",
    ]
}

extension FoundFeature {
    /// Joins what is one thing in several tiles, or in several layers of one: the same name, categories that
    /// go together, and boxes that touch or nearly do. The first of each stays, a little more of it known.
    /// - Parameter gap: how far boxes may be apart, in metres.
    /// - Returns: each thing once, with the place that the first of it has in the list.
    public static func joined(
        _ found: [FoundFeature], gap: Double = 60
    ) -> [(feature: FoundFeature, first: Int)] {
        var joined: [(feature: FoundFeature, first: Int)] = []
        var byName: [String: [Int]] = [:]
        for (place, feature) in found.enumerated() {
            let key = feature.name.lowercased()
            if !key.isEmpty,
                let at = byName[key]?.first(where: { joined[$0].feature.isSame(as: feature, gap: gap) })
            {
                joined[at].feature.join(feature)
            } else {
                byName[key, default: []].append(joined.count)
                joined.append((feature, place))
            }
        }
        return joined
    }

    private func isSame(as other: FoundFeature, gap: Double) -> Bool {
        guard category.goesTogether(with: other.category) else { return false }
        let metres = Mercator.metresPerPixel(latitude: coordinate.latitude, zoom: 0) * 256
        let room = (category == .street ? max(gap, 200) : gap) / max(metres, 1)
        return box.minX <= other.box.maxX + room && other.box.minX <= box.maxX + room
            && box.minY <= other.box.maxY + room && other.box.minY <= box.maxY + room
    }

    /// The more telling category counts; the middle moves to that of the larger piece of a street.
    private mutating func join(_ other: FoundFeature) {
        if category.isVague, !other.category.isVague || other.area < area && other.category != category {
            category = other.category
            kind = other.kind
            coordinate = other.coordinate
            metres = other.metres
            degrees = other.degrees
        } else if category == other.category, other.area > area {
            coordinate = other.coordinate
            metres = other.metres
            degrees = other.degrees
        }
        if details.isEmpty { details = other.details }
        box = WorldBox(
            minX: min(box.minX, other.box.minX), minY: min(box.minY, other.box.minY),
            maxX: max(box.maxX, other.box.maxX), maxY: max(box.maxY, other.box.maxY))
    }

    private var area: Double { (box.maxX - box.minX) + (box.maxY - box.minY) }
}

extension PlaceCategory {
    /// Whether it says little of what a thing is: the building or the ground of something.
    fileprivate var isVague: Bool { [.other, .building].contains(self) }

    /// Whether two things of one name at one place may be one: alike, or the ground and the house of
    /// something.
    fileprivate func goesTogether(with other: PlaceCategory) -> Bool {
        self == other || isVague || other.isVague
    }
}

extension FoundFeature {
    /// A house: its street and number.
    public init(_ house: HouseNumber, in tile: TileID) {
        let name = house.street.isEmpty ? house.number : "\(house.street) \(house.number)"
        self.init(IndexedFeature(name, .address, at: house.place), in: tile)
    }
}
