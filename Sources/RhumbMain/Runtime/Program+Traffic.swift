internal import Rhumb
internal import RhumbBrowser

/// Showing the traffic that the user chooses.
extension Program {
    func show(_ choice: TrafficChoice) {
        styleTraffic(browser.theme)
        do throws(SourceFailure) {
            try session.traffic.choose(choice)
        } catch {
            send(.trafficRefused(Notice.Problem(shown: error)))
        }
    }

    /// Draws vector tiles of traffic in the chosen style, if it has layers for them.
    func styleTraffic(_ theme: MapTheme) {
        Task(executorPreference: BlockingExecutor.shared) { [opener, traffic = session.traffic] in
            traffic.setStyle(await opener.trafficStyle(theme))
        }
    }
}
