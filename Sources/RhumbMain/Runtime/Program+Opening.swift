internal import Rhumb
internal import RhumbBrowser

/// Opening maps and features while the program runs.
extension Program {
    /// Opens a source off the main loop.
    func open(_ typed: String, over: Bool) {
        if let origin = OverlayOrigin(typed, isOver: over) { return open(origin) }
        let theme = browser.theme
        Task(executorPreference: BlockingExecutor.shared) {
            [opener, recent, inbox, traffic = session.traffic] in
            do throws(MapOpenFailure) {
                let layers = try await opener.open(typed, theme: theme) { inbox.put(.opening($0)) }
                inbox.put(.opened(.success(over ? layers.map(\.laidOver) : layers), over: over))
                if let warning = recent?.add(typed) { inbox.put(.problem(warning.description)) }
                traffic.setStyle(await opener.trafficStyle(theme))
            } catch {
                inbox.put(.opened(.failure(Notice.Problem(shown: error)), over: over))
            }
        }
    }

    /// Opens shading and contours off the main loop.
    func open(_ choice: HillsChoice) {
        Task(executorPreference: BlockingExecutor.shared) {
            [opener, heights, inbox, layers = browser.map.layers, theme = browser.theme] in
            do throws(Notice.Problem) {
                let opened = try await heights.hills(choice, over: layers, by: opener, theme) {
                    inbox.put(.opening($0))
                }
                inbox.put(.opened(.success(opened), over: true))
            } catch {
                inbox.put(.opened(.failure(error), over: true))
            }
        }
    }

    private func open(_ origin: OverlayOrigin) {
        do throws(Notice.Problem) {
            // A pasted line may have been written by someone else, so only the command line and the
            // configuration may run programs.
            if case .command = origin {
                throw Notice.Problem(
                    "The map runs no commands. Write the output to a file, and add it with :over FILE."
                )
            }
            send(.opened(.success([try overlays.open(origin)]), over: true))
        } catch {
            send(.opened(.failure(error), over: true))
        }
    }
}
