@testable import RhumbBrowser
import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

@Suite struct `The first request to a listed host` {
    private static let listed = [
        ServiceOffer(id: "mapterhorn", name: "Mapterhorn", host: "tiles.mapterhorn.com"),
        ServiceOffer(id: "protomaps", name: "Protomaps", host: "build.protomaps.com"),
        ServiceOffer(id: "openstreetmap", name: "OpenStreetMap", host: "tile.openstreetmap.org"),
    ]

    private func browser(agreed: Set<String> = []) -> Browser {
        var browser = Browser.test(columns: 80, rows: 24)
        browser.begin(services: Self.listed, agreed: agreed)
        browser.stored.sources = [
            SourceChoice(specifier: "openstreetmap", name: "OpenStreetMap", note: "z0–19"),
            SourceChoice(specifier: "mine", name: "Mine", note: "z0–19"),
        ]
        return browser
    }

    /// An action that contacts a host, the host, and the effect that contacts it.
    struct Contact: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let host: String
        let act: @Sendable (inout Browser) -> [Effect]
        let contacts: @Sendable (Effect) -> Bool
    }

    static let contacts = [
        Contact(
            testDescription: "hills", host: "tiles.mapterhorn.com", act: { $0.perform($0.showingHills(true)) }
        ) {
            if case .hills = $0 { true } else { false }
        },
        Contact(
            testDescription: "contours", host: "tiles.mapterhorn.com",
            act: { $0.perform((try? $0.showingContours("auto")) ?? []) }
        ) { if case .hills = $0 { true } else { false } },
        Contact(
            testDescription: "hillshade", host: "tiles.mapterhorn.com",
            act: { $0.perform($0.showingHillshade(true)) }
        ) {
            $0 == .hills(HillsChoice(isShaded: true))
        },
        Contact(
            testDescription: "a source", host: "tile.openstreetmap.org",
            act: { browser in
                let effects = browser.show(SourcesPanel())
                return effects + browser.press(.enter)
            }
        ) { $0 == .open(source: "openstreetmap", over: false) },
        Contact(
            testDescription: "a package", host: "build.protomaps.com and tiles.mapterhorn.com",
            act: {
                $0.perform(
                    PackagePlanPanel.opening(
                        .install([PackageKey("monaco", of: "countries:protomaps")]), "Install Monaco", $0))
            }
        ) { $0.query(PackagePlanQuery.self) != nil },
    ]

    @Test(arguments: contacts) func `waits for consent, which is stored`(_ contact: Contact) {
        var browser = browser()
        #expect(!contact.act(&browser).contains(where: contact.contacts))
        #expect(browser.shows(contact.host) && browser.shows("your IP address"))
        let agreed = browser.press(.character("y"))
        #expect(agreed.contains(where: contact.contacts))
        let hosts = agreed.queries(StoreAgreement.self).flatMap(\.hosts)
        #expect(hosts.joined(separator: " and ") == contact.host)
        var later = self.browser(agreed: Set(hosts))
        #expect(contact.act(&later).contains(where: contact.contacts))
    }

    @Test(arguments: contacts, [Key.enter, .escape, .character("n")])
    func `is not sent for the safe answers`(_ contact: Contact, _ key: Key) {
        var browser = browser()
        _ = contact.act(&browser)
        let effects = browser.press(key)
        #expect(!effects.contains(where: contact.contacts))
        #expect(effects.queries(StoreAgreement.self).isEmpty && !browser.shows("your IP address"))
    }

    @Test(arguments: contacts) func `is not asked about while nothing is sent`(_ contact: Contact) {
        var browser = browser()
        browser.map.isOffline = true
        #expect(contact.act(&browser).contains(where: contact.contacts))
    }

    @Test func `of several hosts has the names of all sources in its question`() {
        var browser = browser()
        _ = browser.perform(
            browser.whenAgreed(
                to: Self.listed.map(\.id), .layers, DownloadText.question, sent: "tile numbers", then: []))
        #expect(browser.shows("Download from Mapterhorn, Protomaps and OpenStreetMap?"))
        #expect(browser.shows("build.protomaps.com and") && !browser.shows("com and build"))
    }

    @Test func `is asked for before a program that was started offline goes online`() {
        var browser = Browser(columns: 80, rows: 24, layers: [.test(BlankSource())], isOffline: true)
        #expect(browser.press(.character("o")).isEmpty && browser.shows("Go online?"))
        _ = browser.press(.escape)
        #expect(browser.map.isOffline)
        _ = browser.press(.character("o"))
        #expect(browser.press(.character("y")).contains(.setOffline(false)) && !browser.map.isOffline)
        _ = browser.press(.character("o"))
        #expect(browser.press(.character("o")).contains(.setOffline(false)))
    }

    @Test func `is not asked about for a source that the user configured`() {
        var browser = browser()
        _ = browser.show(SourcesPanel())
        _ = browser.press(.arrow(.down, shift: false))
        #expect(browser.press(.enter).contains(.open(source: "mine", over: false)))
    }
}
