import Dispatch
import Glibc
import RhumbBrowser
import RhumbCore
import RhumbEngine
@testable import RhumbMain
import RhumbTestSupport
import Testing

struct InboxTests {
    private func failure(_ number: Int) -> Event { .tileFailed(TileFailure(.unreadable, "tile \(number)")) }

    @Test func `all events are kept while the loop is busy, except for a burst of failed tiles`() {
        let inbox = Inbox()
        for number in 0..<1000 { inbox.put(failure(number)) }
        for number in 0..<200 { inbox.put(.problem("\(number)")) }
        inbox.put(.opened(.success([]), over: false))
        let taken = inbox.take()
        #expect(taken.count { if case .tileFailed = $0 { true } else { false } } == 64)
        let troubles = taken.compactMap { if case .problem(let text) = $0 { text } else { nil } }
        #expect(troubles == (0..<200).map { "\($0)" })
        #expect(taken.contains { if case .opened = $0 { true } else { false } })
        #expect(inbox.take().isEmpty)
        inbox.put(failure(1))
        #expect(inbox.take().count == 1)
    }

    private static let camera = Camera(center: Coordinate(latitude: 0, longitude: 0), zoom: 1)

    @Test func `a picture is saved off the loop, and none is lost`() async throws {
        let folder = TemporaryFolder(), inbox = Inbox(), queue = DispatchQueue(label: "held")
        let saver = PictureSaver(inbox, on: queue)
        queue.suspend()
        for number in 0..<3 {
            saver.save({ [1, 2, 3] }, as: try PictureFile(folder.path + "/\(number).png", of: Self.camera))
        }
        #expect(inbox.take().isEmpty)
        queue.resume()
        saver.finish()
        let saved = inbox.take().compactMap { event -> String? in
            if case .saved(let outcome) = event { try? outcome.get() } else { nil }
        }
        #expect(saved == (0..<3).map { folder.path + "/\($0).png" })
        #expect((0..<3).allSatisfy { folder.bytes("\($0).png") == [1, 2, 3] })
    }

    @Test func `pictures beyond a few that wait are refused, so that held keys queue no work`() throws {
        let folder = TemporaryFolder(), inbox = Inbox(), queue = DispatchQueue(label: "held")
        let saver = PictureSaver(inbox, on: queue)
        queue.suspend()
        for number in 0..<100 {
            saver.save({ [1] }, as: try PictureFile(folder.path + "/\(number).png", of: Self.camera))
        }
        queue.resume()
        saver.finish()
        #expect(folder.names.count == PictureSaver.limit)
        let refused = inbox.take().filter { if case .saved(.failure) = $0 { true } else { false } }
        #expect(refused.count == 100 - PictureSaver.limit)
    }

    @Test func `a picture never replaces a path that is not a file`() throws {
        let folder = TemporaryFolder(), inbox = Inbox(), saver = PictureSaver(inbox)
        mkfifo(folder.path + "/pipe.png", 0o600)
        saver.save({ [1, 2, 3] }, as: try PictureFile(folder.path + "/pipe.png", of: Self.camera))
        saver.finish()
        let problems = inbox.take().compactMap { event -> String? in
            guard case .saved(.failure(let problem)) = event else { return nil }
            return "\(problem)"
        }
        var facts = stat()
        #expect(problems.count == 1, "\(problems)")
        #expect(
            stat(folder.path + "/pipe.png", &facts) == 0 && facts.st_mode & S_IFMT == S_IFIFO
                && folder.names == ["pipe.png"])
    }
}
