internal import RhumbCore
internal import RhumbEngine

/// The question before anything contacts another host, or is removed for good. `y` accepts and `n` declines;
/// Enter and Esc choose the safe answer, which changes nothing. Without facts, the question replaces the
/// footer of the panel below.
struct Consent: Panel {
    let entry: PanelEntry
    /// The question, such as "Remove the area? Its regions are kept."
    let question: String
    /// The host, the data sent and stored, and the way to undo it, in one sentence each.
    var facts: [String] = []
    /// The meaning of `y` in a word or two.
    var yes = "yes"
    /// The meaning of `n` in a word or two.
    var no = "no"
    let accept: @Sendable (inout Browser) -> [Effect]
    /// Called for `n`, but not for the safe answer.
    var decline: @Sendable (inout Browser) -> [Effect] = { _ in [] }

    /// Returns the question before a removal in a panel.
    static func asking(
        _ question: String, _ entry: PanelEntry, accept: @escaping @Sendable (inout Browser) -> [Effect]
    ) -> Consent { Consent(entry: entry, question: question, accept: accept) }

    mutating func press(_ key: Key, _ browser: inout Browser) -> [Effect]? {
        switch key {
        case .character("y"):
            browser.panels.pop()
            return accept(&browser)
        case .character("n"):
            browser.panels.pop()
            return decline(&browser)
        case .enter, .escape, .character("q"):
            browser.panels.pop()
            return []
        case .character("?"), .function(1), .pageUp, .pageDown, .home, .end: return nil
        // A stray key neither answers nor reaches the panel below.
        default: return []
        }
    }

    func copied(_ browser: Browser) -> String { "" }

    func keys(_ browser: Browser) -> [PanelKey] { [.init("y", yes), .init("n", no)] }

    func text(_ browser: Browser, _ scene: Scene) -> PanelText {
        guard facts.isEmpty else {
            return PanelText(title: question, lines: facts.flatMap { browser.wrapped($0) })
        }
        var text = browser.panels.beneath?.text(browser, scene) ?? PanelText(title: "", lines: [])
        text.footer = question + " y \(yes), n \(no)"
        return text
    }

    func heat(_ browser: Browser) -> HeatOverlay? { browser.panels.beneath?.heat(browser) }

    func rings(_ browser: Browser) -> [[Position]] { browser.panels.beneath?.rings(browser) ?? [] }
}

/// A service on the web, as shown before the first request to it.
public struct ServiceOffer: Equatable, Sendable {
    /// The id in the list of sources, or the words that select the service.
    public let id: String
    /// The name shown to users.
    public let name: String
    /// The host that receives the requests; empty if none does.
    public let host: String
    /// The address of the rules of use; empty if there are none.
    public let rules: String
    /// True if requests need no further consent.
    public let isAccepted: Bool

    /// Creates an offer.
    public init(id: String, name: String, host: String = "", rules: String = "", isAccepted: Bool) {
        self.id = id
        self.name = name
        self.host = host
        self.rules = rules
        self.isAccepted = isAccepted
    }

    /// Returns the facts for a `Consent`.
    /// - Parameter sent: The data that the host receives, besides the IP address.
    func facts(sent: String) -> [String] {
        ["\(host.isEmpty ? name : host) receives \(sent) and your IP address."]
            + (rules.isEmpty ? [] : ["It is run by volunteers, with rules of use: \(rules)"])
            + ["Rhumb asks only once; the answer is stored on this computer."]
    }
}
