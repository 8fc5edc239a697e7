internal import RhumbCore
internal import RhumbEngine

/// A web document with features, as of the time of its request.
public struct OverlayDocument: Sendable {
    /// The contents; nil if the request failed.
    public var body: [UInt8]?
    /// The reason why the request failed, or why the document may be stale; nil if there is none.
    public var problem: String?
    /// The time in seconds since the server created or confirmed the document.
    public var age = 0.0
    /// The time in seconds until the document is requested again.
    public var renewal: Double
    /// True if the server sends no lifetime, so that the document is revalidated each time.
    var isTimeless = false

    /// Creates a document for a failed request.
    public init(problem: String, renewal: Double = Self.usualRenewals.upperBound) {
        self.problem = problem
        self.renewal = renewal
    }

    /// The shortest and the longest interval between two requests for a document, in seconds. Within these
    /// limits, the document's freshness decides.
    public static let usualRenewals = 5.0...3600
    /// The interval in seconds if the request failed, or the server states no lifetime.
    private static let undated = 60.0

    /// Returns a function that loads documents through a response store, according to the rules of their
    /// servers and providers, with the keys named in their addresses.
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
                var advice = ""
                if case .notFetched(let failure) = error, failure.fault == .tooLarge {
                    advice = "; download it and open the file"
                }
                return OverlayDocument(
                    problem: error.remedy?.unreachableHost ?? "\(error)" + advice, renewal: retry(renewals))
            }
        }
    }

    private static func retry(_ renewals: ClosedRange<Double>) -> Double {
        min(max(undated, renewals.lowerBound), renewals.upperBound)
    }

    private init(_ document: Document, _ renewals: ClosedRange<Double>) {
        body = document.body
        age = Double(document.age)
        isTimeless = document.headers["Cache-Control"] == nil && document.headers["Expires"] == nil
        let freshness = document.stored.freshness, lifetime = Double(freshness.lifetime)
        renewal =
            isTimeless || lifetime <= 0 || freshness.alwaysRevalidate
            ? Self.retry(renewals) : min(max(lifetime - age, renewals.lowerBound), renewals.upperBound)
        guard case .outdated(let failure) = document.standing else { return }
        renewal = Self.retry(renewals)
        problem =
            "showing the cached copy, \(AmountText.age(document.age)) old"
            + (failure.map {
                $0.isGone ? "; the server no longer has it" : ": \($0.remedy?.unreachableHost ?? $0.message)"
            } ?? "")
    }
}
