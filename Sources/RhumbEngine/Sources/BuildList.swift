public import RhumbCore

/// The list of builds of an archive with a new build each day, such as build-metadata.protomaps.dev: a JSON
/// array of objects with `key` (the file's name) and `version` (of the tile set).
public struct BuildList: Sendable, Equatable {
    /// The address of the list. It may contain the replaceable values of its source.
    public var address: String
    /// The version of the tile set. Later minor versions are accepted, too: "4" accepts 4.15.2.
    public var version: String

    /// The token in a source's address that the name of a build replaces.
    static let token = "build"
    /// The name that stands for all builds in the identity of tiles.
    static let newest = "newest.pmtiles"

    /// Creates a list.
    public init(address: String, version: String) {
        self.address = address
        self.version = version
    }

    /// The file name of the newest build of the accepted version; nil if the list has none.
    /// - Parameter list: The parsed list. Names begin with the date, so the greatest one is the newest.
    public func newestBuild(in list: JSON) -> String? {
        let names = (list.array ?? []).compactMap { build -> String? in
            let found = build["version"]?.string ?? ""
            return found == version || found.hasPrefix(version + ".") ? build["key"]?.string : nil
        }
        return names.filter(BuildList.isFileName).max()
    }

    private static func isFileName(_ name: String) -> Bool {
        name.hasSuffix(".pmtiles") && name.utf8.count <= 100
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"),
                    UInt8(ascii: "."):
                    true
                default: false
                }
            }
    }
}

extension SourceDefinition {
    /// The file name of the build that its address leads to; nil for the newest one.
    public var build: String? {
        get { values[BuildList.token] }
        set { values[BuildList.token] = newValue }
    }

    /// The document that lists its builds, as a source; nil if its archive has one address.
    public var buildListSource: SourceDefinition? {
        guard let builds else { return nil }
        var list = self
        list.kind = .tilejson
        list.addresses = [builds.address]
        list.builds = nil
        return list
    }
}
