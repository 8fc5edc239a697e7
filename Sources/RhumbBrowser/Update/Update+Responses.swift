internal import RhumbCore
internal import RhumbEngine

/// The responses to queries. Each feature and each open panel takes those to its own queries.
extension Browser {
    mutating func receive(_ response: AnyResponse) -> [Effect] {
        input.receive(response)
        pointing.receive(response)
        appearance.daylight.receive(response)
        stored.receive(response)
        search.receive(response)
        let effects =
            receiveStreets(response) + receiveLabels(response) + receiveTiles(response)
            + receiveRoutes(response) + receiveRegions(response) + receivePackages(response)
            + receiveOutcome(response)
        return effects + withEach { $0.receive(response, $1) }
    }

    /// Reports the outcome of an action, and requests the list that it changes.
    private mutating func receiveOutcome(_ response: AnyResponse) -> [Effect] {
        if let saved = response[ExportText.self]?.value ?? response[ExportRoute.self]?.value
            ?? response[ExportTrack.self]?.value
        {
            return reportSaved(saved)
        }
        if let outcome = response[CacheChange.self]?.value { return cacheChanged(outcome) }
        if let changed = response[ChangeArea.self]?.value {
            return report(changed) + [.ask(AreaListQuery())]
        }
        if case .failure(let problem) = response[AreaListQuery.self]?.value {
            return complain(problem.description)
        }
        if case .failure(let problem) = response[ReadyQuery.self]?.value {
            return complain(problem.description)
        }
        if case .failure(let problem) = response[StylePackListQuery.self]?.value {
            return complain(problem.description)
        }
        if let changed = response[ChangeStylePack.self] { return receive(changed) }
        if let chosen = response[ChooseSearchService.self] { return receive(chosen) }
        return []
    }

    /// Draws a loaded style again if it is in use.
    private mutating func receive(_ response: QueryResponse<ChangeStylePack>) -> [Effect] {
        let isUsed = appearance.style.named.contains(response.query.style)
        let redrawn =
            isUsed && response.query.kind == .load && (try? response.value.get()) != nil
            ? setStyle(appearance.style) : []
        return report(response.value) + redrawn + [.ask(StylePackListQuery())]
    }

    /// Selects the search service, or asks first if the user has not accepted it yet.
    private mutating func receive(_ response: QueryResponse<ChooseSearchService>) -> [Effect] {
        guard case .success(let service) = response.value else { return report(response.value.map(\.name)) }
        guard service.isAccepted else {
            panels.push(.searching(service))
            return []
        }
        search.service = response.query.service
        return say(SearchText.chosen(service.name))
            + (panels[SearchPanel.self] == nil ? [] : [.ask(searchServiceQuery)])
    }
}

extension InputState {
    fileprivate mutating func receive(_ response: AnyResponse) {
        typedLines = response[TypedLinesQuery.self]?.value ?? typedLines
        outsideWords.receive(response)
    }
}

extension DaylightWatch {
    fileprivate mutating func receive(_ response: AnyResponse) {
        guard let response = response[CityLightsQuery.self] else { return }
        lights = response.value
        minute = -1
    }
}

extension Pointing {
    fileprivate mutating func receive(_ response: AnyResponse) {
        if let response = response[FeatureQuery.self], let asked = clicked.features.asked,
            asked.place == response.query.question.place
        {
            clicked.features.receive(response.value, to: asked)
        }
        if let response = response[SettlementQuery.self], let asked = whereabouts.asked,
            asked.coordinate == response.query.place
        {
            whereabouts.receive(response.value, to: asked)
        }
    }
}

extension StoredMaps {
    fileprivate mutating func receive(_ response: AnyResponse) {
        sources = response[SourceListQuery.self]?.value ?? sources
        bookmarks = response[BookmarkQuery.self]?.value ?? bookmarks
        cache.heat.receive(response)
        if let response = response[CacheOverviewQuery.self], let asked = cache.overview.asked {
            cache.overview.receive(response.value, to: asked)
        }
    }
}

extension SearchState {
    fileprivate mutating func receive(_ response: AnyResponse) {
        guard let response = response[StreetLinesQuery.self] else { return }
        marks.receive(response.value, of: response.query.street)
    }
}
