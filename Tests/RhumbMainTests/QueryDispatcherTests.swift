import Rhumb
import RhumbBrowser
import RhumbCore
@testable import RhumbMain
import RhumbStore
import RhumbTestSupport
import Synchronization
import Testing

/// Tests the scheduling of queries.
struct QueryDispatcherTests {
    private struct Latest: Query {
        typealias Response = String
        let number: Int
    }

    private struct InOrder: Query {
        typealias Response = String
        let number: Int
        /// The topic. A newer query about another topic overtakes this one.
        var topic = 0
        static var scheduling: QueryScheduling { .inOrder("numbers") }
        func isOvertaken(by newest: InOrder) -> Bool { topic != newest.topic }
    }

    private struct Each: Query {
        typealias Response = String
        let number: Int
        static var scheduling: QueryScheduling { .each }
    }

    /// Collects the responses.
    private final class Replies: Sendable {
        private let events = Mutex<[Event]>([])

        func put(_ event: Event) { events.withLock { $0.append(event) } }

        var texts: [String] {
            events.withLock(\.self).compactMap {
                guard case .response(let response) = $0 else { return nil }
                return response[Latest.self]?.value ?? response[InOrder.self]?.value
                    ?? response[Each.self]?.value
            }
        }
    }

    private let replies = Replies()
    private let context = QueryContext(layers: [], settings: Settings())

    private func dispatcher() -> QueryDispatcher { QueryDispatcher { [replies] in replies.put($0) } }

    @Test func `the middle of a city is described by the city, not by one of its districts`() throws {
        let places = try Gazetteer(file: TestFiles.path("Assets/places.db"))
        let middle = Coordinate(latitude: 1.352, longitude: 103.82)
        let found = try places.known(near: middle, minimumImportance: 3)
        #expect(found?.place.name == "Singapore")
    }

    @Test func `a query that is overtaken is cancelled, and its response dropped`() async {
        let dispatcher = dispatcher()
        dispatcher.handle(Latest.self) { query, _, reply in
            // Every query except the last waits until it is overtaken.
            while query.number < 3, !Task.isCancelled { await Task.yield() }
            reply("\(query.number)")
        }
        for number in 1...3 { dispatcher.submit(AnyQuery(Latest(number: number)), context) }
        await dispatcher.waitUntilIdle()
        #expect(replies.texts == ["3"])
    }

    @Test func `queries in order are all answered, one after another`() async {
        let dispatcher = dispatcher(), running = Mutex(0), most = Mutex(0)
        dispatcher.handle(InOrder.self) { query, _, reply in
            let count = running.withLock { count in
                count += 1
                return count
            }
            most.withLock { $0 = max($0, count) }
            await Task.yield()
            reply("\(query.number)")
            running.withLock { $0 -= 1 }
        }
        for number in 1...20 { dispatcher.submit(AnyQuery(InOrder(number: number)), context) }
        await dispatcher.waitUntilIdle()
        #expect(replies.texts == (1...20).map { "\($0)" } && most.withLock(\.self) == 1)
    }

    @Test func `queries in order that a later one overtakes are dropped before they run`() async {
        let dispatcher = dispatcher(), (gate, opening) = AsyncStream.makeStream(of: Void.self)
        dispatcher.handle(InOrder.self) { query, _, reply in
            if query.number == 1 { for await _ in gate {} }
            reply("\(query.number)")
        }
        for number in 1...5 {
            dispatcher.submit(AnyQuery(InOrder(number: number, topic: number < 4 ? 0 : 1)), context)
        }
        opening.finish()
        await dispatcher.waitUntilIdle()
        #expect(Set(replies.texts).isSuperset(of: ["4", "5"]) && !replies.texts.contains("3"))
    }

    @Test func `other queries run concurrently`() async {
        let dispatcher = dispatcher(), (gate, opening) = AsyncStream.makeStream(of: Void.self)
        dispatcher.handle(Each.self) { query, _, reply in
            if query.number == 1 { for await _ in gate {} } else { opening.finish() }
            reply("\(query.number)")
        }
        for number in 1...2 { dispatcher.submit(AnyQuery(Each(number: number)), context) }
        await dispatcher.waitUntilIdle()
        #expect(Set(replies.texts) == ["1", "2"])
    }

    @Test func `a handler may reply several times`() async {
        let dispatcher = dispatcher()
        dispatcher.handle(Latest.self) { _, _, reply in
            reply("some")
            reply("all")
        }
        dispatcher.submit(AnyQuery(Latest(number: 1)), context)
        await dispatcher.waitUntilIdle()
        #expect(replies.texts == ["some", "all"])
    }

    @Test func `every type of query has a handler`() async throws {
        let declared = TestFiles.swiftFiles(in: "Sources/RhumbBrowser").flatMap { text in
            text.matches(of: #/(?:struct|enum|extension) (\w+): (?:\w+, )*Query\b/#).map { String($0.1) }
        }
        let dispatcher = dispatcher(), folder = TemporaryFolder()
        var options = MapSession.Options(userAgent: try UserAgent("RhumbTests/1 (+https://rhumb.example)"))
        options.cache = folder.path + "/tiles.db"
        let session = await MapSession.open(options)
        dispatcher.register(session, session.opener, HeightSource(nil, session), nil, home: nil) { _ in }
        let inbox = Inbox()
        RegionHandlers(session, session.opener, inbox).register(on: dispatcher)
        PackageHandlers(session, inbox).register(on: dispatcher)
        let folders = Folders(environment: [:]), terrain = HeightSource(nil, session)
        FileHandlers(folders) { _ in }.register(on: dispatcher)
        RouteHandlers(session, session.opener, terrain, folders) { _ in }.register(on: dispatcher)
        AreaHandlers(session: session, opener: session.opener, folders: folders).register(on: dispatcher)
        OnlineHandlers(session, session.opener.catalog, folders) { _ in }.register(on: dispatcher)
        #expect(declared.count > 10 && Set(declared) == dispatcher.handled)
    }
}
