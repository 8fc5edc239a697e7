public import RhumbGeo

/// A thing on the map that a search found.
public struct FoundFeature: Sendable, Hashable {
    /// The usual name, safe for a terminal; of a house its street and number; empty for none.
    public var name: String
    /// The name that was found, where it is not the usual one.
    public var otherName: String?
    /// The category.
    public var category: PlaceCategory
    /// The tile's own class, such as "restaurant"; may be empty. Safe for a terminal.
    public var kind: String
    /// The middle of its line or area.
    public var coordinate: Coordinate
    /// The bounding box.
    public var box: WorldBox
    /// Further facts, such as "socket:type2=4".
    public var details: [String]
    /// Who found it on the web; empty: it is of stored tiles.
    public var provider = ""
    /// "Firenze, Toscana": where it is, in the words of who found it; mostly empty. Harmless to a terminal.
    public var whereabouts = ""
    /// The distance in metres from the place where the user searches; nil if unknown.
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

    /// Returns the kind in few words: "pharmacy", "street".
    /// - Parameter language: A code of ISO 639-1; English if the language has no words.
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

    /// The name, or else the kind.
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
    /// Joins features that are parts of one thing in several tiles or layers: with the same name, compatible
    /// categories, and boxes that touch or almost touch. The first part stays, completed by the others.
    /// - Parameter gap: The largest distance between boxes, in metres.
    /// - Returns: Each thing once, at the position of its first part.
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
    /// True for categories that say little, such as a building or its ground.
    fileprivate var isVague: Bool { [.other, .building].contains(self) }

    /// Returns true if two features with one name at one place may be one thing: equal categories, or one of
    /// them vague.
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
