@testable import RhumbBrowser
import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

/// Tests the outline of packages beside the map.
struct PackagePanelTests {
    private func item(
        _ id: String, depth: Int, _ status: PackageItem.Status = .none, isBrokenOff: Bool = false,
        newer: Int = 0,
        hasChildren: Bool = false, box: Bounds? = nil
    ) -> PackageItem {
        PackageItem(
            key: key(id), depth: depth, title: id, names: id.lowercased(), status: status,
            isBrokenOff: isBrokenOff, bytes: 1_000_000,
            isMeasured: status == .installed, edition: "edition 2", newer: newer, hasChildren: hasChildren,
            area: box.flatMap { PackageArea($0) }, map: hasChildren ? nil : "\(id).pmtiles")
    }

    private func key(_ id: String) -> PackageKey { PackageKey(id, of: "cat") }

    private var world: [PackageItem] {
        [
            item("World", depth: 0, hasChildren: true), item("Africa", depth: 1, hasChildren: true),
            item("Egypt", depth: 2), item("Europe", depth: 1, hasChildren: true),
            item("Finland", depth: 2, box: Bounds(west: -10, south: -10, east: 10, north: 10)),
            item("Sweden", depth: 2),
        ]
    }

    private func browser(_ items: [PackageItem]? = nil, columns: Int = 120, rows: Int = 40) -> Browser {
        var browser = Browser.test(
            columns: columns, rows: rows,
            camera: Camera(center: Coordinate(latitude: 0, longitude: 0), zoom: 2))
        #expect(browser.press(.character("p")).contains(.ask(PackageListQuery())))
        _ = browser.update(.packageList(PackageList(items ?? world)), at: browser.map.now)
        return browser
    }

    private func rows(_ browser: Browser) -> [String] {
        browser.screen.lines.map {
            String($0.drop { !"│|".contains($0) }.dropFirst().prefix { !"│|".contains($0) })
        }
    }

    private func row(_ name: String, _ browser: Browser) -> String {
        rows(browser).first { $0.contains(name) } ?? ""
    }

    @Test func `the list is requested when a package begins, because earlier ones are then installed`() {
        func progress(_ id: String) -> Event {
            .offline(
                .packageProgress(PackageProgress(key: key(id), name: id, percent: 100, state: "", pace: "")))
        }
        var browser = browser()
        #expect(browser.update(progress("Finland"), at: browser.map.now) == [.ask(PackageListQuery())])
        #expect(browser.update(progress("Finland"), at: browser.map.now).isEmpty)
        #expect(browser.update(progress("Sweden"), at: browser.map.now) == [.ask(PackageListQuery())])
    }

    @Test func `p opens and closes the panel, and requests the list`() {
        var browser = browser()
        #expect(browser.shows("Packages") && browser.shows("World") && browser.shows("Europe"))
        _ = browser.press(.character("p"))
        #expect(!browser.shows("Packages"))
    }

    @Test func `arrows open and close groups, and move in and out`() {
        var browser = browser()
        #expect(!browser.shows("Egypt"))
        _ = browser.press(.arrow(.down, shift: false))
        _ = browser.press(.arrow(.right, shift: false))
        #expect(browser.shows("Egypt") && !browser.shows("Finland"))
        _ = browser.press(.arrow(.right, shift: false))
        #expect(browser.press(.enter) == [.ask(PackagePlanQuery.install([key("Egypt")]))])
        _ = browser.press(.escape)
        _ = browser.press(.arrow(.left, shift: false))
        _ = browser.press(.arrow(.left, shift: false))
        #expect(!browser.shows("Egypt") && browser.shows("Africa"))
    }

    @Test func `an installed, partial or missing package has a sign, and its size or update`() {
        let items = [
            item("World", depth: 0, .partial, hasChildren: true), item("Finland", depth: 1, .installed),
            item("Sweden", depth: 1, .installed, newer: 2), item("Norway", depth: 1),
            item("Estonia", depth: 1, .partial, isBrokenOff: true),
        ]
        let browser = browser(items)
        #expect(row("World", browser).contains("◐") && row("Finland", browser).contains("● Finland"))
        #expect(row("Finland", browser).contains("1 MB") && row("Sweden", browser).contains("2 newer"))
        #expect(row("Norway", browser).contains("○") && row("Norway", browser).contains("≤ 1 MB"))
        #expect(row("Estonia", browser).contains("interrupted") && browser.shows("Enter: resume"))
    }

