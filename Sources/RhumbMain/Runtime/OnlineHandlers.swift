internal import Rhumb
internal import RhumbBrowser

/// Handles queries to online search services.
struct OnlineHandlers: Sendable {
    private let engine: OnlineSearchEngine
    private let catalog: SourceCatalog
    private let terms: AcceptedTerms
    private let report: @Sendable (Notice.Problem) -> Void

    /// - Parameter report: Receives problems that are reported in addition to a response.
    init(
        _ session: MapSession, _ catalog: SourceCatalog, _ folders: Folders,
        report: @escaping @Sendable (Notice.Problem) -> Void
    ) {
        self.catalog = catalog
        self.report = report
        terms = AcceptedTerms(folders)
        engine = SearchCommand.engine(session, catalog, folders)
    }

    func register(on dispatcher: QueryDispatcher) {
        dispatcher.handle(OnlineServiceQuery.self) { query, _, reply in reply(name(of: query.service)) }
        dispatcher.handle(OnlineSearchQuery.self) { query, _, reply in
            do throws(OnlineSearchFailure) {
                reply(.success(try await engine.search(query.query, by: query.service)))
            } catch {
                if error != .cancelled { reply(.failure(Notice.Problem(error))) }
            }
        }
        dispatcher.handle(ChooseSearchService.self) { query, _, reply in
            do throws(Notice.Problem) {
                if query.acceptsTerms { try accept(query.service) }
                reply(name(of: query.service))
            } catch {
                reply(.failure(error))
            }
        }
    }

    private func name(of service: String) -> Result<String, Notice.Problem> {
        do throws(OnlineSearchFailure) {
            return .success(try engine.serviceName(service))
        } catch {
            return .failure(Notice.Problem(error))
        }
    }

    /// Records that the user accepts the terms of a service.
    private func accept(_ service: String) throws(Notice.Problem) {
        let known = ((try? catalog.searchServices()) ?? []).filter(\.policy.needsAgreement).map(\.id)
        guard known.contains(service) else {
            throw Notice.Problem(
                "agree: expected one of \(known.joined(separator: ", "))", word: service)
        }
        if let warning = try terms.add(service) { report(warning) }
    }
}
