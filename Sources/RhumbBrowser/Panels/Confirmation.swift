internal import RhumbCore
internal import RhumbEngine

/// A question over the panel it is about, in place of its footer. Only y does it.
struct Confirmation: Panel {
    let entry: PanelEntry
    /// The question with its answers: "remove it? y/N".
    let question: String
    let confirm: @Sendable (inout Browser) -> [Effect]

    mutating func press(_ key: Key, _ browser: inout Browser) -> [Effect]? {
        browser.panels.pop()
        return key == .character("y") ? confirm(&browser) : []
    }

    func text(_ browser: Browser, _ scene: Scene) -> PanelText {
        var text = browser.panels.beneath?.text(browser, scene) ?? PanelText(title: "", lines: [])
        text.footer = question
        return text
    }

    func heat(_ browser: Browser) -> HeatOverlay? { browser.panels.beneath?.heat(browser) }

    func rings(_ browser: Browser) -> [[Position]] { browser.panels.beneath?.rings(browser) ?? [] }
}
