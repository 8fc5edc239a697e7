internal import CCurl
internal import Glibc
internal import RhumbEngine

/// The thread that a client's transfers live on.
enum TransferThread {
    /// curl's own set-up, once a process, before any thread uses it.
    private static let curlIsReady: Bool = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    private final class Work: Sendable {
        let options: ClientOptions
        let inbox: Inbox
        let clock: EngineClock

        init(_ options: ClientOptions, _ inbox: Inbox, _ clock: EngineClock) {
            self.options = options
            self.inbox = inbox
            self.clock = clock
        }

        func run() {
            TransferLoop(options: options, inbox: inbox, clock: clock)?.run()
            refuseAll()
        }

        func refuseAll() {
            for case .begin(let waiter) in inbox.close() {
                waiter.continuation.resume(returning: .failure(.cancelled))
            }
        }
    }

    /// Starts the thread; it ends when the inbox gets a stop.
    static func start(_ options: ClientOptions, _ inbox: Inbox, _ clock: EngineClock) {
        let work = Work(options, inbox, clock)
        guard curlIsReady else { return work.refuseAll() }
        let context = Unmanaged.passRetained(work)
        var thread = pthread_t()
        let code = pthread_create(&thread, nil, { context in
            guard let context else { return nil }
            Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run()
            return nil
        }, context.toOpaque())
        guard code == 0 else {
            context.release()
            return work.refuseAll()
        }
        pthread_detach(thread)
    }
}
