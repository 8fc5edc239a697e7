public import RhumbCore

/// Which package is meant.
public struct PackageKey: Hashable, Sendable {
    /// The address or file of its catalogue.
    public let catalog: String
    /// Its id in the catalogue.
    public let id: String

    /// A package of a catalogue.
    public init(_ id: String, of catalog: String) { (self.id, self.catalog) = (id, catalog) }
}

/// What is asked of the catalogues of packages.
public enum PackageQuestion: Equatable, Sendable {
    /// Which packages there are, as they are known; a server is asked for a catalogue of which nothing is.
    case list
    /// What installing packages would fetch.
    case plan([PackageKey])
    /// What is newer than what is installed; servers are asked.
    case check
    case act(PackageAct)
}

/// What can be done with packages; one at a time.
public enum PackageAct: Equatable, Sendable {
    /// Of providers that allow it, or the person said so.
    case install([PackageKey])
    case uninstall([PackageKey]), update
    /// Go on with what was broken off.
    case goOn
    /// What is under way.
    case pause, resume, cancel
}

/// What the catalogues answer.
public enum PackageAnswer: Sendable {
    case list(PackageList)
    /// What an installation or an update would fetch, or why it can't be told.
    case plan(Result<PackageOffer, Notice.Problem>, to: PackageQuestion)
    /// How far the operation is that is under way; nil: none is.
    case progress(PackageProgress?)
    /// What came of an operation.
    case done(Result<String, Notice.Problem>)
    /// What the person should know of packages from before, in a sentence.
    case standing(String)
}

/// All packages of all catalogues.
public struct PackageList: Equatable, Sendable {
    /// Each before those that lie in it.
    public let items: [PackageItem]
    /// Sentences: which catalogues can't be had, and why.
    public let problems: [String]

    /// What the catalogues have.
    public init(_ items: [PackageItem], problems: [String] = []) {
        (self.items, self.problems) = (items, problems)
    }
}

/// A package in the outline.
public struct PackageItem: Equatable, Sendable {
    /// How much of it is there.
    public enum Status: Sendable { case none, partial, installed }

    /// Which package it is.
    public let key: PackageKey
    /// Packages that it lies in, one in the other.
    public let depth: Int
    /// What people call it.
    public let title: String
    /// What it is found by: all its names, as they are compared.
    public let names: String
    /// How much of it is there.
    public let status: Status
    /// Something of it was begun, and nobody works on it.
    public let isBrokenOff: Bool
    /// The bytes on disk, or the most that it may take.
    public let bytes: Int
    /// Whether they were counted on the disk.
    public let isMeasured: Bool
    /// The edition that is installed, else the one that is offered, and its day, in words.
    public let edition: String
    /// Editions that came out since the installed one.
    public let newer: Int
    /// Whether others lie in it.
    public let hasChildren: Bool
    /// Where it is; nil where its catalogue doesn't say.
    public let area: PackageArea?
    /// The words that open the map that its tiles are of; nil for one made of others.
    public let map: String?

    /// A package as the outline shows it.
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

/// What an operation would fetch.
public struct PackageOffer: Equatable, Sendable {
    /// A package, and what of it is fetched.
    public struct Row: Equatable, Sendable {
        /// The package.
        public let name: String
        /// Editions and bytes, in words.
        public let amount: String

        /// A package and what of it is fetched.
        public init(_ name: String, _ amount: String) { (self.name, self.amount) = (name, amount) }
    }

    /// One for each package.
    public let rows: [Row]
    /// Sentences about all of them.
    public let notes: [String]
    /// What does it; nil where there is nothing to do, or no room.
    public let act: PackageAct?
    /// Whether the person must say first that the providers allow it.
    public let isToBePermitted: Bool

    /// What an operation would fetch.
    public init(_ rows: [Row], notes: [String], act: PackageAct?, isToBePermitted: Bool = false) {
        self.rows = rows
        self.notes = notes
        self.act = act
        self.isToBePermitted = isToBePermitted
    }
}

/// How far an operation on packages is.
public struct PackageProgress: Equatable, Sendable {
    /// The package that is worked on.
    public let key: PackageKey?
    /// Its title, and its place among several: "Finland 1/2".
    public let name: String
    /// 0…100, whole, of the package.
    public let percent: Int
    /// "", "paused", "waiting for the network", "putting it in its place"
    public let state: String
    /// How fast and how long still, in words.
    public let pace: String

    /// An operation as the status line shows it.
    public init(key: PackageKey?, name: String, percent: Int, state: String, pace: String) {
        self.key = key
        self.name = name
        self.percent = percent
        self.state = state
        self.pace = pace
    }
}
