import RhumbBrowser
import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

struct LabelStabilityTests {
    /// Returns names scattered over some tiles around the centre.
    private func strewn(_ seed: UInt64, count: Int = 1500) -> LabelledSource {
        var random = SplitMix(seed: seed), source = LabelledSource()
        for number in 0..<count {
            let place = LabelledMap.place(
                Double(random.next() % 800) - 400, Double(random.next() % 300) - 150)
            source.add(
                "N\(number)q", at: place, layer: Int(random.next() % 5),
                icon: random.next() % 3 == 0 ? "city" : nil)
        }
        return source
    }

    /// Returns every name on the map with its position.
    private func names(_ map: LabelledMap) -> [String: SIMD2<Int>] {
        var found: [String: SIMD2<Int>] = [:]
        for (row, line) in map.lines.enumerated() {
            let letters = Array(line)
            for start in letters.indices where letters[start] == "N" {
                guard let end = letters[start...].firstIndex(of: "q") else { continue }
                found[String(letters[start...end])] = SIMD2(start, row)
            }
        }
        return found
    }

    @Test(arguments: 1...4) func `a view moved by whole cells moves every name equally`(seed: UInt64) {
        var map = LabelledMap(strewn(seed), namesPlaces: true), random = SplitMix(seed: seed)
        let keys: [(Key, SIMD2<Int>)] = [
            (.arrow(.right, shift: false), [12, 0]), (.arrow(.left, shift: false), [-12, 0]),
            (.arrow(.down, shift: false), [0, 3]), (.arrow(.up, shift: false), [0, -3]),
            (.arrow(.right, shift: true), [50, 0]), (.arrow(.down, shift: true), [0, 15]),
        ]
        for _ in 0..<20 {
            let before = names(map)
            let (key, moved) = keys[Int(random.next() % UInt64(keys.count))]
            map.press(key)
            let after = names(map)
            #expect(before.count > 5)
            for (text, old) in before {
                let place = old &- moved
                // A name that stays completely in view with its mark keeps its place. Other names may
                // disappear. The row of the centre is excluded because it contains the centre mark.
                guard (2..<(98 - text.count)).contains(place.x), (1..<29).contains(place.y), place.y != 15
                else { continue }
                #expect(after[text] == place, "\(text)")
            }
        }
    }

    @Test func `names in view stay when those of the surrounding tiles arrive later`() {
        var map = LabelledMap(strewn(9), answers: false)
        guard let visible = map.questions.first else {
            Issue.record("nothing was asked")
            return
        }
        map.answer(visible)
        let before = names(map)
        for question in map.questions.dropFirst() { map.answer(question) }
        let after = names(map)
        #expect(!before.isEmpty && before.allSatisfy { after[$0.key] == $0.value })
    }

    @Test func `labels stay on the map until a new layout, and only the newest layout counts`() throws {
        var map = LabelledMap(strewn(5))
        func task(after event: Event) -> LabelLayoutTask? {
            map.browser.update(event, at: map.browser.map.now).queries(LabelLayoutTask.self).last
        }
        let aside = Event.key(.arrow(.right, shift: true))
        #expect(task(after: aside) == nil && !map.browser.isAwaitingLayout)
        let first = try #require(task(after: aside))
        #expect(!names(map).isEmpty)
        let second = try #require(task(after: .resized(columns: 101, rows: 32, cellAspect: nil)))
        #expect(map.browser.isAwaitingLayout && names(map).isEmpty)
        map.send(.laidOut(first))
        #expect(map.browser.isAwaitingLayout && names(map).isEmpty)
        map.send(.laidOut(second))
        #expect(!map.browser.isAwaitingLayout)
    }

    @Test func `names that stay in view while the map moves away and back keep their positions`() {
        var map = LabelledMap(strewn(4), namesPlaces: true)
        let before = names(map)
        for _ in 0..<3 { map.press(.arrow(.right, shift: false)) }
        for _ in 0..<3 { map.press(.arrow(.left, shift: false)) }
        let after = names(map)
        let stayed = before.filter { (40..<90).contains($0.value.x) }
        #expect(stayed.count > 5 && stayed.allSatisfy { after[$0.key] == $0.value })
    }

    @Test func `tiles in view are requested first, each once`() {
        var map = LabelledMap(strewn(2, count: 10), answers: true)
        let first = map.questions.first?.tiles ?? []
        #expect(first.contains(TileID(zoom: 14, containing: LabelledMap.middle)))
        for _ in 0..<8 { map.press(.arrow(.right, shift: false)) }
        let all = map.questions.flatMap(\.tiles)
        #expect(Set(all).count == all.count)
    }

    @Test func `beyond the deepest data a single tile is requested for the shown zoom`() {
        let map = LabelledMap(strewn(2, count: 10), zoom: 17)
        #expect(
            map.questions.first?.zoom == 17 && map.questions.first?.tiles.allSatisfy { $0.zoom == 14 } == true
        )
    }

    @Test func `failed tiles are requested again when the view moves`() {
        var map = LabelledMap(strewn(3), answers: false)
        guard let question = map.questions.first else { return }
        map.send(.labels([], to: question))
        let asked = map.questions.count
        map.press(.arrow(.right, shift: false))
        #expect(map.questions.count > asked)
    }

    @Test func `tiles that never arrive are ignored after a while`() {
        var map = LabelledMap(strewn(3), answers: false), rounds = 0
        for _ in 0..<40 {
            guard
                let question = map.questions.last(where: {
                    $0.tiles.contains(TileID(zoom: 14, containing: LabelledMap.middle))
                })
            else { return }
            map.send(.labels([], to: question))
            let effects = map.browser.update(.tick, at: map.browser.map.now + .seconds(60))
            guard !effects.queries(LabelQuestion.self).isEmpty else { break }
            rounds += 1
        }
        #expect((1..<20).contains(rounds))
    }

    @Test func `failed tiles are requested again after a pause`() {
        var map = LabelledMap(strewn(3), answers: false)
        guard let question = map.questions.first else { return }
        map.send(.labels([], to: question))
        let asked = map.questions.count
        map.send(.tick)
        #expect(map.questions.count == asked)
        let later = map.browser.update(.tick, at: map.browser.map.now + .seconds(3))
        #expect(
            later.queries(LabelQuestion.self).contains { $0.tiles == question.tiles })
    }
}
