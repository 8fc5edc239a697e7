internal import RhumbCore
internal import RhumbEngine

extension Browser {
    /// Handles an event.
    /// - Parameters:
    ///   - event: The event.
    ///   - time: The time on a monotonic clock.
    /// - Returns: The effects to perform, in order.
    public mutating func update(_ event: Event, at time: Duration) -> [Effect] {
        map.now = max(map.now, time)
        let before = map.viewport
        let effects =
            react(to: event) + followStreets() + followStoredStreets() + followTheme() + followDaylight()
        let asked = followPlaceLabels() + followLabels() + followTiles()
        let watched = asked + watchAges()
        return map.viewport == before ? effects + watched : effects + viewMoved() + askInPanels() + watched
    }

    private mutating func react(to event: Event) -> [Effect] {
        switch event {
        case .key(let key, let times):
            let before = map.notices
            guard let effects = handle(key, times) else { return [] }
            map.notices.follow(key, after: before, at: map.now)
            return effects
        case .resized(let columns, let rows, let aspect):
            return resize(columns: columns, rows: rows, cellAspect: aspect)
        case .tick: return advanceFlight() + askWhereabouts() + askInPanels() + watchSun() + watchPosition()
        case .background(let colour):
            appearance.terminalBackground = colour
            return []
        case .saved(let outcome): return reportSaved(outcome)
        case .opened(.success(let layers), let over): return adopt(layers, over: over)
        case .opened(.failure(let problem), let over):
            if !over { movement.endOpening() }
            return keepLine(with: problem)
        case .opening(let name): return say(NoticesText.opening(name))
        case .copied(let text, let isSure):
            return say(NoticesText.copied(text, isSure: isSure))
        case .response(let response): return receive(response)
        case .styled(let outcome): return receive(outcome) + route.draw()
        case .styleSaved(let remark):
            appearance.styleRemark = remark
            return setStyle(appearance.style)
        case .reopened(let layers, let remark): return replaceBase(layers, remark)
        case .tileFailed(let failure):
            // Without a network, the status line reports this once for all tiles.
            return map.isOffline || failure.reason == .offline ? [] : report(failure)
        case .network(let isReachable): return receive(isNetworkThere: isReachable)
        case .silence(let host, let seconds):
            map.silence = seconds > 0 ? (SafeText.sanitised(host, limit: 60), seconds) : nil
            return []
        case .problem(let text): return complain(text)
        case .overlay(let status): return receive(status)
        case .traffic(let status): return receive(status)
        case .trafficRefused(let problem):
            traffic.choice = .off
            traffic.status = nil
            return complain(problem.description)
        case .frame(let use): return receive(use)
        case .slowLine(let isSlow):
            map.isLineSlow = isSlow
            return []
        case .offline(let news): return receive(news)
        }
    }

    private mutating func receive(isNetworkThere: Bool) -> [Effect] {
        guard isNetworkThere != self.map.isNetworkThere else { return [] }
        self.map.isNetworkThere = isNetworkThere
        if isNetworkThere { streets.retryAt = nil }
        if isNetworkThere { return report(Notice(NoticesText.networkBack, isProblem: false, time: map.now)) }
        return report(Notice(NoticesText.noNetwork, isProblem: true, time: map.now))
    }

    mutating func switchOffline() -> [Effect] {
        guard !map.isOffline || !map.asksBeforeOnline else {
            panels.push(
                Consent(
                    entry: .layers, question: NoticesText.goOnline, facts: [NoticesText.startedOffline],
                    yes: "go online", no: "stay offline",
                    accept: [.goOnline]))
            return []
        }
        map.isOffline.toggle()
        let text = map.isOffline ? NoticesText.offline : NoticesText.online
        return [.setOffline(map.isOffline), .updateView] + say(text)
    }

    mutating func say(_ text: String) -> [Effect] {
        map.notices.add(text, isProblem: false, at: map.now)
        return wakeAfterNotice
    }

