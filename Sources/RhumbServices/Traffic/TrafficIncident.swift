internal import RhumbBase
public import RhumbCells
public import RhumbGeo

/// An incident as reported by TomTom's Incident Details service, version 5. All texts are sanitised for
/// terminals.
public struct TrafficIncident: Hashable, Sendable {
    /// The category of an incident. The raw values are the service's.
    public enum Category: Int, Sendable, CaseIterable {
        case unknown = 0, accident, fog, danger, rain, ice, jam, laneClosed, roadClosed, roadWorks
        case wind, flooding
        case brokenDown = 14

        /// The category in words.
        public var text: String {
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

    /// The magnitude of the delay. The raw values are the service's.
    public enum Magnitude: Int, Sendable, CaseIterable {
        case unknown = 0, minor, moderate, major
        /// A closed road, or an indefinite delay.
        case undefined

        /// The colour of incidents on the map: yellow, orange or red by delay, dark red if it is undefined,
        /// grey if unknown.
        public var colour: RGB {
            switch self {
            case .unknown: RGB(0x8A97A0)
            case .minor: RGB(0xFFCE43)
            case .moderate: RGB(0xFF8939)
            case .major: RGB(0xF40000)
            case .undefined: RGB(0xC1272D)
            }
        }

        /// The magnitude in words; nil if unknown.
        public var text: String? {
            switch self {
            case .unknown: nil
            case .minor: "minor"
            case .moderate: "moderate"
            case .major: "major"
            case .undefined: "indefinite"
            }
        }
    }

    /// The provider's id.
    public var id: String
    /// The category of the incident.
    public var category = Category.unknown
    /// The magnitude of the delay.
    public var magnitude = Magnitude.unknown
    /// The events in the service's words.
    public var events: [String] = []
    /// The start of the affected stretch; nil if unknown.
    public var from: String?
    /// The end of the affected stretch; nil if unknown.
    public var to: String?
    /// The numbers of the affected roads.
    public var roads: [String] = []
    /// Length of the affected stretch in metres; nil if unknown.
    public var length: Double?
    /// Delay in seconds; nil if unknown.
    public var delay: Double?
    /// The start time in the service's format (RFC 3339); nil if unknown.
    public var start: String?
    /// The expected end time in the service's format; nil if unknown.
    public var end: String?
    /// The incident's point, or the points of its line.
    public var places: [Coordinate] = []

    /// Creates an incident with only an id.
    public init(id: String) { self.id = id }

    /// A summary in one line: "jam, E18, Turku to Salo: queuing traffic (4 min, 1.2 km)".
    public var summary: String {
        let way = [from, to].compactMap(\.self).joined(separator: " to ")
        let parts = [category.text, roads.joined(separator: "/"), way].filter { !$0.isEmpty }
        let minutes = delay.map { "\(Int(clamping: (min($0, 1e6) / 60).rounded(.down))) min" }
        let reach = length.map(AmountText.metres)
        let size = [minutes, reach].compactMap(\.self).joined(separator: ", ")
        return parts.joined(separator: ", ") + (events.first.map { ": " + $0 } ?? "")
            + (size.isEmpty ? "" : " (\(size))")
    }
}
