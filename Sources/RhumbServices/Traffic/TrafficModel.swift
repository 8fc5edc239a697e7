internal import RhumbBase
public import RhumbCells
public import RhumbWeb

/// The provider's identifier of the traffic data at one moment. Opaque: used only in requests and for
/// comparison.
public struct TrafficModel: Hashable, Sendable {
    /// The identifier as received.
    public let id: String

    /// Validates an identifier; nil for an empty text, the one for the newest model ("-1"), or more than 200
    /// bytes.
    public init?(_ id: String) {
        guard !id.isEmpty, id != "-1", id.utf8.count <= 200 else { return nil }
        self.id = id
    }

    /// The identifier, percent-encoded for a URL.
    public var encoded: String { PercentCoding.encoded(id) }

    /// The header in which responses name their model.
    public static let header = "TrafficModelID"

    /// Reads the model of a response from its headers; nil if missing or invalid.
    public init?(of headers: HTTPHeaders) {
        guard let text = headers.first(TrafficModel.header)?.trimmed else { return nil }
        self.init(text)
    }
}

/// The levels of traffic flow, from best to worst.
public enum TrafficLevel: Int, Sendable, CaseIterable, Comparable {
    case free, slow, heavy, jam, closed

    public static func < (a: TrafficLevel, b: TrafficLevel) -> Bool { a.rawValue < b.rawValue }

    /// Returns a glyph for the level, one column wide, for terminals with 16 colours or none.
    /// - Parameter unicode: False for an ASCII glyph.
    public func glyph(unicode: Bool) -> Character {
        switch self {
        case .free: unicode ? "·" : "."
        case .slow: "-"
        case .heavy: "="
        case .jam: "#"
        case .closed: unicode ? "×" : "x"
        }
    }
}

/// A colour for each level.
public struct TrafficRamp: Hashable, Sendable {
    private let colours: [RGB]

    /// Green, yellow, orange, red, dark red.
    public static let standard = TrafficRamp([0x2EAB30, 0xF1BF40, 0xF18237, 0xE70704, 0x8E1F26])
    /// Blue, yellow, amber, vermilion, black. Distinguishable with any kind of colour blindness, from jam to
    /// slow by lightness alone.
    public static let colourBlind = TrafficRamp([0x3B8FD9, 0xF5E663, 0xE8A33D, 0xD55E00, 0x000000])

    private init(_ hex: [UInt32]) { colours = hex.map { RGB($0) } }

    /// Returns the colour of a level.
    public func colour(of level: TrafficLevel) -> RGB { colours[level.rawValue] }
}

/// The age of the traffic on screen.
public struct TrafficAge: Hashable, Sendable, CustomStringConvertible {
    /// The time since the data was created, as far as known.
    public let age: Duration
    /// True if the data is overdue for an update.
    public let isStale: Bool

    /// Creates an age.
    /// - Parameter age: Negative values count as zero.
    public init(_ age: Duration, isStale: Bool) {
        self.age = max(age, .zero)
        self.isStale = isStale
    }

    /// The text for the status line: "traffic 40 s old", "traffic stale 6 min".
    public var description: String {
        isStale ? "traffic stale \(span)" : "traffic \(span) old"
    }

    /// The short text: "40 s", "stale 6 min".
    public var short: String { isStale ? "stale \(span)" : span }

    /// The opacity of the traffic: 1 while fresh. Once stale, it fades from 0.8 to 0.35 at an age of half an
    /// hour.
    public var strength: Double {
        guard isStale else { return 1 }
        let share = min(seconds / 1800, 1)
        return 0.8 - 0.45 * share
    }

    /// The time until the text changes, for scheduling the next redraw.
    public var nextChange: Duration {
        let step: Int64 = seconds < 120 ? 5 : seconds < 7200 ? 60 : seconds < 172_800 ? 3600 : 86_400
        return .seconds(step - age.components.seconds % step)
    }

    private var seconds: Double { Double(age.components.seconds) }

    /// The age in words: in steps of 5 s up to two minutes, then in the largest unit.
    private var span: String {
        let whole = age.components.seconds
        return AmountText.age(whole < 120 ? whole / 5 * 5 : whole)
    }
}

/// The traffic providers.
public enum TrafficProvider: String, Sendable, CaseIterable {
    case tomtom, here

    /// The display name.
    public var name: String { self == .tomtom ? "TomTom" : "HERE" }

    /// The environment variable that holds the key.
    public var keyVariable: String { self == .tomtom ? "TOMTOM_API_KEY" : "HERE_API_KEY" }
}

/// The intervals at which traffic is requested.
public struct TrafficRules: Hashable, Sendable {
    /// The provider of each kind. Kinds without a provider are never requested.
    public var providers: [TrafficKind: TrafficProvider]
    /// The interval between requests for the model.
    var pollInterval = Duration.seconds(30)
    /// The time for which a model remains usable after its last confirmation.
    var modelLife = Duration.seconds(120)
    /// The interval between sets of flow tiles.
    public let flowInterval: Duration
    /// The timeout for a model request.
    var pollTimeout = Duration.seconds(60)

    /// The minimum of `flowInterval`.
    static let flowFloor = Duration.seconds(60)

    /// Creates rules.
    /// - Parameter flowInterval: Interval between sets of flow tiles, at least a minute; nil for the
    ///   provider's default: one minute for HERE, whose tiles support conditional requests, three for TomTom.
    public init(providers: [TrafficKind: TrafficProvider], flowInterval: Duration? = nil) {
        self.providers = providers
        let usual = Duration.seconds(providers[.flow] == .here ? 60 : 180)
        self.flowInterval = max(flowInterval ?? usual, TrafficRules.flowFloor)
    }
}
