public import RhumbCore

/// The terminal's support for images, from its responses and its environment.
public struct GraphicsSupport: Equatable, Sendable {
    /// The terminal's own name and version, such as "kitty(0.26.5)"; nil if it did not report them.
    public var name: String?
    /// True if the terminal accepted a query of the kitty protocol.
    public var acceptsKitty = false
    /// True if the terminal reported sixel graphics.
    public var hasSixel = false
    /// The size of a cell in pixels; nil if unknown.
    public var cell: PixelSize?
    /// True if the terminal keeps losing images that it should store.
    var losesImages = false
    /// True once the terminal has answered all queries.
    public var isComplete = false
    /// The multiplexer between the program and the terminal; nil if there is none.
    public var multiplexer: String?
    /// The maximum size of a sixel image; nil if the terminal did not report it.
    public var sixelLimit: PixelSize?
    /// The terminal around tmux; nil outside tmux, in its popups, and if it has images of its own.
    public var tmux: Tmux?

    /// Adds a response of the terminal.
    package mutating func note(_ report: TerminalReport) {
        switch report {
        case .attributes(_, let hasSixel):
            self.hasSixel = hasSixel
            isComplete = true
        case .cellSize(let width, let height): cell = PixelSize(width: width, height: height)
        case .name(let name): self.name = SafeText.sanitised(name, limit: 60)
        case .sixelLimit(let width, let height): sixelLimit = PixelSize(width: width, height: height)
        case .image(KittyGraphics.ids.upperBound, let isStored): acceptsKitty = isStored
        default: break
        }
    }

    /// Queries the terminal outside the map; nil if there is none, or if it does not answer in time.
    public static func current(_ profile: TerminalProfile, within limit: Duration) -> GraphicsSupport? {
        guard profile.answersQueries, let device = try? TerminalDevice(isControlling: true) else {
            return nil
        }
        var support = GraphicsSupport(), decoder = KeyDecoder(isUTF8: profile.isUTF8)
        support.multiplexer = profile.multiplexer
        support.cell = device.size?.cell
        device.takeRawModes()
        defer { device.restoreModes() }
        let questions = TerminalModes.questions(
            cellSize: true, pixels: true, multiplexer: profile.multiplexer)
        guard device.write(questions[...], timeout: 500) else { return nil }
        let deadline = ContinuousClock.now + limit
        while !support.isComplete, !device.isLost {
            let left = deadline - ContinuousClock.now
            guard left > .zero,
                device.isReady(TerminalDevice.readable, within: Int32(left / .milliseconds(1)) + 1)
            else { return nil }
            for report in decoder.read(device.read()) { support.note(report) }
        }
        if support.isBehindTmux { support.tmux = Tmux.Question()?.answer() }
        return support
    }

    /// Creates the support before the terminal has answered.
    public init() {}

    /// Returns the protocol to use, and the reason; nil for cells.
    /// - Parameter asked: The user's choice; nil for an automatic one.
    public func choice(_ asked: PixelProtocol?) -> (protocol: PixelProtocol?, reason: String) {
        if let multiplexer, asked ?? .kitty == .kitty, multiplexer != "tmux" || !hasSixel {
            return throughTmux(multiplexer, isRequested: asked != nil)
        }
        guard !losesImages else { return (nil, "the terminal does not store images") }
        let (chosen, reason) = asked.map { ($0, "requested") } ?? automatic
        guard chosen != nil else { return (nil, reason) }
        return cell == nil
            ? (nil, "the terminal does not report the size of a cell in pixels") : (chosen, reason)
    }

    /// True if only tmux knows the terminal that would show the images.
    var isBehindTmux: Bool { multiplexer == "tmux" && !hasSixel }

    /// True if placeholders show the images of the kitty protocol.
    public var usesPlaceholders: Bool { multiplexer != nil }

    private func throughTmux(_ multiplexer: String, isRequested: Bool) -> (PixelProtocol?, String) {
        guard multiplexer == "tmux" else { return (nil, "\(multiplexer) hides the terminal's images") }
        guard let tmux else {
            return (nil, "popups of tmux, and tmux before 3.3, hide the terminal's images")
        }
        guard isRequested || KnownGraphics.showsPlaceholders(tmux.terminal) else {
            let name = tmux.terminal.isEmpty ? "the terminal" : tmux.terminal
            return (nil, "\(name) shows no images inside tmux")
        }
        guard tmux.passesThrough else {
            return (
                nil, "tmux hides the images of \(tmux.terminal); set -g allow-passthrough on enables them"
            )
        }
        return cell == nil
            ? (nil, "tmux does not report the size of a cell in pixels")
            : (.kitty, "\(tmux.terminal) in tmux")
    }

    private var automatic: (PixelProtocol?, String) {
        guard isComplete else { return (nil, "the terminal has not answered the queries") }
        guard let name else { return (nil, "the terminal does not report its name") }
        guard let known = KnownGraphics(name) else { return (nil, "unknown support in \(name)") }
        switch known.preferred {
        case .kitty where acceptsKitty: return (.kitty, name)
        case .iterm: return (.iterm, name)
        case .sixel where hasSixel: return (.sixel, name)
        default: return (nil, "\(name) has images switched off, or is too old")
        }
    }
}

/// A terminal whose images are known to work, recognised by the name and version that it reports. Support
/// that a terminal reports is not enough: some misplace images, or can't write text over them.
private struct KnownGraphics {
    let preferred: PixelProtocol

    /// Names in lower case, the best protocol, and the first version that suffices.
    private static let table: [(String, PixelProtocol, [Int])] = [
        ("kitty", .kitty, [0, 20]), ("ghostty", .kitty, []), ("libghostty", .kitty, []), ("rio", .kitty, []),
        ("wezterm", .iterm, []), ("iterm2", .iterm, []), ("konsole", .sixel, [22, 4]), ("foot", .sixel, []),
        ("xterm", .sixel, []), ("windows terminal", .sixel, []), ("contour", .sixel, []),
        ("mlterm", .sixel, []), ("blackbox", .sixel, []), ("tmux", .sixel, [3, 4]),
    ]

    /// - Parameter name: The response to XTVERSION, such as "kitty(0.26.5)" or "foot(1.16.2)".
    init?(_ name: String) {
        let low = name.lowercased()
        guard let known = KnownGraphics.table.first(where: { low.hasPrefix($0.0) }),
            low.dropFirst(known.0.count).first.map({ $0 == "(" || $0 == " " }) ?? true
        else { return nil }
        let version = Self.version(low.dropFirst(known.0.count))
        guard known.2.isEmpty || !version.lexicographicallyPrecedes(known.2) else { return nil }
        preferred = known.1
    }

    private static func version(_ text: Substring) -> [Int] {
        text.drop { !$0.isNumber }.split { !$0.isNumber }.map { Int($0) ?? 0 }
    }

    /// Returns true for terminals that show images by placeholders: Ghostty, and kitty since 0.28 except for
    /// the faulty 0.29.0.
    static func showsPlaceholders(_ name: String) -> Bool {
        let low = name.lowercased()
        if low.hasPrefix("ghostty") || low.hasPrefix("libghostty") { return true }
        guard low.hasPrefix("kitty") else { return false }
        let version = version(low.dropFirst(5))
        return !version.lexicographicallyPrecedes([0, 28]) && version != [0, 29, 0]
    }
}
