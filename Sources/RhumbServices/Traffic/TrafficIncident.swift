public import RhumbCells
public import RhumbGeo

/// Something on a road, as TomTom's Incident Details service, version 5, tells it. All texts are
/// harmless to a terminal.
public struct TrafficIncident: Hashable, Sendable {
    /// The category of an incident, with the raw values of the service.
    public enum Category: Int, Sendable, CaseIterable {
        case unknown = 0, accident, fog, danger, rain, ice, jam, laneClosed, roadClosed, roadWorks
        case wind, flooding
        case brokenDown = 14

        /// The category as people say it.
        public var words: String {
            switch self {
            case .unknown: "incident"
            case .accident: "accident"
            case .fog: "fog"
            case .danger: "danger"
            case .rain: "rain"
            case .ice: "ice"
            case .jam: "jam"
            case .laneClosed: "lane closed"
            case .roadClosed: "road closed"
            case .roadWorks: "road works"
            case .wind: "strong wind"
            case .flooding: "flooding"
            case .brokenDown: "broken-down vehicle"
            }
        }
    }

    /// The magnitude of the delay, with the raw values of the service.
    public enum Magnitude: Int, Sendable, CaseIterable {
        case unknown = 0, minor, moderate, major
        /// A closed road, or no end in sight.
        case undefined

        /// The colour: yellow, orange or red; grey and dark red if the delay is unknown.
        public var colour: RGB {
            switch self {
            case .unknown: RGB(0x8A97A0)
            case .minor: RGB(0xFFCE43)
            case .moderate: RGB(0xFF8939)
            case .major: RGB(0xF40000)
            case .undefined: RGB(0xC1272D)
            }
        }

        /// The delay in words; nil if unknown.
        public var words: String? {
            switch self {
            case .unknown: nil
            case .minor: "minor"
            case .moderate: "moderate"
            case .major: "major"
            case .undefined: "indefinite"
            }
        }
    }

    /// The provider's id for it.
    public var id: String
    /// The category.
    public var category = Category.unknown
    /// The magnitude of the delay.
    public var magnitude = Magnitude.unknown
    /// Descriptions of the service.
    public var events: [String] = []
    /// The place where it begins.
    public var from: String?
    /// The place where it ends.
    public var to: String?
    /// The roads by number.
    public var roads: [String] = []
    /// Metres.
    public var length: Double?
    /// Seconds.
    public var delay: Double?
    /// As the service writes times (RFC 3339).
    public var start: String?
    /// When it is expected to be over, as the provider writes it.
    public var end: String?
    /// A point, or the points of a line.
    public var places: [Coordinate] = []

    /// An incident with unknown properties.
    public init(id: String) { self.id = id }

    /// One line for a panel: "jam, E18, Turku to Salo: queuing traffic (4 min, 1.2 km)".
    public var summary: String {
        let way = [from, to].compactMap(\.self).joined(separator: " to ")
        let place = [category.words, roads.joined(separator: "/"), way].filter { !$0.isEmpty }
        let minutes = delay.map { "\(Int(min($0, 1e6) / 60)) min" }
        let reach = length.map { "\((min($0, 1e8) / 100).rounded() / 10) km" }
        let size = [minutes, reach].compactMap(\.self).joined(separator: ", ")
        return place.joined(separator: ", ") + (events.first.map { ": " + $0 } ?? "")
            + (size.isEmpty ? "" : " (\(size))")
    }
}
