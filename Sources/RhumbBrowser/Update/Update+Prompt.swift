internal import RhumbCore

/// Typing on the bottom line.
extension Browser {
    mutating func ask(_ kind: Prompt.Kind) -> [Effect] {
        prompt = Prompt(kind: kind)
        return []
    }

    mutating func typeIntoPrompt(_ key: Key) -> [Effect] {
        guard var open = prompt else { return [] }
        if open.kind == .search { return typeIntoSearch(key, open) }
        if key == .escape || (key == .backspace && open.line.text.isEmpty) {
            prompt = nil
            return []
        }
        if key == .enter { return answer(open) }
        if open.line.type(key) {
            open.complaint = nil
            prompt = open
        }
        return []
    }

    mutating func answer(_ open: Prompt) -> [Effect] {
        let words = open.line.string.trimmed
        prompt = nil
        guard !words.isEmpty || open.kind == .cacheFilter else { return [] }
        do {
            switch open.kind {
            case .goTo: return try go(to: words)
            case .command: return try run(words)
            case .search: return goToChosen()
            case .cacheFilter: return try filterCache(words)
            case .regionName(let id): return [.renameRegion(id: id, name: words)]
            }
        } catch {
            prompt = open
            prompt?.complaint = "\(error)"
            return complain("\(error)")
        }
    }

    mutating func go(to words: String) throws(Notice.Problem) -> [Effect] {
        let place: PlaceText
        do {
            place = try PlaceText(words, near: viewport.camera.coordinate)
        } catch {
            throw Notice.Problem("\(error)")
        }
        return fly(to: place.camera(on: viewport))
    }
}

extension String {
    /// The text without spaces at its ends.
    var trimmed: String {
        let scalars = unicodeScalars.drop { $0.properties.isWhitespace }
        let end = scalars.lastIndex { !$0.properties.isWhitespace }
        return end.map { String(scalars[...$0]) } ?? ""
    }
}
