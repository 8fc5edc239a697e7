internal import RhumbCore

/// Typing on the bottom line.
extension Browser {
    mutating func ask(_ prompt: Prompt) -> [Effect] {
        self.prompt = prompt
        return []
    }

    mutating func typeIntoPrompt(_ key: Key) -> [Effect] {
        guard var open = prompt else { return [] }
        if let effects = open.press?(&self, key) { return effects }
        if key == .escape || (key == .backspace && open.line.text.isEmpty) {
            prompt = nil
            return []
        }
        if key == .enter { return answer(open) }
        let before = open.line.text
        guard open.line.type(key) else { return [] }
        open.complaint = nil
        prompt = open
        return open.line.text == before ? [] : open.follow?(&self) ?? []
    }

    private mutating func answer(_ open: Prompt) -> [Effect] {
        let words = open.line.string.trimmed
        prompt = nil
        guard !words.isEmpty || open.mayBeEmpty else { return [] }
        do throws(Notice.Problem) {
            return try open.answer(&self, words)
        } catch {
            prompt = open
            prompt?.complaint = error.description
            return complain(error.description)
        }
    }

    mutating func go(to words: String) throws(Notice.Problem) -> [Effect] {
        let place: PlaceText
        do {
            place = try PlaceText(words, near: viewport.camera.coordinate)
        } catch {
            throw Notice.Problem(error)
        }
        return fly(to: place.camera(on: viewport))
    }
}

extension Prompt {
    static let goTo = Prompt(label: "go to: ", example: "60.39, 22.37  ·  60.39,22.37 12  ·  60.39,22.37 7km") {
        (browser, words) throws(Notice.Problem) in try browser.go(to: words)
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
