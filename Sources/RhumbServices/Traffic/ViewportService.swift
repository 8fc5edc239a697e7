internal import RhumbBase
public import RhumbGeo
public import RhumbWeb

/// TomTom's Traffic Incident Viewport service, version 4, which names the newest model.
public enum ViewportService {
    /// A box in metres of EPSG:3857, with a zoom.
    public struct Box: Hashable, Sendable {
        /// The box in the form used in URLs.
        public let text: String
        /// The zoom to request.
        public let zoom: Int

        /// The smallest possible box, a few centimetres at the origin. Sufficient, because the model is the
        /// same worldwide.
        public static let smallest = Box(text: "0,0,.1,.1", zoom: 0)

        /// Creates the box of a view, "minY,minX,maxY,maxX"; nil if its longest side exceeds 16 tiles, the
        /// service's limit. x continues beyond 180°.
        public init?(of viewport: Viewport) {
            let zoom = Int(min(max(viewport.camera.zoom.rounded(), 0), 22))
            let box = viewport.box, tiles = Double(1 << zoom)
            let top = max(box.minY, 0)
            let bottom = min(box.maxY, 1)
            let longest = max(box.maxX - box.minX, bottom - top) * tiles
            guard longest <= 16, top < bottom else { return nil }
            func north(_ y: Double) -> Double { (1 - 2 * y) * Mercator.halfWorld }
            func east(_ x: Double) -> Double { (2 * x - 1) * Mercator.halfWorld }
            let edges = [north(bottom), east(box.minX), north(top), east(box.maxX)]
            self.init(text: edges.map { $0.plain(2) }.joined(separator: ","), zoom: zoom)
        }

        private init(text: String, zoom: Int) {
            self.text = text
            self.zoom = zoom
        }
    }

    /// Returns the address of a request. The overview uses the same box.
    /// - Parameters:
    ///   - base: "https://api.tomtom.com" or a substitute, without a trailing slash.
    ///   - key: The unencoded key. Descriptions of the address don't contain it.
    public static func address(base: String, key: String, box: Box) -> HTTPAddress {
        let secret = PercentCoding.encoded(key)
        let path = "\(box.text)/\(box.zoom)/\(box.text)/\(box.zoom)/false/json"
        return HTTPAddress(
            "\(base)/traffic/services/4/incidentViewport/\(path)?key=\(secret)", secrets: [key, secret])
    }

    /// The service's response.
    public struct Answer: Hashable, Sendable {
        /// The current model.
        public let model: TrafficModel
        /// The age of the model, 0 or more; zero if unknown.
        public let age: Duration

        /// Creates a response.
        public init(model: TrafficModel, age: Duration = .zero) {
            self.model = model
            self.age = age
        }

        /// Parses the JSON response.
        /// - Returns: nil if it names no model.
        public init?(reading body: [UInt8]) {
            guard let document = try? JSON.parse(body), let state = document["viewpResp"]?["trafficState"],
                let model = Answer.text(state["@trafficModelId"]).flatMap(TrafficModel.init)
            else { return nil }
            let age = Answer.text(state["@trafficAge"]).flatMap(Double.init) ?? 0
            self.init(model: model, age: .seconds(age.isFinite ? min(max(age, 0), 1e9) : 0))
        }

        /// Returns a text or a number as text; the service uses both.
        private static func text(_ json: JSON?) -> String? {
            json?.string ?? json?.int.map(String.init) ?? json?.double.map { "\($0)" }
        }
    }
}
