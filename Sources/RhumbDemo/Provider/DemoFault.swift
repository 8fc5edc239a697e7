internal import RhumbCore

/// A fault that can be set in the simulated provider.
public enum DemoFault: String, Sendable, CaseIterable {
    case badKey = "403"
    case tooFast = "429"
    case outage = "503"
    case wrongVersion = "596"
    /// Every requested model is too old.
    case oldModel = "400"
    /// Vector tiles are truncated.
    case damage

    /// The response that replaces the service's; nil if the fault affects only models or tiles.
    var reply: DemoReply? {
        switch self {
        case .badKey: .gateway(403, "ERR_403_DEVELOPER_INACTIVE", "Developer Inactive")
        case .tooFast:
            DemoReply.gateway(429, "ERR_429_DEVELOPER_OVER_QPS", "Developer Over Qps").adding([
                "Retry-After": "60"
            ])
        case .outage: DemoReply(503)
        case .wrongVersion: .gateway(596, "ERR_596_SERVICE_NOT_FOUND", "Service Not Found")
        case .oldModel, .damage: nil
        }
    }
}

extension DemoReply {
    /// Returns an error response of TomTom's gateway.
    static func gateway(_ status: Int, _ code: String, _ message: String) -> DemoReply {
        DemoReply(
            status, headers: ["X-Mashery-Error-Code": code, "Content-Type": "text/xml"],
            body: Array("<h1>\(message)</h1>".utf8))
    }

    static func json(_ status: Int, _ json: JSON) -> DemoReply {
        DemoReply(status, headers: ["Content-Type": "application/json"], body: Array(json.text.utf8))
    }

    static func png(_ file: [UInt8]) -> DemoReply {
        DemoReply(200, headers: ["Content-Type": "image/png"], body: file)
    }

    static func vectorTile(_ tile: [UInt8]) -> DemoReply {
        DemoReply(200, headers: ["Content-Type": "application/x-protobuf"], body: tile)
    }

    /// Returns an error response of TomTom's tile service.
    static func invalid(_ message: String) -> DemoReply {
        .json(400, ["detailedError": ["code": "INVALID_REQUEST", "message": .string(message)]])
    }
}
