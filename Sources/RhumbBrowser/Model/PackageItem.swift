public import RhumbCore

/// The identity of a package.
public struct PackageKey: Hashable, Sendable {
    /// The address or file of its catalogue.
    public let catalog: String
    /// The id in the catalogue.
    public let id: String

    /// Creates the key of a package.
    public init(_ id: String, of catalog: String) { (self.id, self.catalog) = (id, catalog) }
}

/// The packages of all catalogues.
public struct PackageList: Equatable, Sendable {
    /// The packages, each followed by the packages that it contains.
    public let items: [PackageItem]
    /// The failures of catalogues, as sentences.
    public let problems: [String]

    /// Creates a list of packages.
    public init(_ items: [PackageItem], problems: [String] = []) {
        self.items = items
        self.problems = problems
    }
}

/// A package in the outline.
public struct PackageItem: Equatable, Sendable {
    /// The installed part of a package.
    public enum Status: Sendable { case none, partial, installed }

    /// The package.
    public let key: PackageKey
    /// The number of packages that contain it.
    public let depth: Int
    /// The title.
    public let title: String
    /// The names, folded for comparison.
    public let names: String
    /// The installed part.
    public let status: Status
    /// True if an operation on it was interrupted.
    public let isBrokenOff: Bool
    /// The size on disk in bytes, or the maximum size.
    public let bytes: Int
    /// True if the size is that of the stored tiles.
    public let isMeasured: Bool
    /// The edition and its date as text: the installed edition, or the offered one if none is installed.
    public let edition: String
    /// The number of editions newer than the installed one.
    public let newer: Int
    /// True if it contains other packages.
    public let hasChildren: Bool
    /// The area; nil if the catalogue has none.
    public let area: PackageArea?
    /// The specifier of the map of its tiles; nil for a package made of other packages.
    public let map: String?

    /// Creates a package.
    public init(
        key: PackageKey, depth: Int, title: String, names: String, status: Status, isBrokenOff: Bool,
        bytes: Int,
        isMeasured: Bool, edition: String, newer: Int, hasChildren: Bool, area: PackageArea?, map: String?
    ) {
        self.key = key
        self.depth = depth
        self.title = title
        self.names = names
        self.status = status
        self.isBrokenOff = isBrokenOff
        self.bytes = bytes
        self.isMeasured = isMeasured
        self.edition = edition
        self.newer = newer
        self.hasChildren = hasChildren
        self.area = area
        self.map = map
    }
}

/// The plan of an operation.
public struct PackageOffer: Equatable, Sendable {
    /// A package, and the part to fetch.
    public struct Row: Equatable, Sendable {
        /// The package.
        public let name: String
        /// The editions and bytes, as text.
        public let amount: String

        /// Creates a row.
        public init(_ name: String, _ amount: String) { (self.name, self.amount) = (name, amount) }
    }

    /// The rows, one for each package.
    public let rows: [Row]
    /// Notes about the whole operation, as sentences.
    public let notes: [String]
    /// The operation; nil if nothing is to be done, or the disk is full.
    public let act: PackageAction.Kind?
    /// True if the user must state that the providers allow it.
    public let isToBePermitted: Bool
    /// The source of the included heights and the size that they add, as text; nil for no heights.
    public let heights: Heights?

    /// The heights that an installation includes.
    public struct Heights: Equatable, Sendable {
        /// The name or address of their source.
        public let source: String
        /// The size that they add, as text.
        public let size: String

        /// Creates the heights of an installation.
        public init(source: String, size: String) { (self.source, self.size) = (source, size) }
    }

    /// Creates a plan.
    public init(
        _ rows: [Row], notes: [String], act: PackageAction.Kind?, isToBePermitted: Bool = false,
        heights: Heights? = nil
    ) {
        self.heights = heights
        self.rows = rows
        self.notes = notes
        self.act = act
        self.isToBePermitted = isToBePermitted
    }
}

/// The progress of an operation on packages.
public struct PackageProgress: Equatable, Sendable {
    /// The package in progress.
    public let key: PackageKey?
    /// The title, with its number among several packages, such as "Finland 1/2".
    public let name: String
    /// The progress of the package: 0…100.
    public let percent: Int
    /// The state as text: "", "pausing", "paused", "waiting for the network", "installing".
    public let state: String
    /// The rate and the remaining time, in words.
    public let pace: String

    /// Creates the progress of an operation.
    public init(key: PackageKey?, name: String, percent: Int, state: String, pace: String) {
        self.key = key
        self.name = name
        self.percent = percent
        self.state = state
        self.pace = pace
    }

    /// The state of a paused operation whose last requests are still being answered.
    public static let pausing = "pausing"
    /// The state of a paused operation.
    public static let paused = "paused"

    /// True if the operation is paused, or will be once the requests in flight are finished.
    var isPaused: Bool { [PackageProgress.pausing, PackageProgress.paused].contains(state) }
}

/// A query that starts an operation on packages, or controls the running one. One operation runs at a time.
public struct PackageAction: Query {
    /// The kind of action.
    public enum Kind: Equatable, Sendable {
        /// Install packages that their providers allow, or for which the user has confirmed permission.
        case install([PackageKey], heights: PackageHeights = .automatic)
        case uninstall([PackageKey]), update
        /// Resume an interrupted operation.
        case `continue`
        /// Control the running operation.
        case pause, resume, cancel
    }

    /// Actions run at once, because they can control the running operation.
    public static var scheduling: QueryScheduling { .each }

    /// The kind of action.
    public let kind: Kind

    init(_ kind: Kind) { self.kind = kind }

    public typealias Response = Result<String, Notice.Problem>
}

/// A query for the packages of all catalogues. Catalogues that are not cached are fetched.
public struct PackageListQuery: Query {
    public typealias Response = PackageList
}

/// The choice of heights for packages.
public enum PackageHeights: Hashable, Sendable {
    /// The default source, if its provider allows downloads without asking, and they add less than a quarter.
    case automatic
    /// No heights, except those that are already installed.
    case none
    /// The heights of a source, by its name or address.
    case from(String)
}
