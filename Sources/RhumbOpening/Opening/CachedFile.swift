internal import RhumbCore
package import RhumbEngine
package import RhumbStore

/// Local files of styles, TileJSON and catalogues, which regions store like web documents.
package enum CachedFile {
    private static let limit = 64 << 20

    /// Returns the address that a file is stored under.
    package static func address(_ path: String) -> String { "file:" + Files.named(path) }

    /// Returns the file as a region stores it; nil if it can't be read.
    package static func document(_ path: String) -> RegionDocument? {
        guard let bytes = Files.read(path, limit: limit) else { return nil }
        let freshness = Freshness(receivedAt: .now, initialAge: 0, lifetime: 0)
        return RegionDocument(address: address(path), StoredResponse(body: bytes, freshness: freshness))
    }

    /// Reads the file, or its copy in a region if the file is gone.
    package static func read(_ path: String, _ store: (any ResponseStore)?) -> [UInt8]? {
        Files.read(path, limit: limit) ?? store?.response(for: .document(address(path)))?.body
    }
}
