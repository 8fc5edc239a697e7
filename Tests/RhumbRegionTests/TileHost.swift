import RhumbCore
import RhumbTestSupport
import Synchronization

/// A tile server whose replies a test can change. Tiles are at /Z/X/Y.png. Each tile has a different body in
/// each version.
final class TileHost: Sendable {
    struct Manner {
        var version = 1
        var control: String? = "max-age=3600"
        var hasValidators = true
        /// Replacements of responses by target, or for all targets under "".
        var replies: [String: @Sendable (LoopbackRequest) -> LoopbackReply?] = [:]
    }

    let server: LoopbackServer

    init() throws {
        let manner = Shared(Manner())
        shared = manner
        server = try LoopbackServer { TileHost.reply($0, manner.value) }
    }

    private final class Shared: Sendable {
        private let state: Mutex<Manner>
        init(_ manner: Manner) { state = Mutex(manner) }
        var value: Manner { state.withLock { $0 } }
        func change(_ change: (inout Manner) -> Void) { state.withLock { change(&$0) } }
    }
    private let shared: Shared

    func change(_ change: (inout Manner) -> Void) { shared.change(change) }

    /// Replaces the response for a target, or for all targets by default.
    func answer(_ target: String = "", _ reply: @escaping @Sendable (LoopbackRequest) -> LoopbackReply?) {
        change { $0.replies[target] = reply }
    }

    /// Holds the tiles of a zoom, in a version.
    func hold(zoom: Int, version: Int) -> LoopbackGate {
        let gate = LoopbackGate()
        answer { request in
            guard let tile = TileHost.tile(request.target[...]), tile.zoom == zoom else { return nil }
            return LoopbackReply(200, TileHost.body(tile, version)).with { $0.gate = gate }
        }
        return gate
    }

    func behave() { change { $0.replies = [:] } }

    private static func reply(_ request: LoopbackRequest, _ manner: Manner) -> LoopbackReply {
        let path = request.target.prefix { $0 != "?" }
        for key in [String(path), ""] {
            if let reply = manner.replies[key]?(request) { return reply }
        }
        guard let tile = TileHost.tile(path) else { return LoopbackReply(404) }
        let etag = "\"\(tile) v\(manner.version)\""
        var reply =
            manner.hasValidators
            ? LoopbackReply.validated(request, etag: etag, body: body(tile, manner.version))
            : LoopbackReply(200, body(tile, manner.version))
        if let control = manner.control { reply.headers.append(("Cache-Control", control)) }
        return reply
    }

    static func tile(_ target: Substring) -> TileID? {
        let parts = target.split { "/.?".contains($0) }.prefix(3).map { Int($0) }
        guard parts.count == 3, let z = parts[0], let x = parts[1], let y = parts[2] else { return nil }
        return TileID(zoom: z, x: x, y: y)
    }

    /// Returns an image whose end identifies the tile.
    static func body(_ tile: TileID, _ version: Int = 1) -> [UInt8] {
        picture(60 + (tile.x * 7 + tile.y * 13) % 40, seed: 7) + Array("\(tile) v\(version)".utf8)
    }

    /// The requested tiles, in order.
    var asked: [TileID] { server.record.requests.compactMap { TileHost.tile($0.target[...]) } }
}

/// Returns a PNG of 256×256 pixels followed by this many bytes.
func picture(_ count: Int, seed: UInt8) -> [UInt8] { plainPicture + [UInt8](repeating: seed, count: count) }

private let plainPicture = blankPicture(RGB(0x336699), side: 256)
