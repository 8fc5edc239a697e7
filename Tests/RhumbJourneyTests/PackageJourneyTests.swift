import RhumbCore
import RhumbTestSupport
import Synchronization
import Testing

/// Tests a user who installs a country, travels offline, and updates afterwards.
struct PackageJourneyTests {
    /// A publisher of countries, with the editions published so far.
    private final class Publisher: Sendable {
        let server: LoopbackServer
        let home = TemporaryFolder()
        private let state = Shared()

        /// The state that a test changes while the server responds.
        final class Shared: Sendable {
            private let state = Mutex<(number: Int, gate: LoopbackGate?)>((1, nil))
            var value: (number: Int, gate: LoopbackGate?) { state.withLock { $0 } }
            func change(_ change: (inout (number: Int, gate: LoopbackGate?)) -> Void) {
                state.withLock { change(&$0) }
            }
        }

        /// - Parameter countries: The titles of the countries. Tiles of the last one are held.
        init(_ countries: String...) throws {
            let titles = countries.isEmpty ? ["Finland"] : countries, held = titles.last?.lowercased() ?? ""
            server = try LoopbackServer { [state] request in
                let (number, gate) = state.value
                if request.target == "/catalog.json" {
                    return .validated(
                        request, etag: "\"c\(number)\"", body: Array(Publisher.catalog(titles, number).utf8))
                }
                guard request.target.hasSuffix(".pmtiles") else { return LoopbackReply(404) }
                let isHeld =
                    request.target.contains(held) && request.header("Range")?.hasPrefix("bytes=0-") == false
                return .part(
                    of: Publisher.archive(number), request, etag: "\"a\(number)\"", control: "max-age=60"
                )
                .with { if isHeld { $0.gate = gate } }
            }
        }

        func publish() { state.change { $0.number += 1 } }

        /// Holds tiles from now on.
        func hold() -> LoopbackGate {
            let gate = LoopbackGate()
            state.change { $0.gate = gate }
            return gate
        }

        func release() { state.change { $0.gate = nil } }

        private static func archive(_ edition: Int) -> [UInt8] {
            var archive = PMTilesFixture(
                TileID.pyramid(0...3).map { ($0, blankPicture(RGB(UInt32(0x336690 + edition)), side: 256)) })
            archive.metadata = Array(#"{"name": "Suomi"}"#.utf8)
            return archive.bytes
        }

        private static func catalog(_ titles: [String], _ edition: Int) -> String {
            let editions = (1...edition).map { #"{"version": "2026.\#($0)", "bytes": 90000}"# }.joined(
                separator: ",")
            let countries = titles.map { title in
                """
                {"id": "\(title.lowercased())", "parent": "world", "level": "country", "title": "\(title)", "area": [20, 59, 32, 70],
                 "archive": "\(title.lowercased()).pmtiles", "editions": [\(editions)]}
                """
            }
            return """
                {"rhumb-catalog": 1, "id": "test", "packages": [{"id": "world", "title": "Whole world"}, \(countries.joined(separator: ", "))]}
                """
        }

        func journey(_ more: String..., columns: Int = 100, rows: Int = 30) throws -> Journey {
            try Journey(
                ["--catalog", server.url("/catalog.json")] + more, columns: columns, rows: rows,
                environment: ["HOME": home.path, "LC_ALL": "C.UTF-8"])
        }
    }

    @Test func `a country is installed from the outline, and its map is available without a network`() throws
    {
        let publisher = try Publisher(), journey = try publisher.journey()
        try journey.see(" z0  ")
        #expect(publisher.server.record.requests.isEmpty)
        try journey.type("p")
        try journey.see("○ Finland")
        try journey.type("j\r")
        try journey.see("Total up to 90 kB")
        try journey.type("\r")
        try journey.see("installed finland")
        try journey.see("● Finland")
        #expect(try journey.quit() == .exited(0))
        publisher.server.stop()
        let again = try publisher.journey("--offline")
        try again.see(" z0  ")
        try again.type("p")
        try again.see("● Finland")
        try again.type("j\r")
        try again.see("Suomi")
        try again.type("\u{1B}")
        try again.settle()
        try again.type("i")
        try again.see("stored in package finland")
        #expect(try again.quit() == .exited(0))
    }

    @Test func `a package is shown as installed while the next one is downloaded`() throws {
        let publisher = try Publisher("Finland", "Sweden"), journey = try publisher.journey(),
            gate = publisher.hold()
        try journey.see(" z0  ")
        try journey.type("p")
        try journey.see("○ Sweden")
        try journey.type("\r")
        try journey.see("Total up to 180 kB")
        try journey.type("\r")
        try journey.see("● Finland")
        let screen = try journey.screen().lines.joined(separator: "\n")
        #expect(screen.contains("Sweden") && !screen.contains("● Sweden") && !screen.contains("broken off"))
        gate.open()
        try journey.see("● Sweden")
        #expect(try journey.quit() == .exited(0))
    }

    @Test func `an operation interrupted by quitting is announced at the next start, and Enter resumes it`()
        throws
    {
        let publisher = try Publisher(), journey = try publisher.journey(columns: 80, rows: 24)
        try journey.see(" z0  ")
        let gate = publisher.hold()
        try journey.type("p")
        try journey.see("○ Finland")
        try journey.type("j\r")
        try journey.see("Enter start")
        try journey.type("\r")
        try journey.see("0 %")
        #expect(try journey.quit() == .exited(0))
        gate.open()
        publisher.release()
        let before = publisher.server.record.requests.count
        let again = try publisher.journey(columns: 80, rows: 24)
        try again.see("Interrupted: Finland · p, then Enter resumes")
        #expect(publisher.server.record.requests.count == before)
        try again.type("p")
        try again.see("Enter: resume")
        try again.type("\r")
        try again.see("finished finland")
        #expect(try again.quit() == .exited(0))
    }

    @Test func `an available update is one unobtrusive line at the next start, and U applies it`() throws {
        let publisher = try Publisher(), first = try publisher.journey()
        try first.see(" z0  ")
        try first.type("p")
        try first.see("○ Finland")
        try first.type("j\r")
        try first.see("Enter start")
        try first.type("\r")
        try first.see("installed finland")
        publisher.publish()
        try first.type("U")
        try first.see("2026.1 → 2026.2")
        #expect(try first.quit() == .exited(0))
        let before = publisher.server.record.requests.count
        let again = try publisher.journey()
        try again.see("Updates available for 1 package · p, then U")
        #expect(publisher.server.record.requests.count == before)
        try again.type("p")
        try again.see("1 newer")
        try again.type("U")
        try again.see("Enter start")
        try again.type("\r")
        try again.see("updated finland")
        try again.type("jx")
        try again.see("Remove Finland?")
        try again.type("y")
        try again.see("removed finland")
        try again.see("○ Finland")
        #expect(try again.quit() == .exited(0))
    }
}
