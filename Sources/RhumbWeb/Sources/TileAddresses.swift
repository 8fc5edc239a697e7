internal import RhumbBase
public import RhumbGeo

/// The addresses of a template's tiles, with its secrets. If all of them have the same server and secrets, as
/// in nearly all cases, only the first is parsed.
public struct TileAddresses: Sendable {
    private let template: URLTemplate
    private let secrets: [String: String]
    /// An address that differs from the others only in its path and query; nil if they differ in more.
    private let model: HTTPAddress?

    /// - Parameter secrets: The unescaped values by name.
    public init(_ template: URLTemplate, secrets: [String: String] = [:]) {
        self.template = template
        self.secrets = secrets
        model = TileAddresses.model(of: template, secrets)
    }

    /// Returns the address of a tile, like the template's `address(for:secrets:)`.
    public func address(for tile: TileID) -> HTTPAddress {
        guard let model else { return template.address(for: tile, secrets: secrets) }
        return HTTPAddress(template.filled(for: tile, secrets).url, like: model)
    }

    /// Returns a model of the address from two tiles without a common number.
    private static func model(of template: URLTemplate, _ secrets: [String: String]) -> HTTPAddress? {
        let samples = [TileID(zoom: 3, x: 1, y: 2), TileID(zoom: 14, x: 9003, y: 6007)].compactMap(\.self).map
        {
            (template.address(for: $0, secrets: secrets), template.filled(for: $0, secrets).url)
        }
        guard let (first, _) = samples.first, !template.hasChoice else { return nil }
        return samples.allSatisfy { $0 == HTTPAddress($1, like: first) } ? first : nil
    }
}

extension TileID {
    /// The quadkey: a digit for each zoom from the coarsest, with the bit of x plus twice the bit of y.
    public var quadkey: String {
        var digits = ""
        for bit in (0..<zoom).reversed() {
            let east = (x >> bit) & 1
            let south = (y >> bit) & 1
            digits += "\(east + 2 * south)"
        }
        return digits
    }

    /// The western, southern, eastern and northern edge in metres of EPSG:3857, joined by commas, to the
    /// micrometre.
    var metreBox: String {
        let world = 40_075_016.685578488
        let box = box
        return [box.minX - 0.5, 0.5 - box.maxY, box.maxX - 0.5, 0.5 - box.minY]
            .map { ($0 * world).plain() }.joined(separator: ",")
    }
}
