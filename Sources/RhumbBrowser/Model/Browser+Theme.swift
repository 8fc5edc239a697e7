public import RhumbCore

/// Light or dark colours.
extension Browser {
    /// The theme of the map, according to the user's rule. If it follows a terminal without colours, the
    /// theme is day, because its tones differ more.
    public var theme: Settings.Theme {
        switch map.settings.themeRule {
        case .always(let theme): return theme
        case .sun: return appearance.sun.isUp ? .day : .night
        case .terminal: return map.settings.depth == .mono ? .day : terminalTheme
        }
    }

    /// The theme that fits the terminal's background, or the theme of the settings if the terminal has not
    /// reported it.
    var terminalTheme: Settings.Theme {
        guard let background = appearance.terminalBackground else { return map.settings.unreportedTheme }
        let light = 3 * Int(background.red) + 6 * Int(background.green) + Int(background.blue)
        return light > 1280 ? .day : .night
    }

    /// Returns the effects to perform at the start of the program.
    public mutating func begin() -> [Effect] {
        [.style(appearance.style, theme), .updateView] + viewMoved() + watchSun()
    }

    /// Updates the theme for the sun, unless the view is in flight.
    mutating func followSun() {
        guard map.settings.themeRule == .sun, movement.flight == nil, let startTime = appearance.sun.startTime
        else { return }
        appearance.sun.isUp = Sun.isUp(
            at: map.viewport.camera.coordinate, time: startTime + map.now / .seconds(1))
    }

    /// Schedules the next update of the theme.
    mutating func watchSun() -> [Effect] {
        guard map.settings.themeRule == .sun, map.now - appearance.sun.time >= SunWatch.pace else {
            return []
        }
        appearance.sun.time = map.now
        return [.wake(after: SunWatch.pace)]
    }

    /// Requests the layers in the current theme and colour depth, unless this was done before.
    mutating func followTheme() -> [Effect] {
        followSun()
        guard theme != appearance.drawnTheme || map.settings.depth != appearance.drawnDepth else { return [] }
        appearance.drawnTheme = theme
        appearance.drawnDepth = map.settings.depth
        return [.style(appearance.wantedStyle ?? appearance.style, theme)]
    }

    mutating func setTheme(_ rule: ThemeRule) -> [Effect] {
        map.settings.themeRule = rule
        appearance.sun.time = map.now - SunWatch.pace
        return watchSun()
    }
}
