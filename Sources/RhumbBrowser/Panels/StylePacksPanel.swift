public import RhumbCore
internal import RhumbEngine

/// The list of styles that are stored with their resources. Enter uses one.
struct StylePacksPanel: Panel {
    var entry: PanelEntry { .stylePacks }
    var tab: OfflineTab? { .styles }
    /// The packs; nil until they are read.
    private var packs: [StylePack]?
    private var cursor = ListCursor<String>()
    var filter: String? = "" { didSet { cursor = ListCursor() } }

    private var listed: [StylePack] { (packs ?? []).filter { matches($0.name, $0.location) } }
    private var ids: [String] { listed.map(\.address) }
    private var chosen: StylePack? { listed.isEmpty ? nil : listed[cursor.row(in: ids)] }

    mutating func press(_ key: Key, _ browser: Browser) -> [Action]? {
        if key.move(&cursor, in: ids, page: 5) { return [] }
        switch key {
        case .character("n"):
            let missing = unstored(browser)
            guard !missing.isEmpty else { return [.say(StylePacksText.nothingToStore)] }
            return missing.map { .ask(ChangeStylePack(.load, $0)) }
        case .character("R"): return chosen.map { [.ask(ChangeStylePack(.load, $0.location))] }
        default: return nil
        }
    }

    /// Returns the styles in use that have no pack. Rhumb's own styles need none.
    private func unstored(_ browser: Browser) -> [String] {
        browser.appearance.style.named.filter { style in
            !(packs ?? []).contains { $0.location == style || $0.name == style }
        }
    }

    mutating func act(_ browser: Browser) -> [Action]? {
        chosen.map { [.style(StyleChoice($0.location))] }
    }

    mutating func remove(_ browser: Browser) -> [Action]? {
        guard let pack = chosen else { return nil }
        let remove = Action.ask(ChangeStylePack(.remove, pack.location))
        return [.push(.asking(StylePacksText.removal, entry, accept: remove))]
    }

    mutating func receive(_ response: AnyResponse, _ browser: Browser) -> [Action] {
        if case .success(let packs) = response[StylePackListQuery.self]?.value { self.packs = packs }
        return []
    }

    func copied(_ browser: Browser) -> String { chosen?.location ?? "" }

    func keys(_ browser: Browser) -> [PanelKey] {
        let new = unstored(browser).isEmpty ? [] : [PanelKey("n", "store this style")]
        return chosen == nil ? new : [.init("Enter", "use"), .init("R", "refresh")] + new + [.remove]
    }

    func text(_ browser: Browser, _ scene: Scene) -> PanelText {
        guard packs?.isEmpty != true else {
            return PanelText(title: StylePacksText.title, lines: browser.wrapped(StylePacksText.empty))
        }
        let selected = chosen?.address
        return PanelText(
            title: StylePacksText.title,
            lines: listed.flatMap { lines($0, isChosen: $0.address == selected, browser) })
    }

    private func lines(_ pack: StylePack, isChosen: Bool, _ browser: Browser) -> [PanelText.Line] {
        let name = SafeText.sanitised(pack.name.isEmpty ? pack.location : pack.name, limit: 60)
        let head = PanelText.Line.row(
            name, right: AmountText.bytes(pack.bytes), isSelected: isChosen, style: .bold)
        let counts = PanelText.Line(
            text: "  " + StylePacksText.counts(pack), right: StylePacksText.loaded(pack))
        guard isChosen else { return [head, counts] }
        return [head, counts]
            + (pack.expires.map { [.init(text: "  " + StylePacksText.fresh(until: $0))] } ?? [])
            + (pack.name.isEmpty ? [] : browser.wrapped(SafeText.sanitised(pack.location), indent: 2))
            + pack.missing.flatMap { browser.wrapped(StylePacksText.missing($0), indent: 2) }
    }
}

/// The texts of the panel of style packs.
enum StylePacksText {
    static let title = "Style packs"
    static let empty =
        "No styles stored. A stored style can be used without a network, with its images and data."
    static let removal = "Remove the stored style? Maps are kept."
    static let nothingToStore = "Rhumb's own styles are part of the program; the styles in use are stored"

    static func counts(_ pack: StylePack) -> String {
        "\(AmountText.count(pack.documents.count)) of \(AmountText.count(pack.required, "resource"))"
    }

    static func fresh(until time: UnixSeconds) -> String { "fresh until \(time.day)" }

    static func loaded(_ pack: StylePack) -> String { "loaded \(pack.changed.day)" }

    static func missing(_ part: StylePack.Missing) -> String {
        SafeText.sanitised("missing: \(part.address): \(part.reason)")
    }
}

extension PanelEntry {
    static let stylePacks = PanelEntry("packs") { _ in [.show(StylePacksPanel()), .ask(StylePackListQuery())]
    }
}

/// A query for all style packs.
public struct StylePackListQuery: Query {
    public typealias Response = Result<[StylePack], Notice.Problem>
}

/// A change of a style pack.
public struct ChangeStylePack: Query {
    /// The kind of change.
    public enum Kind: Equatable, Sendable {
        /// Loads the pack from its server or file, and stores or replaces it.
        case load
        case remove
    }

    public static var scheduling: QueryScheduling { .inOrder("style packs") }

    /// The kind of change.
    public let kind: Kind
    /// The style's file, address or name.
    public let style: String

    init(_ kind: Kind, _ style: String) { (self.kind, self.style) = (kind, style) }

    public typealias Response = Result<String, Notice.Problem>
}
