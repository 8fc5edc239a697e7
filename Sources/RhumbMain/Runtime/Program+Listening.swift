internal import Rhumb
internal import RhumbBrowser

/// Limits reports of progress to four per second.
struct ReportInterval {
    private var last = ContinuousClock.now - .seconds(1)

    /// Returns true if a report is due, and then begins the next interval. News are reported at once.
    mutating func isOver(orNews isNews: Bool) -> Bool {
        let now = ContinuousClock.now
        guard isNews || now - last > .milliseconds(250) else { return false }
        last = now
        return true
    }
}

/// Events from sources other than the terminal.
extension Program {
    /// Wakes the loop on events of the engine.
    func listen() -> Task<Void, Never> {
        Task { [engine = session.engine, inbox] in
            for await event in await engine.events() {
                switch event {
                case .tileFailed(_, let failure), .tileIncomplete(_, let failure):
                    inbox.put(.tileFailed(failure))
                case .tileShown, .tileAbsent, .idle: inbox.waker.wake()
                case .ready, .cameraChanged: break
                }
            }
        }
    }

    /// Forwards the session's events.
    func listenToNews() {
        Task { [inbox, session] in
            for await news in session.news {
                switch news {
                case .network(let state): inbox.put(.network(isReachable: state == .reachable))
                case .trouble(let failure): inbox.put(.problem(FailureText.notice(failure)))
                case .traffic: inbox.waker.wake()
                }
            }
        }
    }
}
