internal import RhumbCore
internal import RhumbEngine

/// A document of the web that features are read from, as it stands when it was asked for.
public struct OverlayDocument: Sendable {
    /// What it says; nil: it could not be had.
    public var body: [UInt8]?
    /// Why it could not be had, or may be out of date; nil: all is well.
    public var problem: String?
    /// Seconds since the server made it or confirmed it.
    public var age = 0.0
    /// Seconds after which it is looked for anew.
    public var renewal: Double
    /// Whether its server does not say how long it holds, so that it is asked about each time.
    public var isTimeless = false

    /// What could not be had at all.
    public init(problem: String, renewal: Double = Self.usualRenewals.upperBound) {
        self.problem = problem
        self.renewal = renewal
    }

    /// How soon documents are looked for anew at the least and at the most, in seconds; in between while they
    /// are fresh by what their server says.
    public static let usualRenewals = 60.0...3600

    /// Gets documents through a store of answers, by the rules of their servers and providers, with the keys
    /// that their addresses name.
    /// - Parameter renewals: as `usualRenewals`.
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
