import RhumbCore
@testable import RhumbHTTP
import Synchronization
import Testing

/// Tests when other threads wake the transfer thread.
struct TransferInboxTests {
    private let inbox = Inbox()
    private let wakes = Wakes()

    private final class Wakes: Sendable {
        private let counted = Mutex(0)
        var count: Int { counted.withLock { $0 } }
        func note() { counted.withLock { $0 += 1 } }
    }

    init() { inbox.setWake { [wakes] in wakes.note() } }

    @Test func `a working thread is not woken, and finds new commands before it sleeps`() {
        inbox.post(.cancel(1))
        inbox.post(.cancel(2))
        #expect(wakes.count == 0)
        #expect(!inbox.mayFallAsleep(wakingFor: .anyCommand))
        #expect(inbox.takeAll().count == 2)
        #expect(inbox.mayFallAsleep(wakingFor: .anyCommand))
    }

    @Test func `a sleeping thread is woken once for all commands until it handles them`() {
        #expect(inbox.mayFallAsleep(wakingFor: .anyCommand))
        for number in 1...5 { inbox.post(.cancel(UInt64(number))) }
        #expect(wakes.count == 1)
        #expect(inbox.takeAll().count == 5)
        #expect(inbox.mayFallAsleep(wakingFor: .anyCommand))
        inbox.post(.stop)
        #expect(wakes.count == 2)
    }

    @Test func `while no request can be sent a new one wakes no thread, but other commands do`() async throws
    {
        #expect(inbox.mayFallAsleep(wakingFor: .anyButBegin))
        let outcome = await withCheckedContinuation { continuation in
            inbox.post(
                .begin(
                    Waiter(
                        number: 1, request: HTTPRequest(HTTPAddress("http://example.org/1.png")),
                        continuation: continuation)))
            #expect(wakes.count == 0)
            inbox.post(.cancel(7))
            #expect(wakes.count == 1)
            for case .begin(let waiter) in inbox.takeAll() {
                waiter.continuation.resume(returning: .failure(.cancelled))
            }
        }
        #expect(throws: HTTPFailure.self) { try outcome.get() }
    }
}
