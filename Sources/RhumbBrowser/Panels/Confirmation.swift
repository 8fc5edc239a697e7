internal import RhumbCore
internal import RhumbEngine

/// A question in place of the footer of the panel below. Only `y` confirms it.
struct Confirmation: Panel {
    let entry: PanelEntry
    /// The question with its answers, such as "remove it? y/N".
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
