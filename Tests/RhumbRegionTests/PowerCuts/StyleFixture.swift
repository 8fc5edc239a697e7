import RhumbTestSupport

/// A style with a TileJSON document.
enum StyleFixture {
    /// Starts a server of the style, at /style.json.
    static func server() throws -> LoopbackServer {
        try LoopbackServer { request in
            switch request.target {
            case "/style.json": LoopbackReply(200, Array(style.utf8))
            case "/town.json": LoopbackReply(200, Array(tileJSON.utf8))
            default: LoopbackReply(404)
            }
        }
    }

    private static let style = """
        {"version":8,"name":"Red","sources":{"map":{"type":"vector","url":"town.json"}},
         "layers":[{"id":"w","type":"fill","source":"map","source-layer":"water"}]}
        """
    private static let tileJSON = """
        {"tilejson":"3.0.0","name":"Town","tiles":["{z}/{x}/{y}.pbf"],"vector_layers":[{"id":"water"}]}
        """
}
