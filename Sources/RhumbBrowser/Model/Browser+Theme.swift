public import RhumbCore

/// The state of the sun at the map's position.
struct SunWatch: Sendable {
    /// The seconds since 1970 in UTC at the start of the program's clock; nil if unknown.
    var startTime: Double?
    var isUp = false
    /// The time of the last update.
    var time = Duration.zero - SunWatch.pace
    /// The interval of updates.
    static let pace = Duration.seconds(60)
}

/// Light or dark colours.
extension Browser {
    /// The theme of the map, according to the user's rule. If it follows a terminal without colours, the
    /// theme is day, because its tones differ more.
    public var theme: Settings.Theme {
        switch settings.themeRule {
        case .always(let theme): return theme
        case .sun: return sun.isUp ? .day : .night
        case .terminal: return settings.depth == .mono ? .day : terminalTheme
        }
    }

    /// The theme that fits the terminal's background, or the theme of the settings if the terminal has not
    /// reported it.
    var terminalTheme: Settings.Theme {
        guard let background = terminalBackground else { return settings.unreportedTheme }
        let light = 3 * Int(background.red) + 6 * Int(background.green) + Int(background.blue)
        return light > 1280 ? .day : .night
    }

    /// Returns the effects to perform at the start of the program.
    public mutating func begin() -> [Effect] {
        [.style(style, theme), .updateView] + viewMoved() + watchSun()
    }

    /// Updates the theme for the sun, unless the view is in flight.
    mutating func followSun() {
        guard settings.themeRule == .sun, flight == nil, let startTime = sun.startTime else { return }
        sun.isUp = Sun.isUp(at: viewport.camera.coordinate, time: startTime + now / .seconds(1))
    }

    /// Schedules the next update of the theme.
    mutating func watchSun() -> [Effect] {
        guard settings.themeRule == .sun, now - sun.time >= SunWatch.pace else { return [] }
        sun.time = now
        return [.wake(after: SunWatch.pace)]
    }

    /// Requests the layers in the current theme and colour depth, unless this was done before.
    mutating func followTheme() -> [Effect] {
        followSun()
        guard theme != drawnTheme || settings.depth != drawnDepth else { return [] }
        drawnTheme = theme
        drawnDepth = settings.depth
        return [.style(wantedStyle ?? style, theme)]
    }

    mutating func setTheme(_ rule: ThemeRule) -> [Effect] {
        settings.themeRule = rule
        sun.time = now - SunWatch.pace
        return watchSun()
    }
}
