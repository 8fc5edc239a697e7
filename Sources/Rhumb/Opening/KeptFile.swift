internal import RhumbCore
internal import RhumbEngine
internal import RhumbStore

/// Styles, TileJSON and catalogues in files, which regions carry as they do documents of the web.
enum KeptFile {
    private static let limit = 64 << 20

    /// What a file is stored under.
    static func address(_ path: String) -> String { "file:" + Files.named(path) }

    /// The file as a region carries it; nil if it can't be read.
    static func document(_ path: String) -> RegionDocument? {
        guard let bytes = Files.read(path, limit: limit) else { return nil }
        let freshness = Freshness(receivedAt: .now, initialAge: 0, lifetime: 0)
        return RegionDocument(address: address(path), StoredResponse(body: bytes, freshness: freshness))
    }

    /// The file, or what a region carries of it where it is gone.
    static func read(_ path: String, _ store: (any ResponseStore)?) -> [UInt8]? {
        Files.read(path, limit: limit) ?? store?.response(for: .document(address(path)))?.body
    }
}
