import RhumbBrowser
import RhumbCore
import RhumbEngine
import RhumbTestSupport
import Testing

struct LabelTests {
    private func place(_ name: String, _ point: WorldPoint) -> NamedPlace {
        NamedPlace(
            number: 1, name: name, kind: .city, countryCode: "IT", country: "Italy", region: "",
            coordinate: Mercator.coordinate(point), population: 300_000)
    }

    @Test func `N hides the names and shows them again`() {
        var source = LabelledSource()
        source.add("Firenze", at: LabelledMap.middle)
        var map = LabelledMap(source)
        #expect(map.places(of: "Firenze").count == 1)
        map.press(.character("N"))
        #expect(map.places(of: "Firenze").isEmpty)
        map.press(.character("N"))
        #expect(map.places(of: "Firenze").count == 1)
    }

    @Test
    func `the surroundings are requested once the labels in view are placed and the view rests`() {
        var map = LabelledMap(LabelledSource(), laysOut: false)
        map.send(.placeLabels([]))
        map.tick(.milliseconds(200))
        #expect(map.questions.count == 1)
        map.layOut()
        let inView = map.questions.first?.tiles ?? [], around = map.questions.last?.tiles ?? []
        #expect(map.questions.count == 2 && !around.isEmpty && Set(inView).isDisjoint(with: around))
    }

    @Test
    func
        `what lies around the view is asked for at once when it moves, and not before a picture with all its labels`()
    {
        var map = LabelledMap(LabelledSource())
        map.send(.placeLabels([]))
        #expect(map.questions.count == 1)
        map.press(.arrow(.right, shift: false))
        let inView = map.questions.first?.tiles ?? [], around = map.questions.last?.tiles ?? []
        #expect(map.questions.count == 2 && !around.isEmpty && Set(inView).isDisjoint(with: around))
    }

    @Test(arguments: [(13, true), (13.4, true), (12.8, false), (14, true)])
    func `labels in a source's deepest tiles are shown where those tiles are drawn`(
        zoom: Double, isNamed: Bool
    ) {
        var source = LabelledSource()
        source.add("Firenze Santa Maria Novella", at: LabelledMap.middle)
        let map = LabelledMap(source, zoom: zoom, prefersLastZoom: true)
        #expect(map.places(of: "Firenze Santa Maria Novella").count == (isNamed ? 1 : 0))
    }

    @Test func `the gazetteer adds no names where the map has its own`() {
        var source = LabelledSource()
        source.add("Firenze", at: LabelledMap.middle)
        var map = LabelledMap(source)
        map.send(.placeLabels([place("Florence", LabelledMap.place(0, 4))]))
        #expect(map.places(of: "Florence").isEmpty && map.places(of: "Firenze").count == 1)
    }

    @Test func `the gazetteer adds names where a tile has none`() {
        var map = LabelledMap(LabelledSource())
        map.send(.placeLabels([place("Florence", LabelledMap.middle)]))
        #expect(map.places(of: "Florence").count == 1)
    }

    @Test func `the gazetteer adds names over a style without symbols`() {
        var source = LabelledSource()
        source.writesLabels = false
        var map = LabelledMap(source)
        map.send(.placeLabels([place("Florence", LabelledMap.middle)]))
        #expect(map.questions.isEmpty && map.places(of: "Florence").count == 1)
    }

    @Test func `the gazetteer adds names below the map's zooms`() {
        var source = LabelledSource()
        source.dataZooms = 10...14
        var map = LabelledMap(source, zoom: 8)
        map.send(.placeLabels([place("Florence", LabelledMap.middle)]))
        #expect(map.questions.isEmpty && map.places(of: "Florence").count == 1)
    }

    @Test func `another language is requested again`() {
        var map = LabelledMap(LabelledSource())
        map.press(.character(":"))
        for letter in "names en" { map.press(.character(letter)) }
        map.press(.enter)
        #expect(map.questions.last?.language == .english && map.questions.first?.language == .usual)
    }

    @Test func `responses for another zoom are not shown`() {
        var source = LabelledSource()
        source.add("Firenze", at: LabelledMap.middle)
        var map = LabelledMap(source, answers: false)
        let old = map.questions
        map.press(.character("-"))
        for question in old { map.answer(question) }
        #expect(map.places(of: "Firenze").isEmpty)
    }

    @Test func `a style's colour is kept if it is legible and dropped if not`() throws {
        func ink(_ colour: RGB) throws -> CellColor {
            let tile = TileID(zoom: 14, containing: LabelledMap.middle)
            var source = LabelledSource()
            source.labels[tile] = [
                VectorLabel(
                    text: "Arno", anchor: .point([0.5, 0.5]), rank: .init(layer: 0), layer: "a",
                    colour: StyleColour(colour))
            ]
            let screen = LabelledMap(source).browser.screen
            return try #require(screen.cells.first { $0.glyph == "A" }?.ink)
        }
        #expect(try ink(RGB(0x8FD0FF)) == .rgb(RGB(0x8FD0FF)))
        #expect(try ink(RGB(0x101010)) != .rgb(RGB(0x101010)))
    }

    @Test func `a sign has the colour of its icon, and the name its own`() throws {
        let tile = TileID(zoom: 14, containing: LabelledMap.middle)
        var source = LabelledSource()
        source.labels[tile] = [
            VectorLabel(
                text: "Meyer", anchor: .point([0.5, 0.5]), rank: .init(layer: 0), layer: "a",
                colour: StyleColour(RGB(0xF0F0F0)),
                icon: "hospital", iconColour: RGB(0xFF9090))
        ]
        let cells = LabelledMap(source).browser.screen.cells
        #expect(cells.first { $0.glyph == "✚" }?.ink == .rgb(RGB(0xFF9090)))
        #expect(cells.first { $0.glyph == "M" && $0.ink == .rgb(RGB(0xF0F0F0)) } != nil)
    }

    @Test func `a new map doesn't show the names of the previous one`() {
        var source = LabelledSource()
        source.add("Firenze", at: LabelledMap.middle)
        var map = LabelledMap(source)
        var other = TileLayer.test(BlankSource(), id: "other")
        other.info.hasLabels = false
        map.send(.opened(.success([other]), over: false))
        #expect(map.places(of: "Firenze").isEmpty)
        map.send(.opened(.success([LabelledMap(source).browser.map.layers[0]]), over: false))
        #expect(map.places(of: "Firenze").count == 1)
    }
}
