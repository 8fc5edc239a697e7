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
        dispatcher.handle(OnlineServiceQuery.self) { query, _, reply in reply(offer(query.service)) }
        dispatcher.handle(OnlineSearchQuery.self) { query, _, reply in
            do throws(OnlineSearchFailure) {
                reply(.success(try await engine.search(query.query, by: query.service)))
            } catch {
                if error != .cancelled { reply(.failure(Notice.Problem(shown: error))) }
            }
        }
        dispatcher.handle(ChooseSearchService.self) { query, _, reply in
            do throws(Notice.Problem) {
                if query.acceptsTerms { try accept(query.service) }
                reply(offer(query.service))
            } catch {
                reply(.failure(error))
            }
        }
    }

    /// Returns the service with a name. If that is empty, this is the one whose rules the user accepted, or
    /// else the first one that can be accepted.
    private func offer(_ service: String) -> Result<ServiceOffer, Notice.Problem> {
        do throws(OnlineSearchFailure) {
            return .success(
                ServiceOffer(id: service, name: try engine.serviceName(service), isAccepted: true))
        } catch {
            let listed = ((try? catalog.searchServices()) ?? []).filter(\.policy.needsAgreement)
            let source: SourceDefinition? =
                switch error {
                case .notAgreed(let id, _, _): listed.first { $0.id == id }
                case .noService where service.isEmpty: listed.first
                default: nil
                }
            guard let source else { return .failure(Notice.Problem(shown: error)) }
            return .success(ServiceOffer(source, isAccepted: false))
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

extension ServiceOffer {
    /// - Parameter source: A service in the list of sources.
    /// - Parameter environment: Returns the value of a variable.
    init(
        _ source: SourceDefinition, isAccepted: Bool,
        environment: (String) -> String? = { Environment.all[$0] }
    ) {
        // The list of builds may be on another host.
        var list = source
        list.addresses = [source.builds?.address].compactMap(\.self)
        list.builds = nil
        let hosts = [source, list].compactMap { part in
            (try? part.templates(environment: environment))?.first.flatMap { URLReference($0.canonical).host }
        }
        self.init(
            id: source.id, name: source.name, host: Set(hosts).sorted().joined(separator: " and "),
            rules: source.policy.policyURL ?? "", isAccepted: isAccepted)
    }
}
