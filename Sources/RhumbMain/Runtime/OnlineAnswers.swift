internal import Rhumb
internal import RhumbBrowser
internal import Synchronization

/// Puts the browser's questions to search services, away from the loop: one question at a time, the latest.
final class OnlineAnswers: Sendable {
    private struct State {
        /// A service by name, or by kind and address; empty: the usual one.
        var words = ""
        var work: Task<Void, Never>?
    }

    private let inbox: Inbox
    private let engine: OnlineSearchEngine
    private let catalog: SourceCatalog
    private let agreements: AcceptedTerms
    private let state = Mutex(State())

    init(_ session: MapSession, _ catalog: SourceCatalog, _ folders: Folders, _ inbox: Inbox) {
        self.inbox = inbox
        self.catalog = catalog
        agreements = AcceptedTerms(folders)
        engine = SearchCommand.engine(session, catalog)
    }

    func answer(_ question: OnlineQuestion) {
        switch question {
        case .service: inbox.put(.online(.service(service)))
        case .find(let query): find(query)
        case .choose(let words): choose(words)
        case .agree(let source): agree(source)
        }
    }

    private var words: String { state.withLock(\.words) }

    private var service: Result<String, Notice.Problem> {
        do throws(OnlineSearchFailure) {
            return .success(try engine.serviceName(words))
        } catch {
            return .failure(Notice.Problem(error))
        }
    }

    private func find(_ query: MapSearchQuery) {
        state.withLock { state in
            state.work?.cancel()
            state.work = Task.detached { [engine, inbox, words = state.words] in
                do throws(OnlineSearchFailure) {
                    inbox.put(
                        .online(.found(.success(try await engine.search(query, by: words)), for: query)))
                } catch {
                    guard error != .cancelled else { return }
                    inbox.put(.online(.found(.failure(Notice.Problem(error)), for: query)))
                }
            }
        }
    }

    private func choose(_ words: String) {
        let before = self.words
        state.withLock { $0.words = words }
        switch service {
        case .success(let name):
            inbox.put(
                .online(.said(.success("Online search: \(name). Press Enter on its line in a search."))))
        case .failure(let problem):
            state.withLock { $0.words = before }
            inbox.put(.online(.said(.failure(problem))))
        }
    }

    private func agree(_ source: String) {
        let known = ((try? catalog.searchServices()) ?? []).filter(\.policy.needsAgreement)
        guard known.contains(where: { $0.id == source }) else {
            let names = known.map(\.id).joined(separator: ", ")
            return inbox.put(
                .online(.said(.failure(Notice.Problem("agree: expected one of \(names)", word: source)))))
        }
        Task.detached(executorPreference: BlockingExecutor.shared) { [self] in
            do throws(Notice.Problem) {
                if let warning = try agreements.add(source) { inbox.put(.trouble(warning.description)) }
                choose(source)
            } catch {
                inbox.put(.online(.said(.failure(error))))
            }
        }
    }
}
