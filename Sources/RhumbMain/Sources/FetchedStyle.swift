internal import Rhumb
internal import RhumbBrowser
internal import Synchronization

/// A style at an address, fetched once for all who draw in it. One that is kept will do, and is asked
/// about behind.
final class FetchedStyle: Sendable {
    private typealias Loading = Task<Result<Style, Notice.Problem>, Never>

    private struct State {
        var style: Style?
        var loading: Loading?
    }

    private let address: String
    private let request: Result<WebResource, Notice.Problem>
    private let loader: DocumentLoader
    /// Whether one that is out of date is asked about before it is used.
    private let asksFirst: Bool
    private let state = Mutex(State())
    /// How long the style is waited for where nothing can go on without it, in seconds.
    private static let patience = 15.0

    /// Nil for what is no address.
    init?(_ address: String, _ web: WebSourceOpener, asksFirst: Bool) {
        guard SourceDefinition.isAddress(address) else { return nil }
        (self.address, loader, self.asksFirst) = (address, web.loader, asksFirst)
        do throws(WebSourceFailure) {
            request = .success(try web.resource(document: address))
        } catch {
            request = .failure(Notice.Problem("\(error)"))
        }
    }

    /// Whether nothing has to be fetched for it.
    var isAtHand: Bool { known != nil || (try? request.get()).flatMap(loader.stored) != nil }

    private var known: Style? { state.withLock { $0.style } }

    /// The style once it is there; after a failure it is asked for anew.
    func style() async throws(Notice.Problem) -> Style {
        let loading = state.withLock { state in
            let loading = state.loading ?? Task { await self.load() }
            state.loading = loading
            return loading
        }
        return try await loading.value.get()
    }

    /// The style, waited for here if it is not there yet.
    func awaited() throws(Notice.Problem) -> Style {
        if let known { return known }
        let outcome = wait(upTo: FetchedStyle.patience) { () -> Result<Style, Notice.Problem> in
            do throws(Notice.Problem) { return .success(try await self.style()) } catch { return .failure(error) }
        }
        guard let outcome else {
            throw Notice.Problem("\(address) did not come within \(Int(FetchedStyle.patience)) s; try again later")
        }
        return try outcome.get()
    }

    private func load() async -> Result<Style, Notice.Problem> {
        let outcome: Result<Style, Notice.Problem>
        do throws(Notice.Problem) {
            outcome = .success(try VectorMaps.style(try await document(), address))
        } catch {
            outcome = .failure(error)
        }
        state.withLock { state in
            state.style = try? outcome.get()
            if state.style == nil { state.loading = nil }
        }
        return outcome
    }

    private func document() async throws(Notice.Problem) -> [UInt8] {
        let request = try request.get()
        if !asksFirst, let stored = loader.stored(request) {
            if case .outdated = stored.standing { Task { try? await loader.load(request) } }
            return stored.body
        }
        do throws(DocumentFailure) {
            return try await loader.load(request).body
        } catch {
            throw Notice.Problem("\(error)")
        }
    }
}
