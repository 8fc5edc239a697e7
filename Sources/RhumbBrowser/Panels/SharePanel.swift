internal import RhumbCore
internal import RhumbEngine

/// The view in formats that other programs read, and that open it here again.
struct SharePanel: Panel {
    var entry: PanelEntry { .share }
    private var row = 0
    var filter: String? = "" { didSet { row = 0 } }

    private func notations(_ browser: Browser) -> [(name: String, text: String)] {
        browser.notations.filter { matches($0.name, $0.text) }
    }

    mutating func press(_ key: Key, _ browser: Browser) -> [Action]? {
        let count = notations(browser).count
        if key.move(&row, of: count, page: 5) { return [] }
        guard key != .character("y") else { return act(browser) }
        guard let number = key.digit, (1...max(count, 1)).contains(number) else { return nil }
        row = number - 1
        return act(browser)
    }

    mutating func act(_ browser: Browser) -> [Action]? {
        let text = copied(browser)
        return text.isEmpty ? [] : [.closePanels, .effect(.copy(text))]
    }

    func copied(_ browser: Browser) -> String {
        let notations = notations(browser)
        return notations.indices.contains(row) ? notations[row].text : ""
    }

    func keys(_ browser: Browser) -> [PanelKey] {
        [.init("Enter", "copy"), .init("1–\(browser.notations.count)", "copy that line"), .move]
    }

    func text(_ browser: Browser, _ scene: Scene) -> PanelText {
        let notations = notations(browser), room = browser.panelFrame.columns - 4
        let lines = notations.enumerated().map { at, item in
            PanelText.Line.row("\(at + 1) \(item.name)", right: item.text, isSelected: at == row)
        }
        // Shows the selected text in full, for terminals whose clipboard can't be written.
        let isCut =
            lines.indices.contains(row) && lines[row].laidOut(in: room).first?.right != lines[row].right
        let whole = isCut ? browser.folded(copied(browser), indent: 0) : []
        return PanelText(title: "Copy this view", lines: lines + whole.map { .init(text: $0, style: .bold) })
    }
}

extension PanelEntry {
    static let share = PanelEntry("share") { _ in [.show(SharePanel())] }
}

extension Browser {
    /// The view in the formats of other programs.
    var notations: [(name: String, text: String)] {
        let notations = PlaceNotations(map.viewport)
        return [
            ("command", shareCommand(notations)), ("OpenStreetMap", notations.openStreetMap),
            ("geo: URI", notations.geo),
            ("coordinates", notations.coordinate), ("plus code", notations.plusCode),
            ("geohash", notations.geohash),
            ("Maidenhead", notations.maidenhead),
        ]
            + [("MGRS", notations.militaryGrid), ("UTM", notations.utm)].compactMap { name, text in
                text.map { (name, $0) }
            }
    }

    /// Returns a command that opens the same maps at the same place, such as "rhumb city.mbtiles -c
    /// 60.39,22.37 -z 12".
    private func shareCommand(_ notations: PlaceNotations) -> String {
        var parts = ["rhumb"]
        if let ground, ground.role <= .rasterBase, ground.specifier != Self.worldName {
            parts.append(ground.specifier.shellQuoted)
        }
        for layer in map.layers
        where layer.isVisible && layer.id != ground?.id && !layer.refinesBase && layer.canBeLaidOver {
            parts += ["--over", layer.specifier.shellQuoted]
        }
        if appearance.style != .standard { parts += ["--style", appearance.style.text.shellQuoted] }
        // A value that begins with a sign would be read as an option.
        func option(_ letter: String, _ value: String) -> [String] {
            value.hasPrefix("-") ? ["\(letter)=\(value)"] : [letter, value]
        }
        return (parts + option("-c", notations.coordinate) + ["-z", notations.zoom]).joined(separator: " ")
    }

    /// Returns the place and the zoom of a command, such as "60.39,22.37 12" for "rhumb osm -c 60.39,22.37 -z
    /// 12"; nil for other texts.
    static func place(ofCommand text: String) -> String? {
        let arguments = text.split(separator: " ").flatMap { word in
            word.hasPrefix("-") ? word.split(separator: "=", maxSplits: 1).map(String.init) : [String(word)]
        }
        guard arguments.first == "rhumb" else { return nil }
        func value(_ names: String...) -> String? {
            arguments.firstIndex(where: names.contains).flatMap {
                arguments.indices.contains($0 + 1) ? arguments[$0 + 1] : nil
            }
        }
        return value("-c", "--center").map { $0 + (value("-z", "--zoom").map { " " + $0 } ?? "") }
    }

    /// Returns a text without spaces, divided into lines of the panel's width.
    func folded(_ text: String, indent: Int) -> [String] {
        var lines: [String] = [], rest = text[...]
        let room = max(panelFrame.columns - 4 - indent, 8)
        while String(rest).width > room {
            lines.append(String(rest.prefix(room)))
            rest = rest.dropFirst(room)
        }
        return lines + [String(rest)]
    }
}

extension TileLayer {
    /// True if the layer can be reopened as an overlay: maps, and features of files and addresses.
    var canBeLaidOver: Bool {
        live == nil ? role > .rasterBase && role < .trafficFlow : openedBy != nil
    }
}

extension String {
    /// The text quoted as one word of a shell, if necessary.
    public var shellQuoted: String {
        let plain = unicodeScalars.allSatisfy { scalar in
            scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
                || "-_./:=@%+,~".unicodeScalars.contains(scalar)
        }
        return plain && !isEmpty ? self : "'" + replacing("'", with: "'\\''") + "'"
    }
}