    /// Adds a notice about a problem.
    /// - Parameter isShown: If false, it is only in the list, because a panel shows it.
    mutating func complain(_ text: String, isShown: Bool = true) -> [Effect] {
        // The user chose to be offline.
        let isChosen = map.isOffline && (text == NoticesText.isOffline || text.hasPrefix("offline: "))
        map.notices.add(text, isProblem: !isChosen, at: map.now, isShown: isShown)
        return wakeAfterNotice
    }

    /// Reports the outcome of an action.
    mutating func report(_ outcome: Result<String, Notice.Problem>) -> [Effect] {
        switch outcome {
        case .success(let text): say(text)
        case .failure(let problem): complain(problem.description)
        }
    }

    /// Reports a saved file by its path.
    mutating func reportSaved(_ outcome: Result<String, Notice.Problem>) -> [Effect] {
        report(outcome.map { "Saved \($0)" })
    }

    /// Reports a failed tile. Similar failures are reported only once a minute.
    private mutating func report(_ failure: TileFailure) -> [Effect] {
        let (location, cause) = FailureText.parts(failure)
        return report(Notice(cause, location: location, isProblem: true, time: map.now))
    }

    /// Reports an event that may repeat.
    mutating func report(_ notice: Notice) -> [Effect] {
        map.notices.add(recurring: notice)
        return wakeAfterNotice
    }

    var wakeAfterNotice: [Effect] {
        map.notices.current(at: map.now).map { [.wake(after: $0.duration)] } ?? []
    }

    /// Handles a key.
    /// - Parameter presses: The number of presses, more than 1 only for keys that move the map.
    /// - Returns: Nil for a key without a function.
    mutating func handle(_ key: Key, _ presses: Int = 1) -> [Effect]? {
        if case .mouse(let event) = key, event.action == .move { return nil }
        input.retryable = nil
        let count = input.repeatCount.take()
        if input.prompt != nil, !key.isGlobal { return typeIntoPrompt(key) }
        if case .mouse(let event) = key { return mouse(event) }
        if key == .escape, count != nil { return [] }
        if let effects = pressInPanel(key) { return effects }
        if let digit = key.digit, digit > 0 || count != nil {
            input.repeatCount = min((count ?? 0) * 10 + digit, Browser.mostRepeats)
            return []
        }
        let times = min((count ?? 1) + presses - 1, Browser.mostRepeats)
        if let effects = moveEdge(key, times: times) { return effects }
        if case .paste(let text) = key { return paste(text.trimmed) }
        return input.keymap.command(for: key).map { perform($0, times: times) } ?? explain(key)
    }

    /// Answers an unknown key with the nearest known one.
    private mutating func explain(_ key: Key) -> [Effect]? {
        guard let label = key.label, panels.isEmpty else { return nil }
        let near = input.keymap.nearest(to: key).map { binding in
            (map.settings.isUnicode ? binding.label : binding.label.asciiKeys, binding.help)
        }
        return say(NoticesText.unknown(label, nearest: near))
    }

    /// The maximum length in characters of a pasted text that is searched for as a name.
    private static let longestName = 80

    /// Handles text that is pasted on the map: coordinates, a geo: URI, a map link or a name open the search,
    /// whose first row goes there.
    private mutating func paste(_ text: String) -> [Effect] {
        let isPlace = (try? ParsedLocation(text, near: map.viewport.camera.coordinate)) != nil,
            isName =
                text.count <= Browser.longestName && text.contains(where: \.isLetter)
                && !text.contains(where: \.isNewline)
        return isPlace || isName ? perform(SearchPanel.opening(text, self)) : say(NoticesText.pasted)
    }

    /// The largest number that repeats a key.
    private static let mostRepeats = 999

    /// Performs the command of a key. A number typed before the key repeats commands that move or step.
    private mutating func perform(_ command: Command, times: Int) -> [Effect] {
        switch command {
        case .pan(let direction, let stride):
            suspendFollowing()
            return pan(direction, stride, times: times)
        case .zoom(let steps): return zoom(by: steps * Double(times))
        case .walk(let step): return perform(.walk(step * times))
        case .back, .forward: return (0..<times).flatMap { _ in perform(command) }
        default: return perform(command)
        }
    }

