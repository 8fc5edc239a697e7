public import RhumbGeo

/// A feature found by a search.
public struct FeatureMatch: Sendable, Hashable {
    /// The usual name, sanitised for terminals. A house's is its street and number. Empty if there is none.
    public var name: String
    /// The name that matched if it isn't the usual one.
    public var otherName: String?
    /// The feature's category.
    public var category: PlaceCategory
    /// The class of the feature in its tile, such as "restaurant"; may be empty. Sanitised for terminals.
    public var kind: String
    /// The centre of the feature's line or area.
    public var coordinate: Coordinate
    /// The bounding box in world coordinates.
    public var box: WorldBox
    /// Further attributes, such as "socket:type2=4".
    public var details: [String]
    /// The online service that found the feature; empty if it comes from stored tiles.
    public var provider = ""
    /// The location in the service's words, such as "Firenze, Toscana"; empty for most features. Sanitised
    /// for terminals.
    public var whereabouts = ""
    /// The distance to the feature in metres; nil if the user's position is unknown.
    public var metres: Double?
    /// True if the feature is only of a related kind, such as a dentist for "hospital".
    public var isRelated = false
    /// The direction to the feature, in degrees clockwise from north; nil if the user's position is unknown.
    public var degrees: Double?

    /// Creates the match of a feature in a tile.
    public init(_ feature: IndexedFeature, in tile: TileID) {
        name = feature.name
        category = feature.category
        kind = feature.kind
        details = feature.details
        coordinate = Mercator.coordinate(TileFeatures.world(feature.middle, in: tile))
        let low = TileFeatures.world(feature.low, in: tile), high = TileFeatures.world(feature.high, in: tile)
        box = WorldBox(minX: low.x, minY: low.y, maxX: high.x, maxY: high.y)
    }

    /// Returns the kind in few words, such as "pharmacy" or "street".
    /// - Parameter language: An ISO 639-1 code. English is used if there are no words in that language.
    public func kindWord(in language: String = "en") -> String { category.word(ofKind: kind, in: language) }

    /// Returns the name, or the kind of a feature without a name.
    public func title(in language: String = "en") -> String { name.isEmpty ? kindWord(in: language) : name }

    /// Returns the feature with its distance and direction from a place.
    public func seen(from place: Coordinate?) -> FeatureMatch {
        guard let place else { return self }
        var found = self
        found.metres = place.metres(to: coordinate)
        found.degrees = place.bearing(to: coordinate)
        return found
    }

    /// Merges the parts of a feature found in several tiles or layers. Parts belong together if they have the
    /// same name, compatible categories, and boxes that touch or nearly do.
    /// - Returns: Each feature once, with the index of its first part in `found`.
    public static func joined(_ found: [FeatureMatch]) -> [(feature: FeatureMatch, first: Int)] {
        var joined: [(feature: FeatureMatch, first: Int)] = []
        var byName: [String: [Int]] = [:]
        for (index, feature) in found.enumerated() {
            let key = feature.name.lowercased()
            if !key.isEmpty,
                let at = byName[key]?.first(where: { joined[$0].feature.isSame(as: feature) })
            {
                joined[at].feature.join(feature)
            } else {
                byName[key, default: []].append(joined.count)
                joined.append((feature, index))
            }
        }
        return joined
    }

    private func isSame(as other: FeatureMatch) -> Bool {
        guard category.goesTogether(with: other.category) else { return false }
        let metres = Mercator.metresPerPixel(latitude: coordinate.latitude, zoom: 0) * 256
        let room = (category == .street ? 200 : 60) / max(metres, 1)
        return box.minX <= other.box.maxX + room && other.box.minX <= box.maxX + room
            && box.minY <= other.box.maxY + room && other.box.minY <= box.maxY + room
    }

    /// Merges another part. The more specific category wins, and the centre is that of the larger part.
    private mutating func join(_ other: FeatureMatch) {
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
    /// True for categories with little information: a building, or something unknown.
    fileprivate var isVague: Bool { [.other, .building].contains(self) }

    /// Returns true if two features of the same name and place may be one: of equal category, or a building
    /// or area and its occupant.
    fileprivate func goesTogether(with other: PlaceCategory) -> Bool {
        self == other || isVague || other.isVague
    }
}

extension FeatureMatch {
    /// Creates the match of a house, named by its street and number.
    public init(_ house: HouseNumber, in tile: TileID) {
        let name = house.street.isEmpty ? house.number : "\(house.street) \(house.number)"
        self.init(IndexedFeature(name, .address, at: house.place), in: tile)
    }
}

extension FeatureMatch: CustomStringConvertible {
    /// The name and the kind, such as "Via dei Neri 12, address".
    public var description: String { name.isEmpty ? kindWord() : "\(name), \(kindWord())" }
}
