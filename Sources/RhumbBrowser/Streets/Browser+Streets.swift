internal import RhumbCore
public import RhumbEngine

extension Browser {
    /// Sets the streets that the program starts with, before `begin()`.
    /// - Parameters:
    ///   - choice: The user's remembered decision, or the one of an option.
    ///   - offers: The sources to choose from, the default first; evaluated when first needed.
    ///   - download: The source that areas of streets are downloaded from; evaluated when first needed.
    public mutating func begin(
        streets choice: StreetsChoice, offers: @autoclosure @escaping @Sendable () -> [ServiceOffer],
        download: @autoclosure @escaping @Sendable () -> ServiceOffer? = nil
    ) {
        streets.choice = choice
        streets.listed = Lazy(offers)
        streets.listedDownload = Lazy(download)
    }

    /// The lowest visible map. If streets continue it, this is the built-in world.
    var ground: TileLayer? { map.layers.first { $0.isVisible } ?? map.layers.first }

    /// The base map at the current zoom: the streets where they are shown, otherwise the lowest visible map.
    public var base: TileLayer? {
        map.layers.last { $0.refinesBase && $0.isShown(at: map.viewport.camera.zoom) && isCentred($0) }
            ?? ground
    }

    /// The map with the most detail at the centre of the view, regardless of the zoom.
    var deepestMap: TileLayer? {
        map.layers.last { $0.refinesBase && $0.isVisible && isCentred($0) } ?? ground
    }

    /// Returns true if the layer's bounds contain the centre of the view.
    private func isCentred(_ layer: TileLayer) -> Bool {
        layer.boundingBox?.contains(map.viewport.camera.coordinate) ?? true
    }

    /// True if streets can continue the base map.
    var canShowStreets: Bool { ground?.openedBy == Self.worldName }

    /// The name that opens the built-in world map.
    static let worldName = "world"

    /// True if streets could continue the base map and are off.
    var lacksStreets: Bool {
        if case .source = streets.choice { return false }
        return canShowStreets && streets.offer != nil
    }

    /// True if streets could continue the base map and are not open.
    var lacksShownStreets: Bool {
        canShowStreets && streets.offer != nil && !map.layers.contains(where: \.isOnlineStreets)
    }

    /// True if the current view would show more with streets, and the user hasn't decided yet.
    var offersStreets: Bool {
        streets.choice == .undecided && canShowStreets && map.viewport.camera.zoom >= Self.offerZoom
            && base?.isStoredStreets != true && streets.offer != nil
    }

    /// The zoom from which streets are offered, which is the last one of the built-in map's data.
    private static let offerZoom = 7.5

    /// Opens the streets if the user chose a source and they are not open yet.
    mutating func followStreets() -> [Effect] {
        guard case .source(let name) = streets.choice, canShowStreets, !streets.isOpening,
            !map.layers.contains(where: \.isOnlineStreets)
        else { return [] }
        if let due = streets.retryAt, map.now < due { return [] }
        streets.isOpening = true
        return [.ask(StreetsQuery(name: name))]
    }

    mutating func receiveStreets(_ response: AnyResponse) -> [Effect] {
        if let opened = response[StreetsQuery.self]?.value { return receive(opened) }
        return response[StoredStreetsQuery.self].map { receive(storedStreets: $0.value) } ?? []
    }

    /// Adds the streets above the base map, or plans another attempt.
    private mutating func receive(_ opened: Result<[TileLayer], Notice.Problem>) -> [Effect] {
        guard case .source = streets.choice, canShowStreets else { return [] }
        switch opened {
        case .success(let found):
            streets.succeed()
            map.isNetworkThere = true
            map.layers = (map.layers.filter { !$0.isOnlineStreets } + found).stacked
            return [.updateView, .style(appearance.wantedStyle ?? appearance.style, theme)]
        case .failure(let problem):
            let isFirst = streets.fail(at: map.now)
            let retry = streets.retryAt.map { [Effect.wake(after: $0 - map.now)] } ?? []
            if map.isOffline { return retry }
            if problem.description.hasPrefix(RecoverySuggestion.noNetwork) {
                map.isNetworkThere = false
                return retry + (isFirst ? complain(problem.description) : [])
            }
            return retry + (isFirst ? complain(StreetsText.failed(problem.description)) : [])
        }
    }

    /// Opens the streets stored in regions after the regions have changed or the built-in world was opened.
    mutating func followStoredStreets() -> [Effect] {
        streets.mustOpenStored(isShown: canShowStreets) ? [.ask(StoredStreetsQuery())] : []
    }

    /// Replaces the streets stored in regions.
    private mutating func receive(storedStreets found: [TileLayer]) -> [Effect] {
        guard canShowStreets, !found.isEmpty || map.layers.contains(where: \.isStoredStreets) else {
            return []
        }
        map.layers = (map.layers.filter { !$0.isStoredStreets } + found).stacked
        return [.updateView, .style(appearance.wantedStyle ?? appearance.style, theme)]
    }

