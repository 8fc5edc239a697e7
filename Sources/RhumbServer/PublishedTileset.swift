internal import RhumbStore
internal import Synchronization

/// A tileset under its name. After its archive was replaced, the new one is opened in the background, and the
/// old one is published until then.
final class PublishedTileset: Sendable {
    private struct State {
        var set: ServedTileset
        var edition = 0
        /// The file that is being opened, or could not be; nil for none.
        var attempted: FileFacts?
        var isOpening = false
    }

    /// The tileset to answer a request with.
    enum Current {
        /// The tileset, and the number of its edition.
        case ready(ServedTileset, edition: Int)
        /// The archive was changed in place, and is not open again yet.
        case opening
        /// The archive was changed in place, and can't be opened.
        case damaged
    }

    private let state: Mutex<State>

    init(_ set: ServedTileset) { state = Mutex(State(set: set)) }

    /// The description, for the catalogue.
    var set: ServedTileset { state.withLock { $0.set } }

    /// The tileset to use now. Starts to open an archive that replaced the published one.
    var current: Current {
        let (set, edition) = state.withLock { ($0.set, $0.edition) }
        guard let file = set.file, let reopen = set.reopen, let successor = file.successor else {
            return .ready(set, edition: edition)
        }
        let (isFirst, isOpening) = state.withLock { state in
            let isFirst = !state.isOpening && state.attempted != successor
            if isFirst { (state.isOpening, state.attempted) = (true, successor) }
            return (isFirst, state.isOpening)
        }
        if isFirst { Task { await open(reopen) } }
        guard successor.isSameFile(as: file.facts) else { return .ready(set, edition: edition) }
        return isOpening ? .opening : .damaged
    }

    private func open(_ reopen: @Sendable () async throws -> ServedTileset) async {
        let opened = try? await reopen()
        state.withLock { state in
            state.isOpening = false
            guard var opened else { return }
            opened.id = state.set.id
            opened.reopen = state.set.reopen
            state.set = opened
            state.edition += 1
        }
    }
}
