public import RhumbCore
internal import RhumbHTTP
internal import RhumbOpening
internal import RhumbStore

/// The result of an operation on packages: the ids of the changed packages, or the reason of the failure.
public typealias MapLoaderResult = Result<[String], MapLoaderFailure>

extension MapLoaderResult {
    /// As it is written in JSON.
    public var word: String {
        switch self {
        case .success: "success"
        case .failure(let failure): failure.reason.rawValue
        }
    }
}

/// Why something that is done with packages did not come to its end.
public struct MapLoaderFailure: Remediable, Sendable, Equatable, CustomStringConvertible {
    /// The kind of a failure.
    public enum Reason: String, Sendable, CaseIterable {
        /// The catalogue has no such package, or the package does not allow the operation.
        case invalidParameters
        /// A person broke it off, which is no fault.
        case operationCancelled
        /// The store of regions, or the catalogue that is kept, can't be used.
        case initializationFailed
        /// A server was unreachable or sent an invalid response.
        case connectionFailed
        /// The operation ended, and some tiles are missing.
        case incomplete
        /// Nothing is at that place or of that name.
        case searchFailed
        /// The disk or the quota is too small.
        case insufficientStorage
        /// The provider does not allow the download, or the user has not stated that it does.
        case notPermitted
        /// The packages need more packs of a source than its limit leaves.
        case packLimitExceeded
    }

    /// The kind of the failure.
    public let reason: Reason
    /// The failure, its place and the remedy, in a sentence that is safe for a terminal.
    public let message: String
    /// A further remedy; nil for none.
    public let remedy: Remedy?
    /// The obstacle to reading from a server; nil for other failures.
    var obstacle: ArchiveFailure.Obstacle?

    /// A failure; the message is made harmless to a terminal.
    public init(_ reason: Reason, _ message: String, _ remedy: Remedy? = nil) {
        self.reason = reason
        self.message = SafeText.sanitised(message, limit: 300)
        self.remedy = remedy
    }

    public var description: String { message }
}

/// An operation was requested while another one is running.
public struct MapLoaderBusy: Error, Sendable, Equatable, CustomStringConvertible {
    /// The running operation; nil if unknown.
    public let operation: MapLoaderTask.Operation?
    /// The id of the process that runs it, possibly this one; nil if unknown.
    public let process: Int?

    init(_ lock: PackageLockHeld) {
        operation = MapLoaderTask.Operation(rawValue: lock.operation)
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

    /// The failure of an operation in which packages failed; nil if none did.
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
