public import RhumbCore
public import RhumbEngine
internal import Dispatch
internal import Synchronization

/// A data source controlled by a test. It records its requests.
public final class ScriptedSource: TileLayerDataSource {
    public enum Step: Sendable {
        /// Answers immediately.
        case answer(TileAnswer)
        case fail(TileFailure)
        /// Blocks until `release()` and then answers.
        case block(TileAnswer)
        /// Accepts the request and adds it to `promised`.
        case promise
        case url(String)
        /// Doesn't answer at all.
        case silence
    }

    private let has: @Sendable (TileID) -> Bool
    private let script: @Sendable (TileID, Int) -> Step
    private let state = Mutex(State())
    private let gate = DispatchSemaphore(value: 0)

    private struct State {
        var asked: [TileID] = []
        var promised: [TileRequest] = []
        var inside: [TileID] = []
        var metTwice = false
    }

    /// Creates a source.
    /// - Parameter script: Returns the step for a tile and the number of its request, from 1.
    public init(
        has: @escaping @Sendable (TileID) -> Bool = { _ in true },
        script: @escaping @Sendable (TileID, Int) -> Step
    ) {
        self.has = has
        self.script = script
    }

    /// The requested tiles in order.
    public var asked: [TileID] { state.withLock { $0.asked } }
    /// The accepted requests.
    public var promised: [TileRequest] { state.withLock { $0.promised } }
    /// True if a tile was requested while another request for it was running.
    public var metTwice: Bool { state.withLock { $0.metTwice } }
    /// The number of running requests.
    public var insideCount: Int { state.withLock { $0.inside.count } }

    /// Lets blocked threads continue.
    public func release(_ count: Int = 1) { for _ in 0..<count { gate.signal() } }

    public func hasTile(_ tile: TileID) -> Bool { has(tile) }

    public func tile(_ tile: TileID) throws(TileFailure) -> TileAnswer? {
        let time = state.withLock { state in
            state.asked.append(tile)
            state.metTwice = state.metTwice || state.inside.contains(tile)
            state.inside.append(tile)
            return state.asked.count { $0 == tile }
        }
        defer { state.withLock { $0.inside.removeAll { $0 == tile } } }
        switch script(tile, time) {
        case .answer(let answer): return answer
        case .fail(let failure): throw failure
        case .block(let answer):
            gate.wait()
            return answer
        case .promise, .url, .silence: return nil
        }
    }

    public func begin(_ request: TileRequest) -> Bool {
        guard case .promise = script(request.tile, times(request.tile)) else { return false }
        state.withLock { $0.promised.append(request) }
        return true
    }

    public func url(for tile: TileID) -> String? {
        guard case .url(let url) = script(tile, times(tile)) else { return nil }
        return url
    }

    private func times(_ tile: TileID) -> Int {
        state.withLock { state in state.asked.count { $0 == tile } }
    }
}
