internal import RhumbCore
internal import Synchronization

/// Simulated traffic, for those who have no key and for tests: TomTom's and HERE's services as
/// they speak, over a made-up network of roads all over the world. Every key but "bad" and "" is
/// good.
///
/// For whoever watches by hand, `/demo/model` makes a new model, `/demo/fault/429` a fault (see
/// `DemoFault`), `/demo/fault/none` ends it.
public final class DemoTraffic: Sendable {
    /// Stands in every tile that must not reach a disk.
    public static let marker = "rhumb-demo-tile-never-to-be-stored"
    /// Stands in every tile that may.
    public static let harmlessMarker = "rhumb-demo-tile-that-may-be-stored"
    /// Seconds from one model to the next.
    public static let modelSeconds = 60

    struct State {
        var fault: DemoFault?
        var extraModels = 0
        var requests: [String] = []
    }
    private let state = Mutex(State())
    private let seconds: @Sendable () -> Int

    /// - Parameter seconds: the time since 1970; a test passes its own.
    public init(seconds: @escaping @Sendable () -> Int) { self.seconds = seconds }

    /// What it does wrong now; nil: nothing.
    public var fault: DemoFault? {
        get { state.withLock { $0.fault } }
        set { state.withLock { $0.fault = newValue } }
    }

    /// Makes a new model ahead of time.
    public func renew() { state.withLock { $0.extraModels += 1 } }

    /// The last thousand paths asked for, without their queries.
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

    /// The moment shown now, in minutes.
    var moment: Int { seconds() / DemoTraffic.modelSeconds + state.withLock { $0.extraModels } }
    /// Seconds since the model was made.
    var age: Int { seconds() % DemoTraffic.modelSeconds }
    /// How the newest model is called.
    var model: String { DemoTraffic.model(of: moment) }

    static func model(of moment: Int) -> String { "\(moment * modelSeconds)" }

    /// The moment of a model that is not too old; the newest for none.
    func moment(of model: String?) -> Int? {
        guard let model, model != "-1" else { return moment }
        guard fault != .oldModel else { return nil }
        return [moment, moment - 1].first { DemoTraffic.model(of: $0) == model }
    }
}