    /// Performs a command of a key or of the command line.
    mutating func perform(_ command: Command) -> [Effect] {
        switch command {
        case .pan, .zoom: return perform(command, times: 1)
        case .follow: return changeFollowing()
        case .walk(let step):
            return walkTiles(by: step) ?? walkFound(by: step) ?? perform(walkingOverlay(by: step))
        case .world: return fly(to: home)
        case .back: return goBack()
        case .forward: return goForward()
        case .finer: return changeDetail(by: 1)
        case .coarser: return changeDetail(by: -1)
        case .goTo: return ask(.goTo)
        case .commandLine: return ask(.command)
        case .panel(let entry): return toggle(entry)
        case .offline: return switchOffline()
        case .names: return setLabels(!showsNames)
        case .streets: return perform(askingForStreets)
        case .downloadNow: return perform(downloadingAtOnce)
        case .borders:
            return cycleTileView()
        case .other: return showOther()
        case .swipe: return swipe()
        case .theme: return setTheme(.always(theme == .day ? .night : .day))
        case .preset: return changePreset()
        case .save: return [.savePicture(name: nil)]
        case .escape:
            if panels.isEmpty { search.marks = SearchMarkers() }
            panels.removeAll()
            pointing.marks = []
            pointing.pointer = nil
            return viewMoved()
        case .redraw: return [.repaint]
        case .suspend: return [.suspend]
        case .quit: return [.quit]
        }
    }

    private mutating func resize(columns: Int, rows: Int, cellAspect: Double?) -> [Effect] {
        self.map.columns = columns
        self.map.rows = rows
        labels.places.box = nil
        // The labels are those of a program that starts with this size.
        forgetLabels()
        map.viewport = map.viewport.resized(
            columns: columns, rows: Browser.mapRows(of: rows, map.settings), cellAspect: cellAspect)
        return [.updateView]
    }

    private mutating func adopt(_ opened: [TileLayer], over: Bool) -> [Effect] {
        // Only hills without a stored source of heights have no layer.
        guard let name = opened.first?.info.name else { return say(NoticesText.noHeights) }
        let hasContours = opened.contains(where: \.isContours)
        map.layers.removeAll { old in opened.contains { $0.id == old.id } || hasContours && old.isContours }
        if over {
            map.layers = (map.layers + opened).stacked
            return [.updateView, .style(appearance.wantedStyle ?? appearance.style, theme)]
                + say(notice(ofHills: opened) ?? NoticesText.added(name))
        }
        replaceBase(opened)
        if let camera = movement.landing
            ?? (mayMoveView ? movement.requestedCamera?(map.viewport, home) ?? home : nil),
            camera != map.viewport.camera
        {
            remember()
            map.viewport = map.viewport.with(camera).keptOnMap()
        }
        movement.endOpening()
        return [.updateView, .style(appearance.wantedStyle ?? appearance.style, theme)] + say(name)
    }

    private mutating func replaceBase(_ opened: [TileLayer]) {
        map.layers = (opened + map.layers.filter { $0.role > .rasterBase }).stacked
    }

    /// Replaces the base map without moving the view.
    private mutating func replaceBase(_ opened: [TileLayer], _ remark: String?) -> [Effect] {
        replaceBase(opened)
        return [.updateView] + route.draw()
            + (remark.map { complain($0) } ?? say(NoticesText.style(opened.first?.info.name ?? "")))
            + viewMoved()
    }

    private mutating func changePreset() -> [Effect] {
        guard let base else { return [] }
        let next = (appearance.daylight.time != nil ? .daylight : ColourPreset(base.adjustment) ?? .plain)
            .next
        return setPreset(
            next == .daylight && map.viewport.camera.zoom >= Browser.daylightEnd ? next.next : next)
    }

