public import RhumbCore
internal import RhumbHTTP
internal import RhumbOpening
internal import RhumbStore

/// How an operation on packages ended: the ids of the packages that it changed, or why it did not
/// come to its end.
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
    /// What kind of failure it is.
    public enum Reason: String, Sendable, CaseIterable {
        /// What was asked for is not in the catalogue, or can't be done with it.
        case invalidParameters
        /// A person broke it off, which is no fault.
        case operationCancelled
        /// The store of regions, or the catalogue that is kept, can't be used.
        case initializationFailed
        /// A server could not be reached, or did not give what it should.
        case connectionFailed
        /// It came to its end, and some tiles could not be had.
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

    /// What kind of failure it is.
    public let reason: Reason
    /// What happened, where, and what to do; harmless to a terminal.
    public let message: String
    /// What helps besides.
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

/// An operation is asked for while another is under way.
public struct MapLoaderBusy: Error, Sendable, Equatable, CustomStringConvertible {
    /// The operation that is under way; nil where that can't be told.
    public let operation: MapLoaderTask.Operation?
    /// The process that does it, which may be this one; nil where that can't be told.
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
