internal import RhumbCore
internal import RhumbEngine

/// A web document with features, at the time of its request.
public struct OverlayDocument: Sendable {
    /// The contents; nil if the request failed.
    public var body: [UInt8]?
    /// The reason why it failed or may be stale; nil for none.
    public var problem: String?
    /// The seconds since the server created or confirmed it.
    public var age = 0.0
    /// The seconds until it is requested again.
    public var renewal: Double
    /// True if its server sends no lifetime, so that it is revalidated each time.
    public var isTimeless = false

    /// Creates a document that failed.
    public init(problem: String, renewal: Double = Self.usualRenewals.upperBound) {
        self.problem = problem
        self.renewal = renewal
    }

    /// The shortest and longest interval between two requests for a document, in seconds. In between, its
    /// freshness decides.
    public static let usualRenewals = 60.0...3600

    /// Returns a function that loads documents through a response store, by the rules of their servers and
    /// providers, with the keys that their addresses name.
    /// - Parameter renewals: See `usualRenewals`.
    public static func loading(
        _ web: WebSourceOpener, renewals: ClosedRange<Double> = usualRenewals
    ) -> OverlayFeed.Loading {
        { address, isReload in
            let resource: WebResource
            do throws(WebSourceFailure) { resource = try web.resource(document: address) } catch {
                return OverlayDocument(problem: "\(error)", renewal: renewals.upperBound)
            }
            do throws(DocumentFailure) {
                return OverlayDocument(try await web.loader.load(resource, isReload: isReload), renewals)
            } catch {
                return OverlayDocument(problem: "\(error)", renewal: renewals.lowerBound)
            }
        }
    }

    private init(_ document: Document, _ renewals: ClosedRange<Double>) {
        body = document.body
        age = Double(document.age)
        isTimeless = document.headers["Cache-Control"] == nil && document.headers["Expires"] == nil
        let left = isTimeless ? 0 : Double(document.stored.freshness.lifetime) - age
        renewal = min(max(left, renewals.lowerBound), renewals.upperBound)
        guard case .outdated(let failure) = document.standing else { return }
        renewal = renewals.lowerBound
        problem =
            "showing the cached copy, \(AmountText.age(document.age)) old"
            + (failure.map { ": \($0.message)" } ?? "")
    }
}