    /// Changes the source of streets, and stores the choice.
    mutating func setStreets(_ choice: StreetsChoice) -> [Effect] {
        streets.choice = choice
        streets.succeed()
        map.layers.removeAll(where: \.isOnlineStreets)
        return [.updateView, .ask(StoreStreetsChoice(choice: choice))] + followStreets()
    }

    /// Returns the actions of `:streets` with an argument.
    /// - Throws: A notice if no source has that name.
    func choosingStreets(text: String) throws(Notice.Problem) -> [Action] {
        if text.isEmpty { return [.command(.panel(.streets))] }
        let choice = StreetsChoice(text: text)
        guard case .source(let id) = choice else { return [.streets(choice), .say(StreetsText.isOff)] }
        guard let offer = streets.offers.first(where: { $0.id == id }) else {
            throw Notice.Problem(StreetsText.unknown(streets.offers.map(\.id) + ["off"]), word: id)
        }
        return [.streets(choice), .say(StreetsText.chosen(offer))]
    }

    /// The actions of Enter on the map, which offers streets or reports their status.
    var askingForStreets: [Action] {
        guard canShowStreets else { return [.say(StreetsText.needsWorld)] }
        guard case .source = streets.choice, let offer = streets.offer else {
            return [.command(.panel(.streets))]
        }
        return [.say(StreetsText.alreadyOn(offer))]
    }
}

/// A query that opens the source with a name as streets.
public struct StreetsQuery: Query {
    /// The name of the source.
    public let name: String

    public typealias Response = Result<[TileLayer], Notice.Problem>
}

/// A query that opens the streets stored in regions.
public struct StoredStreetsQuery: Query {
    public typealias Response = [TileLayer]
}

/// A query that stores the user's choice of streets.
public struct StoreStreetsChoice: Query {
    /// The choice.
    public let choice: StreetsChoice

    public static var scheduling: QueryScheduling { .files }

    public typealias Response = Never
}

extension TileLayer {
    /// True for streets that are requested from a server for each view.
    var isOnlineStreets: Bool { refinesBase && policy.viewing }

    /// True for streets stored in regions, for which nothing is requested.
    var isStoredStreets: Bool { refinesBase && !policy.viewing }
}

extension Browser {
    /// The question whether streets may be fetched from a server; nil if no source is configured.
    var streetsConsent: Consent? {
        guard let offer = streets.offer else { return nil }
        return Consent(
            entry: .streets, question: StreetsText.question,
            facts: StreetsText.notes(offer, isOffline: map.isOffline), yes: "show streets", no: "never show",
            accept: [.closePanels, .streets(.source(offer.id)), .say(StreetsText.turnedOn(offer))],
            decline: [.closePanels, .streets(.off), .say(StreetsText.staysOff)])
    }

    /// Returns actions, or the question before the first request to the source that a view's streets are
    /// downloaded from, and to that of heights.
    func whenAgreed(to draft: RegionDraft, then actions: [Action]) -> [Action] {
        let heights = draft.heights.isLocal || draft.hasHeights == false ? [] : [draft.heights.specifier]
        return whenAgreed(
            to: [draft.source?.id].compactMap(\.self) + heights, .download, DownloadText.question,
            sent: DownloadText.sent, then: actions)
    }

    /// The action that asks whether streets may be fetched from a server.
    var streetsQuestion: Action {
        streetsConsent.map { .show($0) } ?? .say(StreetsText.noSource)
    }
}

extension PanelEntry {
    static let streets = PanelEntry("streets") { [$0.streetsQuestion] }
}

/// The texts about streets on the built-in world map.
enum StreetsText {
    static let question = "Show streets?"
    static let noSource = "No street source is configured."
    static let isOff = "Streets are off"
    static let staysOff = "Streets stay off. Turn them on with :streets."
    static let needsWorld = "Streets are only shown on the built-in world map. Open it with :open world."

    /// Returns the notes about the data that the server receives, and about turning streets off.
    static func notes(_ offer: ServiceOffer, isOffline: Bool) -> [String] {
        [
            "\(offer.name) (\(offer.host)) receives your IP address and the tile numbers of the views you open.",
            "Tiles are cached on this computer. Turn off with :streets off.",
        ] + (isOffline ? ["You are offline. Streets appear once you go online (o)."] : [])
    }

    static func turnedOn(_ offer: ServiceOffer) -> String {
        "Streets from \(offer.name). Turn them off with :streets off."
    }

    static func chosen(_ offer: ServiceOffer) -> String {
        "Streets from \(offer.name) (\(offer.host)), from zoom 6"
    }

    static func alreadyOn(_ offer: ServiceOffer) -> String {
        "Streets are on: \(offer.name), from zoom 6. Turn them off with :streets off."
    }

    static func failed(_ problem: String) -> String {
        "No streets: \(problem). Retrying. Turn streets off with :streets off."
    }

    static func unknown(_ names: [String]) -> String {
        "streets: expected one of \(names.joined(separator: ", "))"
    }
}
