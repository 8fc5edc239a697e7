internal import RhumbCore
internal import RhumbEngine
internal import RhumbHTTP

/// A style at an address, fetched once for all its users; after a failure it is fetched again.
actor FetchedStyle {
    private typealias Loading = Task<Result<LoadedStyle, MapOpenFailure>, Never>

    private let address: String
    /// True to use a stored style of any age, and revalidate it in the background.
    private let prefersStored: Bool
    private var loading: Loading?

    init(_ address: String, prefersStored: Bool) {
        self.address = address
        self.prefersStored = prefersStored
    }

    func style(_ web: WebSourceOpener) async throws(MapOpenFailure) -> LoadedStyle {
        let loading = loading ?? Loading { await load(web) }
        self.loading = loading
        let style = await loading.value
        if case .failure = style, self.loading == loading { self.loading = nil }
        return try style.get()
    }

    private func load(_ web: WebSourceOpener) async -> Result<LoadedStyle, MapOpenFailure> {
        do throws(WebSourceFailure) {
            let document = try await web.document(try web.resource(document: address), prefersStored)
            let loaded: LoadedStyle
            do throws(MapOpenFailure) { loaded = try LoadedStyle(document.body, at: address) } catch {
                return .failure(error)
            }
            return .success(await web.illustrated(loaded))
        } catch {
            return .failure(.web(error))
        }
    }
}
