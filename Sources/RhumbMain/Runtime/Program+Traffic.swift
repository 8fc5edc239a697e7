internal import Rhumb
internal import RhumbBrowser

/// Traffic as the person chooses it.
extension Program {
    func show(_ choice: TrafficChoice) {
        styleTraffic(browser.theme)
        do throws(SourceFailure) {
            try session.traffic.choose(choice)
        } catch {
            send(.trafficRefused(Notice.Problem(error)))
        }
    }

    /// Vector tiles of traffic are drawn in the style that was chosen, where that draws any.
    func styleTraffic(_ theme: MapTheme) {
        Task(executorPreference: BlockingExecutor.shared) { [opener, traffic = session.traffic] in
            traffic.setStyle(await opener.trafficStyle(theme))
        }
    }
}
