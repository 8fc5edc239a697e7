import RhumbCore
@testable import RhumbEngine
import RhumbTestSupport
import Synchronization

/// A provider controlled by a test that records its requests. The body of a tile is a single byte, the number
/// of its model or moment.
final class ScriptedTraffic: TrafficFetcher {
    struct State {
        var model: UInt8 = 1
        var requests: [TrafficRequest] = []
        var override: (@Sendable (TrafficRequest) -> TrafficAnswer?)?
        var isHolding = false
        var held: [(request: TrafficRequest, resume: CheckedContinuation<Void, Never>)] = []
    }
    let state = Mutex(State())

    func fetch(_ request: TrafficRequest) async -> TrafficAnswer {
        let isHeld = state.withLock { state in
            state.requests.append(request)
            return state.isHolding && request.tile != nil
        }
        let answer = answer(to: request)
        if isHeld {
            await withCheckedContinuation { resume in
                state.withLock { $0.held.append((request, resume)) }
            }
        }
        return answer
    }

    private func answer(to request: TrafficRequest) -> TrafficAnswer {
        let (model, override) = state.withLock { ($0.model, $0.override) }
        if let answer = override?(request) { return answer }
        guard request.tile != nil else { return .poll(naming: model) }
        let asked = request.model.flatMap { UInt8($0) }
        return .body(
            [asked ?? model], request.kind == .incidents ? ["TrafficModelID": "\(asked ?? model)"] : [:])
    }

    // MARK: Control by tests

    func set(model: UInt8) { state.withLock { $0.model = model } }

    /// Sets a function that replaces responses. If it returns nil, the default response is sent.
    func answer(_ override: @escaping @Sendable (TrafficRequest) -> TrafficAnswer?) {
        state.withLock { $0.override = override }
    }

    func hold(_ isHolding: Bool) { state.withLock { $0.isHolding = isHolding } }

    /// Releases the held response at a position, modulo their number.
    @discardableResult
    func release(_ place: Int) -> Bool {
        let resume = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard !state.held.isEmpty else { return nil }
            return state.held.remove(at: place % state.held.count).resume
        }
        resume?.resume()
        return resume != nil
    }

    func releaseAll() { while release(0) {} }

    func forget() { state.withLock { $0.requests = [] } }
    var requests: [TrafficRequest] { state.withLock { $0.requests } }
    var polls: Int { requests.count { $0.tile == nil } }
    var tiles: [TrafficRequest] { requests.filter { $0.tile != nil } }
    var heldCount: Int { state.withLock { $0.held.count } }
}

extension TrafficAnswer {
    static func poll(naming model: UInt8) -> TrafficAnswer {
        .body(
            Array(#"{"viewpResp":{"trafficState":{"@trafficAge":40,"@trafficModelId":"\#(model)"}}}"#.utf8),
            [:])
    }
}

extension TrafficRequest {
    var tile: TileID? { if case .tile(let tile) = subject { tile } else { nil } }

    /// The requested model; nil if there is none.
    var model: String? {
        URLReference(address.url).query?.split(separator: "&").first { $0.hasPrefix("t=") }
            .map { String($0.dropFirst(2)) }
    }
}

/// Decodes a tile of one byte to 256 × 256 pixels with that value as red.
struct OneByteDecoder: ImageDecoder {
    func decode(_ bytes: [UInt8], limits: ImageLimits) throws(ImageFailure) -> Raster {
        guard bytes.count == 1 else { throw .corrupt(kind: "one-byte", reason: "\(bytes.count) bytes") }
        return Raster(width: 256, height: 256, filledWith: RGB(red: bytes[0], green: 0, blue: 0))
    }
}

/// Traffic over an empty map, on a manual clock.
struct TrafficHarness: Sendable {
    let clock = ManualClock()
    let provider = ScriptedTraffic()
    let engine: TileEngine
    let traffic: TrafficTiles
    let view: Viewport

    /// - Parameter keys: The names of the providers' keys that are set.
    init(keys: [String] = ["TOMTOM_API_KEY"], columns: Int = 200, rows: Int = 60) {
        engine = TileEngine(decoder: OneByteDecoder(), clock: clock.engineClock)
        traffic = TrafficTiles(
            engine: engine, sources: TrafficSources(environment: { keys.contains($0) ? "topsecret" : nil }),
            decoder: OneByteDecoder(), fetcher: provider, ramp: nil, clock: clock.engineClock)
        view = Viewport(
            camera: Camera(center: Coordinate(latitude: 60.4, longitude: 22.3), zoom: 12), columns: columns,
            rows: rows)
    }

    /// Shows traffic, and waits until it is loaded.
    func start(_ choice: TrafficChoice) async throws {
        traffic.show(view, over: [])
        try traffic.choose(choice)
        await traffic.settled()
    }

    /// Advances second by second, each time waiting until all due work is done.
    func pass(_ seconds: Int) async {
        for _ in 0..<seconds {
            clock.advance(by: .seconds(1))
            var turn = 0
            while !isCalm && turn < 250 {
                turn += 1
                if turn < 50 { await Task.yield() } else { try? await Task.sleep(for: .milliseconds(1)) }
            }
        }
    }

    /// True if no work is due, no poll is running and no tile is being fetched. Held responses don't count.
    private var isCalm: Bool {
        if let status = traffic.status, status.isLoading, status.problem == nil,
            !provider.state.withLock({ $0.isHolding })
        {
            return false
        }
        return traffic.state.withLock { state in
            let isPolling =
                state.schedule.incidents.pollBegan != nil && state.schedule.active.contains(.incidents)
            return !isPolling && state.schedule.wake.map { $0 > clock.now } ?? true
        }
    }

    /// The drawn models or moments, by kind of traffic.
    var drawn: [LayerRole: Set<UInt8>] {
        let scene = traffic.scene(of: view, over: [])
        return Dictionary(
            scene.layers.map { ($0.layer.role, Set($0.pictures.map { $0.raster.pixels[0] })) },
            uniquingKeysWith: { $0.union($1) })
    }

    /// The number of visible tiles of one kind.
    var visibleCount: Int { traffic.layers.first?.cover(of: view).count ?? 0 }
}
