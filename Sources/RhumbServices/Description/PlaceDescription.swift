public import RhumbGeo

/// A place and its surroundings as facts, to be written in words: the things at the place, and those around
/// it with direction and distance.
public struct PlaceDescription: Sendable, Equatable {
    /// The subject of a fact. The cases are in the order of the text, most important first.
    public enum Topic: String, Sendable, CaseIterable {
        case thing, address, street, pole, settlement, region, country, island, sea, overlay, nature
        case water, crossing, ground, height, near, quarter, station, stop, sight, worship, park, harbour
        case service, shop, food, peak, town, airport, rail, border, coast
    }

    /// A fact about the place.
    public struct Item: Sendable, Equatable {
        /// The subject.
        public var topic: Topic
        /// The name; may be empty. Sanitised for terminals.
        public var name: String
        /// The kind in words, such as "river"; may be empty. Sanitised for terminals.
        public var kind: String
        /// The distance in metres; nil if the place is on or in the thing, or if that is unknown.
        public var metres: Double?
        /// The direction from the place, in degrees clockwise from north; nil like `metres`.
        public var degrees: Double?
        /// The coordinate of something at a distance; nil like `metres`.
        public private(set) var coordinate: Coordinate?
        /// The height of a peak in metres above sea level; nil if unknown, and for other subjects.
        public var height: Double?

        /// Creates a fact.
        public init(
            _ topic: Topic, _ name: String, kind: String = "", metres: Double? = nil, degrees: Double? = nil
        ) {
            self.topic = topic
            self.name = name
            self.kind = kind
            self.metres = metres
            self.degrees = degrees
        }

        /// Creates a fact about something at a distance.
        public init(_ topic: Topic, _ name: String, kind: String = "", at other: Coordinate, from: Coordinate)
        {
            let way = from.way(to: other)
            self.init(topic, name, kind: kind, metres: way.metres, degrees: way.bearing)
            coordinate = other
        }
    }

    /// The place.
    public let place: Coordinate
    /// The distance in metres within which streets, stations and other features were looked for.
    public let radius: Double
    /// The facts; those of a topic by distance, or by size.
    public var items: [Item] = []
    /// The height of the ground in metres; nil if unknown.
    public var height: Double?
    /// True if streets and features around the place are stored.
    public var hasMap = false
    /// The names of stored or shown maps that are pictures at the place, which can't be described.
    public var pictures: [String] = []
    /// The sentences about data that could not be read or has nothing here.
    public var problems: [String] = []

    /// Creates a description without facts.
    public init(_ place: Coordinate, radius: Double) {
        self.place = place
        self.radius = radius
    }

    /// The articles that names of quarters have on some maps and lack in the list of places.
    private static let articles = ["Les", "La", "Le", "Las", "Los", "El", "Il", "The", "Die", "Der", "Das"]

    /// Removes facts that repeat others: the same name within a subject, and things that are the place
    /// itself.
    public mutating func removeRepetitions() {
        let own = Set(items.filter { $0.topic == .thing && $0.metres == nil }.map(\.name))
        let quarters = Set(all(.quarter).map(\.name))
        items.removeAll { item in
            item.topic == .town && quarters.contains(item.name)
                || [.town, .quarter].contains(item.topic)
                    && Self.articles.contains { quarters.contains("\($0) \(item.name)") }
        }
        var seen: Set<[String]> = []
        items = items.filter { item in
            let isOwn = own.contains(item.name) && ![.thing, .ground, .street].contains(item.topic)
            let kind = item.name.isEmpty ? item.kind : ""
            let isOfUser = item.topic == .overlay
            return isOfUser
                || !isOwn && seen.insert([item.topic.rawValue, item.name, kind]).inserted
        }
    }

    /// Returns the facts about a subject.
    public func all(_ topic: Topic) -> [Item] { items.filter { $0.topic == topic } }

    /// Returns the first fact about a subject; nil if there is none.
    public func first(_ topic: Topic) -> Item? { items.first { $0.topic == topic } }
}

/// A plane around a place, in metres east and south of it.
package struct LocalPlane {
    package typealias Point = SIMD2<Double>
    private let origin: WorldPoint
    /// The width of the world in metres at the place's latitude.
    package let width: Double

    package init(_ place: Coordinate) {
        origin = Mercator.world(place)
        width = Mercator.metresPerPixel(latitude: place.latitude, zoom: 0) * 256
    }

    /// Returns the position of a tile's north-western corner and the length of its side.
    func frame(of tile: TileID) -> (corner: Point, side: Double) {
        let count = Double(1 << tile.zoom)
        return (point(WorldPoint(x: Double(tile.x) / count, y: Double(tile.y) / count)), width / count)
    }

    /// Returns the nearest copy of a position on the Mercator square.
    package func point(_ place: WorldPoint) -> Point {
        Point((place.x - origin.x).remainder(dividingBy: 1), place.y - origin.y) * width
    }

    package func coordinate(_ point: Point) -> Coordinate {
        Mercator.coordinate(WorldPoint(x: origin.x + point.x / width, y: origin.y + point.y / width))
    }

    /// Returns the tiles of a zoom within a distance in metres, the nearest first.
    func tiles(zoom: Int, within metres: Double) -> [TileID] {
        let
            home = TileID(
                zoom: zoom, containing: WorldPoint(x: origin.x, y: origin.y)), side = frame(of: home).side
        let reach = Int(min((metres / max(side, 1)).rounded(.up), 3))
        let around = (-reach...reach).flatMap { y in
            (-reach...reach).compactMap { TileID(zoom: zoom, wrappingX: home.x + $0, y: home.y + y) }
        }
        return Set(around).map { ($0, distance(to: $0)) }.filter { $0.1 <= metres }
            .sorted { ($0.1, $0.0.y, $0.0.x) < ($1.1, $1.0.y, $1.0.x) }.map(\.0)
    }

    private func distance(to tile: TileID) -> Double {
        let (corner, side) = frame(of: tile), zero = Point.zero
        let gap = pointwiseMax(pointwiseMax(corner, zero - corner - side), zero)
        return (gap * gap).sum().squareRoot()
    }
}
