public import RhumbCore
internal import RhumbHTTP
internal import RhumbOpening
internal import RhumbStore

/// The result of an operation on packages: the ids of the changed packages, or the failure.
public typealias MapLoaderResult = Result<[String], MapLoaderFailure>

extension MapLoaderResult {
    /// The result's value in JSON.
    public var word: String {
        switch self {
        case .success: "success"
        case .failure(let failure): failure.reason.rawValue
        }
    }

    /// Returns the ending of an operation with this result.
    /// - Parameter stop: The reason why the operation was stopped; nil if it wasn't.
    func ending(stop: JobState.Stop?) -> JobState.Ending {
        switch self {
        case .success: .complete
        case .failure(let failure) where failure.reason == .operationCancelled: .stopped(stop ?? .cancelled)
        case .failure(let failure): failure.reason == .incomplete ? .withGaps : .failed
        }
    }
}

/// The failure of an operation on packages.
public struct MapLoaderFailure: RecoverableError, Sendable, Equatable, CustomStringConvertible {
    /// The kind of a failure.
    public enum Reason: String, Sendable, CaseIterable {
        /// The request is not possible, or names something that the catalogue doesn't contain.
        case invalidParameters
        /// The user cancelled the operation. Not an error.
        case operationCancelled
        /// The store of regions or the stored catalogue can't be used.
        case initializationFailed
        /// A server could not be reached, or its response is unusable.
        case connectionFailed
        /// The operation ended, but some tiles could not be fetched.
        case incomplete
        /// No package covers the location or has the name.
        case searchFailed
        /// The disk or the quota has too little space.
        case insufficientStorage
        /// The provider does not allow the download, or the user has not confirmed that it does.
        case notPermitted
        /// The packages need more tile packs than the source's limit leaves.
        case packLimitExceeded
    }

    /// The kind of the failure.
    public let reason: Reason
    /// A sanitised sentence that states the problem, its location and the next step.
    public let message: String
    /// A command that may help; nil if there is none.
    public let remedy: RecoverySuggestion?
    /// The obstacle to reading from a server; nil for other failures.
    var obstacle: ArchiveFailure.Obstacle?

    /// Creates a failure. Sanitises the message, so that it is safe to print.
    public init(_ reason: Reason, _ message: String, _ remedy: RecoverySuggestion? = nil) {
        self.reason = reason
        self.message = SafeText.sanitised(message, limit: 300)
        self.remedy = remedy
    }

    public var description: String { message }
}

/// The error when an operation can't start because another one is running.
public struct MapLoaderBusy: Error, Sendable, Equatable, CustomStringConvertible {
    /// The running operation; nil if unknown.
    public let operation: PackageOperation?
    /// The id of the process that runs it, possibly this one; nil if unknown.
    public let process: Int?

    init(_ lock: PackageLockHeld) {
        operation = PackageOperation(rawValue: lock.operation)
        process = lock.process
    }

    public var description: String {
        let what = operation.map { "being \($0.word)" } ?? "being changed"
        return
            "packages are \(what)\(process.map { " by process \($0)" } ?? ""); wait until that is finished, or "
            + "cancel it"
    }
}

extension MapLoaderFailure {
    init(_ failure: RegionStoreFailure) {
        switch failure {
        case .quota: self.init(.insufficientStorage, "\(failure)", failure.remedy)
        case .refused(.overPackLimit(let source, let needed, let left, let limit, _)):
            self.init(
                .packLimitExceeded,
                "the pack limit of \(source) is reached (\(AmountText.count(needed)) more needed, \(AmountText.count(left)) of "
                    + "\(AmountText.count(limit)) left): uninstall a package or remove a region of that source",
                .listRegions)
        case .refused: self.init(.notPermitted, "\(failure)", failure.remedy)
        case .store(let store) where store.kind == .diskFull: self.init(.insufficientStorage, "\(failure)")
        default: self.init(.initializationFailed, "\(failure)", failure.remedy)
        }
    }

    init(_ failure: WebSourceFailure) {
        switch failure {
        case .source: self.init(.invalidParameters, "\(failure)", failure.remedy)
        case .document(let failure): self.init(failure)
        case .archive(let archive):
            self.init(.connectionFailed, "\(archive)")
            obstacle = archive.obstacle
        }
    }

    init(_ failure: DocumentFailure) {
        self.init(.connectionFailed, "\(failure)", failure.remedy)
        if case .notFetched(let cause) = failure, cause.isLostConnection { obstacle = .connection }
    }

    /// Combines the failures of several packages into one; nil if there are none.
    init?(all failures: [MapLoaderFailure]) {
        guard let first = failures.first(where: { $0.reason != .incomplete }) ?? failures.first else {
            return nil
        }
        self.init(first.reason, failures.map(\.message).joined(separator: "; "), first.remedy)
    }

    /// True if other packages may succeed.
    var concernsOnePackage: Bool {
        switch reason {
        case .incomplete, .connectionFailed, .invalidParameters, .searchFailed, .notPermitted: true
        case .operationCancelled, .initializationFailed, .insufficientStorage, .packLimitExceeded: false
        }
    }

    static let cancelled = MapLoaderFailure(.operationCancelled, "cancelled; fetched tiles are kept")
}
