internal import RhumbCore
internal import RhumbEngine

/// The user's decision about streets at deep zooms of the built-in world map.
public enum StreetsChoice: Equatable, Sendable {
    /// The user hasn't decided: nothing is requested, and a key offers streets.
    case undecided
    /// No streets, and no offer.
    case off
    /// Streets from the source of this name.
    case source(String)

    /// Parses the value of an option, a configuration or a state file.
    /// - Parameter text: "off", the name of a source, or an empty text for undecided.
    public init(text: String) {
        self = text.isEmpty ? .undecided : text == "off" ? .off : .source(text)
    }

    /// The choice as `init(text:)` parses it.
    public var text: String {
        switch self {
        case .undecided: ""
        case .off: "off"
        case .source(let name): name
        }
    }
}

/// The state of the streets over the built-in world map.
struct Streets: Sendable {
    var choice = StreetsChoice.undecided
    /// The sources to choose from, the default first.
    var offers: [ServiceOffer] { listed.value }
    /// The source that areas of streets are downloaded from; nil if none is configured.
    var download: ServiceOffer? { listedDownload.value }
    // The list of sources is read when it is first needed.
    var listed = Lazy<[ServiceOffer]> { [] }
    var listedDownload = Lazy<ServiceOffer?> { nil }
    /// The regions that may hold streets, with their states.
    private var storedRegions: [String] = []
    /// The value of `storedRegions` for which streets were opened.
    private var openedRegions: [String] = []
    /// True while the source is being opened.
    var isOpening = false
    /// The time of the next attempt after a failure; nil if none is planned.
    var retryAt: Duration?
    private var failures = 0

    /// The offer that a choice names, or the default one while the user hasn't decided.
    var offer: ServiceOffer? {
        guard case .source(let id) = choice else { return offers.first }
        return offers.first { $0.id == id } ?? ServiceOffer(id: id, name: id, host: id)
    }

    /// Schedules another attempt: after 30 s, then twice as long each time, at most 16 min.
    /// - Returns: True after the first failure, which is worth a notice.
    mutating func fail(at now: Duration) -> Bool {
        isOpening = false
        retryAt = now + .seconds(30) * (1 << min(failures, 5))
        failures += 1
        return failures == 1
    }

    /// Records the current regions.
    mutating func note(_ regions: [RegionItem]) {
        storedRegions = regions.filter { $0.tiles > 0 && !$0.isUnderWay }.map {
            "\($0.id) \($0.state) \($0.tiles)"
        }
    }

    /// - Parameter isShown: True if the open map is one that stored streets continue.
    /// - Returns: True if the stored streets must be opened. This happens once for each change of the
    ///   regions.
    mutating func mustOpenStored(isShown: Bool) -> Bool {
        let wanted = isShown ? storedRegions : []
        defer { openedRegions = wanted }
        return isShown && wanted != openedRegions
    }

    mutating func succeed() { (isOpening, retryAt, failures) = (false, nil, 0) }
}
