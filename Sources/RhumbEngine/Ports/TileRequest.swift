public import RhumbCore
internal import Synchronization

/// A request for a tile that a data source delivers later. It is completed once, from any thread. Completions
/// after the first one, or after the engine stopped waiting, are ignored.
public final class TileRequest: Sendable {
    /// The status of a request.
    public enum Status: String, Sendable { case pending, complete, failed, cancelled }

    /// The requested tile.
    public let tile: TileID
    /// The layer that needs the tile.
    public let layer: TileLayer
    private let state: Mutex<State>

    private struct State {
        var status = Status.pending
        var finish: (@Sendable (Result<TileAnswer, TileFailure>) -> Void)?
        var abandon: (@Sendable () -> Void)?
    }

    /// Creates a request that passes its outcome to `finish`, once, on the completing thread.
    public init(
        tile: TileID, of layer: TileLayer,
        finish: @escaping @Sendable (Result<TileAnswer, TileFailure>) -> Void
    ) {
        self.tile = tile
        self.layer = layer
        state = Mutex(State(finish: finish))
    }

    /// The status.
    public var status: Status { state.withLock { $0.status } }

    /// True if the engine no longer needs the tile. A source may poll it and stop.
    public var isCancelled: Bool { status == .cancelled }

    /// Delivers the tile.
    /// - Returns: False if the request had already ended; the call then has no effect.
    @discardableResult
    public func complete(_ answer: TileAnswer) -> Bool { end(.complete, .success(answer)) }

    /// Fails the request for now.
    /// - Returns: False if the request had already ended; the call then has no effect.
    @discardableResult
    public func fail(_ failure: TileFailure) -> Bool { end(.failed, .failure(failure)) }

    /// Ends the request without an outcome, and calls the source's `onCancel` closure.
    @discardableResult
    public func cancel() -> Bool {
        let abandon = state.withLock { state -> (@Sendable () -> Void)?? in
            guard state.status == .pending else { return nil }
            state.status = .cancelled
            state.finish = nil
            defer { state.abandon = nil }
            return .some(state.abandon)
        }
        guard let abandon else { return false }
        abandon?()
        return true
    }

    /// Sets the closure that is called once when the request is cancelled, immediately if it already is.
    public func onCancel(_ abandon: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state -> Bool in
            if state.status == .pending { state.abandon = abandon }
            return state.status == .cancelled
        }
        if isOver { abandon() }
    }

    private func end(_ status: Status, _ outcome: Result<TileAnswer, TileFailure>) -> Bool {
        let finish = state.withLock { state -> (@Sendable (Result<TileAnswer, TileFailure>) -> Void)? in
            guard state.status == .pending else { return nil }
            state.status = status
            state.abandon = nil
            defer { state.finish = nil }
            return state.finish
        }
        finish?(outcome)
        return finish != nil
    }
}
