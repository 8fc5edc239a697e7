internal import RhumbCore
internal import Synchronization

/// Simulates the traffic services of TomTom and HERE over a fictional worldwide road network, for tests and
/// for users without a key. Every key except "bad" and "" is valid.
///
/// For manual tests, `/demo/model` publishes a new model, `/demo/fault/429` sets a fault (see `DemoFault`),
/// and `/demo/fault/none` clears it.
public final class DemoTraffic: Sendable {
    /// A marker in every tile that must not be stored on disk.
    public static let marker = "rhumb-demo-tile-never-to-be-stored"
    /// A marker in every tile that may be stored.
    public static let harmlessMarker = "rhumb-demo-tile-that-may-be-stored"
    /// The number of seconds between models.
    public static let modelSeconds = 60

    struct State {
        var fault: DemoFault?
        var extraModels = 0
        var requests: [String] = []
    }
    private let state = Mutex(State())
    private let seconds: @Sendable () -> Int

    /// Creates a provider.
    /// - Parameter seconds: Returns the time in seconds since 1970, which tests can control.
    public init(seconds: @escaping @Sendable () -> Int) { self.seconds = seconds }

    /// The current fault; nil if there is none.
    public var fault: DemoFault? {
        get { state.withLock { $0.fault } }
        set { state.withLock { $0.fault = newValue } }
    }

    /// Publishes a new model ahead of time.
    public func renew() { state.withLock { $0.extraModels += 1 } }

    /// The paths of the most recent requests, up to a thousand, without their queries.
    public var requests: [String] { state.withLock { $0.requests } }

    /// Answers a request; see `DemoServer`.
    public func answer(_ request: DemoRequest) -> DemoReply {
        state.withLock { state in
            if state.requests.count >= 1000 { state.requests.removeFirst(500) }
            state.requests.append(String(request.target.prefix { $0 != "?" }))
        }
        let path = request.path
        switch path.first {
        case "demo": return control(Array(path.dropFirst()))
        case "v3": return here(request, Array(path.dropFirst()))
        case "traffic", "maps": return tomtom(request, path)
        default: return DemoReply(404)
        }
    }

    private func control(_ path: [String]) -> DemoReply {
        switch (path.first, path.count > 1 ? DemoFault(rawValue: path[1]) : nil) {
        case ("model", _): renew()
        case ("fault", let fault?): self.fault = fault
        case ("fault", nil) where path.last == "none": fault = nil
        default: return DemoReply(404)
        }
        return DemoReply(200, body: Array("done\n".utf8))
    }

    /// The current moment, in minutes.
    var moment: Int { seconds() / DemoTraffic.modelSeconds + state.withLock { $0.extraModels } }
    /// The number of seconds since the model was created.
    var age: Int { seconds() % DemoTraffic.modelSeconds }
    /// The identifier of the newest model.
    var model: String { DemoTraffic.model(of: moment) }

    static func model(of moment: Int) -> String { "\(moment * modelSeconds)" }

    /// Returns the moment of a model, or the newest moment if `model` is nil; nil if the model is too old.
    func moment(of model: String?) -> Int? {
        guard let model, model != "-1" else { return moment }
        guard fault != .oldModel else { return nil }
        return [moment, moment - 1].first { DemoTraffic.model(of: $0) == model }
    }
}