    mutating func setPreset(_ preset: ColourPreset) -> [Effect] {
        guard let base, let at = map.layers.firstIndex(where: { $0.id == base.id }) else { return [] }
        map.layers[at].adjustment = preset.adjustment
        let asked = setDaylight(preset == .daylight ? .now : nil)
        return [.updateView] + (asked.isEmpty ? say("Look: \(preset.title)") : asked)
    }

    private mutating func changeDetail(by step: Double) -> [Effect] {
        guard let base, let at = map.layers.firstIndex(where: { $0.id == base.id }) else { return [] }
        map.layers[at].detail = min(max(map.layers[at].detail + step, -2), 3)
        let detail = Int(map.layers[at].detail)
        return [.updateView] + say(NoticesText.detail(detail, base.info.name))
    }
}

extension Key {
    /// The label of a key that can be unknown; nil for others.
    fileprivate var label: String? {
        switch self {
        case .character(" "): "Space"
        case .character(let typed): SafeText.sanitised(String(typed), limit: 4)
        case .control(let typed): SafeText.sanitised("^\(typed.uppercased())", limit: 4)
        case .function(let number): "F\(number)"
        default: nil
        }
    }

    /// True for keys that do the same everywhere.
    var isGlobal: Bool {
        switch self {
        case .control("c"), .control("l"), .control("z"): true
        default: false
        }
    }
}

extension Browser {
    /// Requests other styles.
    mutating func setStyle(_ choice: StyleChoice) -> [Effect] {
        appearance.wantedStyle = choice
        return [.style(choice, theme)]
    }

    mutating func receive(_ outcome: Result<StyledLayers, Notice.Problem>) -> [Effect] {
        let wanted = appearance.wantedStyle.take(), remark = appearance.styleRemark.take()
        switch outcome {
        case .failure(let problem): return complain(problem.description)
        case .success(let styled):
            map.layers =
                map.layers.map { old in styled.layers[old.id].map { $0.shown(like: old) } ?? old }.stacked
            appearance.style = styled.style
            appearance.chosenSets = styled.sets
            guard wanted != nil || !styled.layers.isEmpty else { return [] }
            let isLate = styled.theme != theme
            let notice =
                wanted == nil
                ? []
                : remark.map { complain($0) } ?? say("Style: \(SafeText.sanitised(appearance.style.text))")
            return [.updateView] + (isLate ? [.style(appearance.style, theme)] : []) + notice + viewMoved()
        }
    }
}

extension TileLayer {
    /// Returns the layer with the user's choices for another.
    fileprivate func shown(like other: TileLayer) -> TileLayer {
        var layer = self
        layer.role = other.role
        layer.zIndex = other.zIndex
        layer.isTransparent = other.isTransparent
        layer.isVisible = other.isVisible
        layer.opacity = other.opacity
        layer.detail = other.detail
        layer.adjustment = other.adjustment
        return layer
    }
}

extension Browser {
    mutating func receivePackages(_ response: AnyResponse) -> [Effect] {
        if let list = response[PackageListQuery.self]?.value { return receive(list) }
        if response[PackagePlanQuery.self]?.query == .update { return [.ask(PackageListQuery())] }
        guard let outcome = response[PackageAction.self]?.value else { return [] }
        let isDone = (try? outcome.get()) != nil
        return report(outcome) + [.ask(PackageListQuery())] + (isDone ? [.updateView] : [])
    }

    private mutating func receive(_ list: PackageList) -> [Effect] {
        stored.packages.list = list
        stored.cache.heat.expire()
        return askInPanels()
    }

    mutating func receive(_ progress: PackageProgress?) -> [Effect] {
        // When the operation reaches the next package, the previous ones are installed.
        let isNext = progress != nil && stored.packages.progress?.key != progress?.key
        stored.packages.progress = progress
        return isNext ? [.ask(PackageListQuery())] : []
    }

    /// Wordings such as "⇣ Finland 61 % 12/s 76 s", longest first; empty if no operation is running.
    var packageState: [String] {
        stored.packages.progress.map { progressWordings($0.name, $0.percent, $0.state, $0.pace) } ?? []
    }
}