    @Test func `in ASCII the outline has plain signs`() {
        var browser = Browser.test(columns: 80, rows: 24)
        var settings = browser.map.settings
        settings.isUnicode = false
        browser = Browser(columns: 80, rows: 24, layers: browser.map.layers, settings: settings)
        _ = browser.press(.character("p"))
        _ = browser.update(
            .packageList(
                PackageList([
                    item("World", depth: 0, .partial, hasChildren: true),
                    item("Finland", depth: 1, .installed),
                ])), at: browser.map.now)
        let text = browser.screen.lines.joined()
        #expect(
            text.contains("- ~ World") && text.contains("* Finland")
                && text.unicodeScalars.allSatisfy(\.isASCII))
    }

    @Test func `the package under the cursor is outlined on the map`() {
        var browser = browser()
        let before = browser.screen.dotted.count
        for _ in 0..<2 { _ = browser.press(.arrow(.down, shift: false)) }
        _ = browser.press(.arrow(.right, shift: false))
        _ = browser.press(.arrow(.down, shift: false))
        let drawn = browser.screen.dotted.count
        #expect(before == 0 && drawn > 30)
        let effects = browser.press(.character("g"))
        #expect(effects.contains { if case .wake = $0 { true } else { false } })
    }

    @Test func `a filter shows matching packages and their parents, and Esc clears it first`() {
        var browser = browser()
        browser.type("/swe")
        #expect(browser.shows("Sweden") && browser.shows("Europe") && !browser.shows("Africa"))
        _ = browser.press(.enter)
        #expect(browser.shows("Packages matching swe"))
        _ = browser.press(.escape)
        #expect(browser.shows("Africa") && browser.openPanel != nil)
        browser.type("/xyz")
        #expect(browser.shows("No match"))
    }

    @Test func `the cursor is on the best match with the filter, not on what contains it`() {
        let items = [
            item("World", depth: 0, hasChildren: true), item("Somalia", depth: 1), item("Mali", depth: 1),
        ]
        for (words, id) in [("mali", "Mali"), ("somal", "Somalia"), ("world", "World")] {
            var browser = browser(items)
            browser.type("/\(words)")
            _ = browser.press(.enter)
            #expect(browser.press(.enter) == [.ask(PackagePlanQuery.install([key(id)]))], "\(words)")
        }
        var browser = browser(items)
        browser.type("/mali")
        _ = browser.press(.enter)
        _ = browser.press(.escape)
        #expect(browser.shows("Somalia") && browser.openPanel == .packages)
    }

    @Test func `regions, packages, areas and styles are tabs of one panel`() {
        var browser = browser(columns: 80, rows: 24)
        #expect(browser.shows("Offline: Regions [Packages] Areas Styles"))
        for (key, title) in [
            (Key.tab, "Regions Packages [Areas] Styles"), (.tab, "Packages Areas [Styles]"),
            (.tab, "[Regions] Packages Areas"),
            (.character("a"), "[Areas]"), (.character("p"), "[Packages]"), (.character("r"), "[Regions]"),
            (.character("p"), "[Packages]"),
        ] {
            _ = browser.press(key)
            #expect(browser.shows(title), "\(key)")
        }
        _ = browser.press(.character("p"))
        #expect(browser.openPanel == nil)
        var narrow = self.browser(columns: 120, rows: 40)
        _ = narrow.press(.tab)
        #expect(narrow.shows("Offline: Areas ─"))
    }

    @Test func `Enter shows the plan, and the next one installs`() {
        var browser = browser()
        browser.type("/finland")
        _ = browser.press(.enter)
        let question = PackagePlanQuery.install([key("Finland")])
        #expect(browser.press(.enter) == [.ask(question)])
        #expect(browser.shows("Install Finland") && browser.shows("Checking"))
        #expect(browser.press(.enter).isEmpty)
        let offer = PackageOffer(
            [.init("Finland", "up to 1 MB")], notes: ["2 GB free"], act: .install([key("Finland")]))
        _ = browser.update(.packagePlan(.success(offer), to: question), at: browser.map.now)
        #expect(browser.shows("up to 1 MB") && browser.shows("2 GB free") && browser.shows("Enter start"))
        #expect(browser.press(.enter) == [.ask(PackageAction(.install([key("Finland")])))])
        #expect(browser.shows("Packages matching finland"))
    }

    @Test func `unclear terms require the user's confirmation first`() {
        var browser = browser()
        _ = browser.press(.enter)
        let offer = PackageOffer(
            [.init("World", "up to 1 MB")], notes: ["the terms leave it open"], act: .install([key("World")]),
            isToBePermitted: true)
        _ = browser.update(.packagePlan(.success(offer), to: .install([key("World")])), at: browser.map.now)
        #expect(
            browser.shows("the terms leave it open") && browser.shows("y I have the provider's permission")
                && !browser.shows("Enter start"))
        #expect(!browser.press(.enter).contains(.ask(PackageAction(.install([key("World")])))))
        #expect(browser.press(.character("y")) == [.ask(PackageAction(.install([key("World")])))])
    }

    @Test func `an impossible plan states the reason, and Enter only closes it`() {
        var browser = browser()
        _ = browser.press(.enter)
        let offer = PackageOffer(
            [.init("World", "up to 1 MB")], notes: ["Not enough space: 3 kB free"], act: nil)
        _ = browser.update(.packagePlan(.success(offer), to: .install([key("World")])), at: browser.map.now)
        #expect(browser.shows("Not enough space") && !browser.shows("Enter start"))
        #expect(browser.press(.enter).isEmpty && browser.shows("World"))
    }

    @Test func `marked packages are installed together`() {
        var browser = browser()
        browser.type("j ")
        #expect(browser.shows("✓ Africa"))
        browser.type(" ")
        #expect(browser.press(.enter) == [.ask(PackagePlanQuery.install([key("Africa"), key("Europe")]))])
        #expect(browser.shows("Install 2 packages"))
    }

    @Test func `Enter on an installed package shows the map, and x uninstalls it after a confirmation`() {
        let items = [
            item("World", depth: 0, .partial, hasChildren: true), item("Finland", depth: 1, .installed),
        ]
        var browser = browser(items)
        browser.type("j")
        #expect(browser.press(.enter).contains(.open(source: "Finland.pmtiles", over: false)))
        _ = browser.press(.character("x"))
        #expect(browser.shows("Remove Finland?"))
        #expect(browser.press(.character("n")).isEmpty)
        _ = browser.press(.character("x"))
        #expect(browser.press(.character("y")) == [.ask(PackageAction(.uninstall([key("Finland")])))])
    }

    @Test func `x on a package that is not installed explains this`() {
        var browser = browser()
        _ = browser.press(.character("x"))
        #expect(browser.map.notices.all.last?.text == "World is not installed")
    }

    @Test func `U checks for updates, and Enter installs them`() {
        var browser = browser()
        #expect(browser.press(.character("U")) == [.ask(PackagePlanQuery.update)])
        let offer = PackageOffer([.init("finland", "1 → 2")], notes: ["Total up to 1 MB"], act: .update)
        _ = browser.update(.packagePlan(.success(offer), to: .update), at: browser.map.now)
        #expect(browser.shows("1 → 2"))
        #expect(browser.press(.enter) == [.ask(PackageAction(.update))])
    }

    @Test func `an operation is in the status line and in its row, and can be paused and stopped`() {
        let items = [
            item("World", depth: 0, .partial, hasChildren: true), item("Finland", depth: 1, .partial),
        ]
        var browser = browser(items)
        func progress(_ state: String) -> Event {
            .offline(
                .packageProgress(
                    PackageProgress(
                        key: key("Finland"), name: "Finland", percent: 61, state: state, pace: "12/s 76 s")))
        }
        _ = browser.update(progress(""), at: browser.map.now)
        #expect(browser.shows("⇣ Finland 61 % 12/s 76 s") && row("Finland", browser).contains("61 %"))
        #expect(browser.shows("P pause"))
        #expect(browser.press(.character("P")) == [.ask(PackageAction(.pause))])
        for state in [PackageProgress.pausing, PackageProgress.paused] {
            _ = browser.update(progress(state), at: browser.map.now)
            #expect(browser.shows("61 % \(state)") && browser.shows("P resume"))
            #expect(browser.press(.character("P")) == [.ask(PackageAction(.resume))])
        }
        _ = browser.press(.character("C"))
        #expect(browser.press(.character("y")) == [.ask(PackageAction(.cancel))])
        _ = browser.update(.offline(.packageProgress(nil)), at: browser.map.now)
        #expect(!browser.shows("61 %"))
        #expect(
            browser.update(.packagesDone(.success("installed Finland")), at: browser.map.now).contains(
                .ask(PackageListQuery())))
        #expect(browser.shows("installed Finland"))
    }

    @Test func `a closed group names the package in it that is being installed`() {
        var browser = browser()
        let progress = PackageProgress(
            key: key("Finland"), name: "Finland 1/2", percent: 61, state: "", pace: "")
        _ = browser.update(.offline(.packageProgress(progress)), at: browser.map.now)
        browser.type("jj")
        #expect(row("Europe", browser).contains("Finland 1/2"))
        #expect(browser.shows("in progress") && !row("Africa", browser).contains("Finland"))
    }

    @Test func `an interrupted operation is selected at first`() {
        let items = [
            item("World", depth: 0, .partial, hasChildren: true), item("Estonia", depth: 1),
            item("Finland", depth: 1, .partial, isBrokenOff: true),
        ]
        var browser = browser(items)
        #expect(browser.shows("Enter resume"))
        #expect(browser.press(.enter) == [.ask(PackageAction(.continue))])
    }

    @Test func `the footer lists the keys on as many lines as necessary`() {
        #expect(
            browser(columns: 80, rows: 24).shows("Enter install  Tab areas  Space mark  U update  ? help"))
        let narrow = browser(columns: 120, rows: 40)
        #expect(narrow.shows("Enter install  Tab areas"))
        #expect(narrow.shows("/ filter") && narrow.shows("y copy"))
    }

    @Test func `while the catalogues are read, arrows don't move the map`() {
        var browser = Browser.test(columns: 80, rows: 24)
        _ = browser.press(.character("p"))
        let before = browser.map.viewport
        for key in [Key.arrow(.down, shift: false), .pageDown, .character("j")] {
            #expect(browser.press(key).isEmpty)
        }
        #expect(browser.map.viewport == before)
    }

    @Test func `a missing catalogue is explained, and an unavailable one states the reason`() {
        #expect(browser([]).shows("No packages"))
        var browser = browser([])
        _ = browser.update(
            .packageList(PackageList([], problems: ["cat: no such host"])), at: browser.map.now)
        #expect(browser.shows("no such host"))
    }

    @Test(arguments: [(80, 24), (40, 12), (24, 4), (200, 60)])
    func `the panel fits every screen`(columns: Int, rows: Int) {
        var browser = browser(columns: columns, rows: rows)
        for key in [
            Key.arrow(.down, shift: false), .arrow(.right, shift: false), .pageDown, .end, .home, .enter,
            .escape,
        ] {
            _ = browser.press(key)
            #expect(browser.screen.lines.count == rows)
        }
    }

    @Test func `in a long outline the row under the cursor is always visible`() {
        let items =
            [item("World", depth: 0, .partial, hasChildren: true)]
            + (1...300).map { item("Land\($0).", depth: 1) }
        var browser = browser(items, columns: 80, rows: 24)
        for _ in 0..<250 { browser.type("j") }
        #expect(browser.shows("Land250."))
        _ = browser.press(.end)
        #expect(browser.shows("Land300."))
    }
}
