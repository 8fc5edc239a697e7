internal import RhumbCore
internal import RhumbEngine

/// A change of the browser as a value. Panels, prompts, questions and typed commands read the browser, and
/// return the actions that it performs in order. Functions such as `showingGrid` return actions, too.
enum Action: Sendable {
    /// An effect for the code that drives the program.
    case effect(Effect)
    /// A command of the key table.
    case command(Command)
    /// Shows a notice, or one about a problem.
    case say(String), complain(String)

    // MARK: Panels and prompts

    /// Opens a panel in place of all open ones, or over them.
    case show(any Panel), push(any Panel)
    /// Closes the topmost panel, or all of them.
    case pop, closePanels
    /// Tells the topmost panel that the user agreed to its question.
    case agreed
    /// Opens a prompt in the bottom line; nil closes it.
    case prompt(Prompt?)

    // MARK: The view

    /// Moves smoothly to a camera.
    case fly(to: Camera)
    /// Shows a view at once, without an entry in the history.
    case view(Viewport)
    /// Treats the view as moved, so that its description is updated once it is at rest.
    case viewMoved
    /// Marks the centre of the view for a while, in place of the clicked cell.
    case markCenter
    /// Moves the map so that the clicked cell isn't below the panel.
    case uncoverPointer

    // MARK: The map

    /// Opens a map in place of the base map, and shows a camera on it; nil for the map's own.
    case open(map: String, landing: Camera?)
    case layers([TileLayer])
    case settings(Settings), hints(Bool), theme(ThemeRule)
    /// Shows labels or hides them, or writes them in another language.
    case labels(Bool), names(NameLanguage)
    case style(StyleChoice), preset(ColourPreset), daylight(MapTime?)
    case streets(StreetsChoice), hills(HillsChoice), traffic(TrafficChoice)
    case configure(LayerConfiguration)

    // MARK: Features

    /// Marks search results on the map.
    case mark(SearchMarkers)
    /// Remembers the search result that the map moves to.
    case found(name: String, Coordinate)
    case tiles(TileViewState), walkedFeature(TileLayer.ID, slot: Int)
    case measured(MeasuredPath)
    /// Replaces the planned route, or shows a found one.
    case route(RoutePlan), showRoute(FoundRoute)
    /// Requests the planned route, perhaps from a source whose terms the user accepts.
    case askRoute(acceptingTermsOf: String? = nil)
    case bookmark(BookmarkChange)
    /// Queries the stored tiles in view, at a zoom relative to that of the view's tiles.
    case heat(offset: Int = 0)
    /// Queries the figures of the cache for a page of the inspector if they are old, or marks them as old.
    case cacheOverview(CacheTab), expireCacheOverview
    /// Downloads a region without showing its plan, unless the plan doesn't allow that.
    case download(RegionDraft)
    /// Stores that the user agreed to contact hosts.
    case agree(to: [String])
    /// Goes online in a program that was started offline.
    case goOnline

    /// Returns the action that sends a query.
    static func ask(_ query: some Query) -> Action { .effect(.ask(query)) }

    /// Creates the action that sets the theme rule or the style; without a text, it opens the list.
    init(style text: String) {
        let rule = ThemeRule(text: text)
        self =
            text.isEmpty
            ? .command(.panel(.styles)) : rule.map(Action.theme) ?? .style(StyleChoice(text: text))
    }
}

extension Browser {
    mutating func perform(_ actions: [Action]) -> [Effect] { actions.flatMap { perform($0) } }

    private mutating func perform(_ action: Action) -> [Effect] {
        switch action {
        case .effect(let effect): return [effect]
        case .command(let command): return perform(command)
        case .say(let text): return say(text)
        case .complain(let text): return complain(text)
        case .show(let panel): return show(panel)
        case .push(let panel):
            map.notices.hide(before: map.now)
            panels.push(panel)
        case .pop: panels.pop()
        case .closePanels: panels.removeAll()
        case .agreed: return offerToPanel { $0.agree($1) } ?? []
        case .prompt(let prompt): input.prompt = prompt
        case .fly(let camera): return fly(to: camera)
        case .view(let viewport):
            map.viewport = viewport
            return [.updateView]
        case .viewMoved: return viewMoved()
        case .markCenter:
            pointing.pointer = nil
            movement.centerMarkUntil = map.now + Notice.life
        case .uncoverPointer: return uncoverPointer()
        case .open(let map, let landing):
            movement.landing = landing
            return [.open(source: map, over: false)]
        case .layers(let layers):
            map.layers = layers
            return [.updateView]
        case .settings(let settings): map.settings = settings
        case .hints(let isOn): return setHints(isOn)
        case .theme(let rule): return setTheme(rule)
        case .labels(let isOn): return setLabels(isOn)
        case .names(let language): return setNames(language)
        case .style(let choice): return setStyle(choice)
        case .preset(let preset): return setPreset(preset)
        case .daylight(let time): return setDaylight(time)
        case .streets(let choice): return setStreets(choice)
        case .hills(let choice): appearance.hills = choice
        case .traffic(let choice): return show(choice)
        case .configure(let configuration):
            stored.configuration = configuration
            return [.configure(configuration), .updateView]
        case .mark(let results): search.marks = results
        case .found(let name, let place): search.found = (name, place)
        case .tiles(let tiles): self.tiles = tiles
        case .walkedFeature(let layer, let slot): overlays.walked = (layer, slot)
        case .measured(let path): pointing.trail = path
        case .route(let plan): route = plan
        case .showRoute(let found): return show(found)
        case .askRoute(let source): return route.ask(acceptingTermsOf: source)
        case .bookmark(let change):
            stored.bookmarks.apply(change)
            return [.ask(BookmarkQuery(change))]
        case .heat(let offset): return askHeat(offset: offset)
        case .cacheOverview(let tab): return stored.cache.askOverview(for: tab, at: map.now)
        case .expireCacheOverview: stored.cache.overview.expire()
        case .download(let draft):
            input.retryable = .download(draft)
            return [.ask(StartRegion(draft: draft, onlyIfAllowed: true))]
        case .agree(let hosts): return stored.agreements.agree(to: hosts)
        case .goOnline:
            map.asksBeforeOnline = false
            return switchOffline()
        }
        return []
    }
}
