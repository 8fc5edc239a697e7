import Glibc
import RhumbCore
import RhumbTestSupport
import Testing

/// Tests the map in a terminal that shows images.
@Suite(.serialized)
struct PixelJourneyTests {
    private func start(_ arguments: [String] = []) throws -> Journey {
        let journey = try Journey(["-z", "5", "-c", "48,12"] + arguments)
        journey.program.showImages()
        return journey
    }

    private func seeImages(_ journey: Journey) throws {
        try journey.program.read(within: 60) {
            $0.images?.placements.isEmpty == false && $0.text.contains("z5.0")
        }
        try journey.settle()
    }

    @Test func `the map is drawn in images, and its names and status are text`() throws {
        let journey = try start()
        try seeImages(journey)
        let images = try #require(journey.program.screen.images)
        #expect(images.faults.isEmpty && journey.program.screen.unknown.isEmpty)
        try journey.program.read(within: 60) { $0.text.contains("München") }
        #expect(images.placements.values.allSatisfy { $0.keys["z"] == KittyGraphics.depth })
        let blank = journey.program.screen.grid.cells[..<(100 * 28)].count { $0 == .blank }
        #expect(blank > 2000)
        #expect(try journey.quit() == .exited(0))
        #expect(journey.program.screen.images?.stored.isEmpty == true)
        #expect(journey.program.screen.images?.placements.isEmpty == true)
    }

    @Test(arguments: [SIGTERM, SIGHUP, SIGSEGV])
    func `no image is left after a signal`(signal: Int32) throws {
        let journey = try start()
        try seeImages(journey)
        journey.program.signal(signal)
        _ = try journey.program.readToEnd()
        #expect(journey.program.screen.images?.placements.isEmpty == true)
        #expect(journey.program.modes == journey.program.modesBefore)
    }

    @Test func `a pan moves the images and the option off draws cells`() throws {
        let journey = try start()
        try seeImages(journey)
        let before = try #require(journey.program.screen.images)
        try journey.type("l")
        try journey.program.read { $0.images?.placements != before.placements }
        try journey.type(":pixels off\r")
        try journey.program.read { $0.images?.placements.isEmpty == true }
        try journey.seeMap()
        #expect(try journey.quit() == .exited(0))
    }

    @Test(arguments: ["off", "auto"])
    func `without support for images, no image command is sent`(choice: String) throws {
        let journey = try Journey(["-z", "5", "-c", "48,12", "--pixels", choice])
        try journey.seeMap()
        #expect(try journey.quit() == .exited(0))
        let text = String(decoding: journey.program.output, as: UTF8.self)
        #expect(!text.contains("\u{1B}_Ga=t") && !text.contains("\u{1B}_Ga=d"))
        #expect(text.contains("\u{1B}_G") == (choice == "auto"))
    }
}
