internal import RhumbCore
internal import RhumbHTTP
internal import RhumbOpening
public import RhumbStore

/// The result of an operation on packages: the ids of the changed packages, or the failure.
public typealias MapLoaderResult = Result<[String], OfflineFailure>

extension MapLoaderResult {
    /// The result's value in JSON.
    public var word: String {
        switch self {
        case .success: "success"
        case .failure(let failure): MapLoaderFailure(failure).reason.rawValue
        }
    }

    /// The kind of the failure; nil for success.
    public var reason: MapLoaderFailure.Reason? {
        if case .failure(let failure) = self { MapLoaderFailure(failure).reason } else { nil }
    }

    /// Returns the ending of an operation with this result.
    /// - Parameter stop: The reason why the operation was stopped; nil if it wasn't.
    func ending(stop: JobState.Stop?) -> JobState.Ending {
        switch reason {
        case nil: .complete
        case .operationCancelled: .stopped(stop ?? .cancelled)
        case .incomplete: .withGaps
        default: .failed
        }
    }
}

extension MapLoaderFailure {
    /// Converts the failure of a region's download.
    init(_ failure: OfflineFailure) {
        switch failure {
        case .cancelled: self = .cancelled
        case .package(let failure): self = failure
        case .store(let failure): self.init(failure)
        default: self.init(.connectionFailed, "\(failure)", failure.remedy)
        }
    }

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
        if case .notFetched(let cause) = failure { obstacle = cause.obstacle }
    }

    /// Combines the failures of several packages into one; nil if there are none.
    init?(all failures: [MapLoaderFailure]) {
        guard let first = failures.first(where: { $0.reason != .incomplete }) ?? failures.first else {
            return nil
        }
        self.init(first.reason, failures.map(\.message).joined(separator: "; "), first.remedy)
    }

    /// The failure as one of a region's download; nil if waiting doesn't help.
    var temporaryFailure: SupplyFailure? {
        let kind: SupplyFailure.Kind? =
            switch obstacle {
            case .connection: .offline
            case .lostConnection(nil): .lost
            case .rateLimit(let pause): .wait(pause ?? SupplyFailure.usualPause)
            case .lostConnection(let pause?): .outage(pause)
            case .failingServer(let pause): .outage(pause ?? SupplyFailure.usualPause)
            case .wholeFilesOnly, nil: nil
            }
        return kind.map { SupplyFailure($0, message) }
    }

    /// True if the operation would be refused again, until the user changes something.
    var isRefusal: Bool {
        switch reason {
        case .invalidParameters, .searchFailed, .notPermitted, .packLimitExceeded, .insufficientStorage,
            .untrusted:
            true
        case .operationCancelled, .initializationFailed, .connectionFailed, .incomplete: false
        }
    }

    /// True if other packages may succeed.
    var concernsOnePackage: Bool {
        switch reason {
        case .incomplete, .connectionFailed, .invalidParameters, .searchFailed, .notPermitted: true
        case .operationCancelled, .initializationFailed, .insufficientStorage, .packLimitExceeded, .untrusted:
            false
        }
    }

    static let cancelled = MapLoaderFailure(.operationCancelled, "\(OfflineFailure.cancelled)")
}

/// A running operation on packages.
public typealias PackageJob = Job<PackageJobProgress, [String], OfflineFailure>

/// The progress of an operation on packages.
public struct PackageJobProgress: Sendable {
    /// The kind of the operation.
    public let operation: PackageOperation
    /// The current package; nil before the first.
    public var package: String?
    /// The number of finished packages, and the number of all.
    public var packages = (done: 0, planned: 0)
    /// The region that stores the current package; nil until its tiles are downloaded.
    public var record: RegionRecord?
    /// The bytes of an archive that is downloaded whole; `planned` is 0 if its size is unknown.
    public var archive = (received: 0, planned: 0)

    init(_ operation: PackageOperation) { self.operation = operation }

    /// The number of the package's processed tiles, and the number of all. A processed tile is stored, absent
    /// or failed.
    public var tiles: (settled: Int, planned: Int) { record.map { ($0.settled, $0.planned) } ?? (0, 0) }
}

extension Job where Progress == PackageJobProgress {
    /// Forwards the progress of a region's download until it ends. The job can't be cancelled after the last
    /// tile.
    /// - Throws: `MapLoaderFailure` if it was cancelled, or the store could not be written.
    func follow(_ region: RegionJob) async throws(MapLoaderFailure) -> RegionRecord {
        let outcome = await follow(region) { update in
            let record = update.progress
            report { $0.record = record }
            if let reason = update.state.waitingReason {
                apply(.disconnect(reason: reason))
            } else {
                apply(record.settled < record.planned ? .begin : .commit)
            }
        }
        do throws(OfflineFailure) { return try outcome.get() } catch { throw MapLoaderFailure(error) }
    }
}
