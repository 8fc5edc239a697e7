internal import RhumbBase
public import RhumbGeo
public import RhumbWeb

/// TomTom's Traffic Incident Viewport service, version 4: it names the newest model.
public enum ViewportService {
    /// A box in metres of EPSG:3857 with the zoom it is seen at.
    public struct Box: Hashable, Sendable {
        /// The box as the provider's address has it.
        public let text: String
        /// The zoom of the request.
        public let zoom: Int

        /// The cheapest box there is, a few centimetres at the zero point: the model is the same
        /// all over the world.
        public static let smallest = Box(text: "0,0,.1,.1", zoom: 0)

        /// The box of a view, "minY,minX,maxY,maxX"; nil if its longest side has more than 16 tiles, which
        /// the service rejects. Beyond 180° x continues.
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
            self.init(text: edges.map(Box.centimetres).joined(separator: ","), zoom: zoom)
        }

        private init(text: String, zoom: Int) {
            self.text = text
            self.zoom = zoom
        }

        private static func centimetres(_ metres: Double) -> String {
            let rounded = (metres * 100).rounded() / 100
            return rounded == 0 ? "0" : "\(rounded)"
        }
    }

    /// Returns the address of the request; the overview is the same box.
    /// - Parameters:
    ///   - base: "https://api.tomtom.com" or a replacement, without a slash at the end.
    ///   - key: The key, unescaped. Descriptions of the address hide it.
    public static func address(base: String, key: String, box: Box) -> HTTPAddress {
        let secret = PercentCoding.encoded(key)
        let path = "\(box.text)/\(box.zoom)/\(box.text)/\(box.zoom)/false/json"
        return HTTPAddress(
            "\(base)/traffic/services/4/incidentViewport/\(path)?key=\(secret)", secrets: [key, secret])
    }

    /// The response of the service.
    public struct Answer: Hashable, Sendable {
        /// Which traffic the answer is of.
        public let model: TrafficModel
        /// Since the model was made, 0 or more; zero if not said.
        public let age: Duration

        /// The answer of a service, so old already.
        public init(model: TrafficModel, age: Duration = .zero) {
            self.model = model
            self.age = age
        }

        /// Reads the JSON form.
        /// - Returns: nil if it names no model.
        public init?(reading body: [UInt8]) {
            guard let document = try? JSON.parse(body), let state = document["viewpResp"]?["trafficState"],
                let model = Answer.text(state["@trafficModelId"]).flatMap(TrafficModel.init)
            else { return nil }
            let age = Answer.text(state["@trafficAge"]).flatMap(Double.init) ?? 0
            self.init(model: model, age: .seconds(age.isFinite ? min(max(age, 0), 1e9) : 0))
        }

        /// Numbers come as such and as texts.
        private static func text(_ json: JSON?) -> String? {
            json?.string ?? json?.int.map(String.init) ?? json?.double.map { "\($0)" }
        }
    }
}
