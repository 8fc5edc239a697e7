@testable import Rhumb
import RhumbCore
@testable import RhumbStore
import RhumbTestSupport
import Synchronization

/// A publisher that releases one edition of a TileJSON after another, and a user who has the program.
final class EditionHost: Sendable {
    let box: CommandFixture
    private let ending: String
    private let vectorLayers: [String]
    private let body: @Sendable (TileID, _ edition: Int) -> [UInt8]
    private let number = Mutex(1)

    var edition: Int { number.withLock { $0 } }
    var address: String { box.host.server.url("/map.json") }

    /// - Parameters:
    ///   - ending: The extension of the tiles' addresses.
    ///   - vectorLayers: The layers that the document lists.
    init(
        _ ending: String, vectorLayers: [String] = [],
        body: @escaping @Sendable (TileID, _ edition: Int) -> [UInt8]
    ) throws {
        box = try CommandFixture()
        self.ending = ending
        self.vectorLayers = vectorLayers
        self.body = body
        box.folder.write(Array("{}".utf8), to: "config.json")
        box.host.answer { [weak self] in self?.reply($0) }
    }

    func publish() { number.withLock { $0 += 1 } }

    private func reply(_ request: LoopbackRequest) -> LoopbackReply {
        if request.target == "/map.json" { return LoopbackReply(200, Array(document.text.utf8)) }
        guard let tile = TileHost.tile(request.target[...]),
            let number = Int(request.target.split(separator: "=").last ?? "")
        else { return LoopbackReply(404) }
        return LoopbackReply(200, body(tile, number), headers: ["Cache-Control": "max-age=3600"])
    }

    private var document: JSON {
        var members = JSONObject()
        members["tilejson"] = "3.0.0"
        members["version"] = .string("\(edition).0.0")
        members["maxzoom"] = 9
        members["tiles"] = [.string(box.host.server.url("/{z}/{x}/{y}.\(ending)?e=\(edition)"))]
        if !vectorLayers.isEmpty {
            members["vector_layers"] = .array(vectorLayers.map { ["id": .string($0), "fields": [:]] })
        }
        return .object(members)
    }

    /// Returns the tiles that a region shows, with their bodies.
    func shown(_ id: String = "home") throws -> [(tile: TileID, body: [UInt8])] {
        let store = try RegionStore(box.storePath)
        return try store.region(id).covers.flatMap { origin, cover in
            cover.tiles().compactMap { tile in
                store.response(for: .tile(origin: origin, tile))?.body.map { (tile, $0) }
            }
        }
    }
}
