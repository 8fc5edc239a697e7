internal import Glibc
package import RhumbCore
internal import Synchronization

/// An index of the features in stored vector tiles, in a file of its own. It can always be rebuilt: a file
/// that is damaged, or belongs to another version or program, is moved aside. Several processes may use it.
package final class SearchIndex: Sendable {
    /// The layout of the index, with application ID "RhuS".
    private static let layout = StoreSchema(
        applicationID: 0x5268_7553, version: 3, tables: SearchSchema.self, isDurable: false, pageSize: 4096)

    /// The path of the index.
    package let path: String
    private let folding: Folding
    private let digest: Int
    private let reader = Mutex<SearchReader?>(nil)
    private let writer = Mutex<SearchWriter?>(nil)

    /// Creates an index. Its file is opened on first use.
    /// - Parameter names: Folds names for comparison.
    package init(_ path: String, names: NameFolding = NameFolding()) {
        self.path = path
        folding = names.folding
        digest = names.digest
    }

    // MARK: Asking

    /// Returns the results of a search, best first, with the parts of a feature merged; empty if there is no
    /// index yet.
    /// - Throws: `StoreFailure`
    package func search(_ question: SearchQuestion) throws(StoreFailure) -> [RankedFeature] {
        try read { (reader) throws(StoreFailure) in
            var named = question
            named.forgives = question.forgives && SearchKind(word: question.words.text) == nil
            var found = question.words.text.isEmpty ? [] : try reader.named(named) + houses(question, reader)
            found += try ofKind(question, reader) + namedOfKind(question, reader)
            return SearchIndex.joined(found, question.limit)
        } ?? []
    }

    /// Returns the nearest features of the kind that the question or its words name. If the name of the kind
    /// is incomplete, it returns a few.
    private func ofKind(
        _ question: SearchQuestion, _ reader: SearchReader
    ) throws(StoreFailure) -> [RankedFeature] {
        let text = question.words.text
        if let kind = question.kind {
            return text.isEmpty ? try reader.nearestAndRelated(question, of: kind) : []
        }
        if let kind = SearchKind(word: text) { return try reader.nearestAndRelated(question, of: kind) }
        guard let kind = SearchKind(begun: text), question.near != nil else { return [] }
        var some = question
        some.limit = min(question.limit, 6)
        return try reader.nearest(some, of: kind, score: 2.6)
    }

    /// Returns the features of a kind that is typed before or after a name, as in "gare monaco" and "ospedale
    /// di Careggi".
    private func namedOfKind(
        _ question: SearchQuestion, _ reader: SearchReader
    ) throws(StoreFailure) -> [RankedFeature] {
        let words = question.words.text.split(separator: " ")
        guard question.kind == nil, words.count > 1 else { return [] }
        var found: [RankedFeature] = []
        for (word, rest) in [(words[0], words.dropFirst()), (words[words.count - 1], words.dropLast())] {
            guard let kind = SearchKind(word: String(word)) else { continue }
            var named = question
            named.kind = kind
            named.forgives = false
            named.words = SearchWords(KindWords.withoutArticles(rest).joined(separator: " "))
            found += try reader.named(named).filter { kind.isMeant($0.feature.kind) }.map { match in
                var match = match
                match.score += Self.ofKind
                return match
            }
        }
        return found
    }

    /// The bonus for a feature that is of the kind whose name is typed.
    private static let ofKind = 0.8

    /// Returns the houses of an address, and the streets with its name. If no street has such a house, the
    /// streets lack its number.
    private func houses(
        _ question: SearchQuestion, _ reader: SearchReader
    ) throws(StoreFailure) -> [RankedFeature] {
        var without: [RankedFeature] = []
        for address in question.words.addresses {
            var asked = question
            asked.words = SearchWords(address.street)
            let streets = try reader.named(asked)
            let houses = try reader.houses(
                address.number, in: Array(streets.prefix(Self.streetLimit)), near: question.near)
            if !houses.isEmpty { return houses + streets }
            guard without.isEmpty else { continue }
            without = streets.map { street in
                var street = street
                if street.feature.category == .street { street.missingNumber = address.number }
                return street
            }
        }
        return without
    }

    /// The number of streets in which a house is looked for.
    private static let streetLimit = 8

    private static func joined(_ found: [RankedFeature], _ limit: Int) -> [RankedFeature] {
        let best = found.best(found.count)
        return FeatureMatch.joined(best.map(\.feature)).prefix(limit).map { feature, first in
            var ranked = best[first]
            ranked.feature = feature
            return ranked
        }
    }

    /// Returns the deepest tile of each source that contains a point.
    /// - Throws: `StoreFailure`
    package func tiles(at point: WorldPoint) throws(StoreFailure) -> [(source: String, tile: TileID)] {
        try read { (reader) throws(StoreFailure) in try reader.tiles(at: point) } ?? []
    }

    /// Returns the number of indexed tiles of a source.
    func count(of source: String) -> Int {
        (try? read { (reader) throws(StoreFailure) in try reader.count(of: source) } ?? 0) ?? 0
    }

    /// Loads the data that the first searches need.
    package func prepare() { _ = try? read { (reader) throws(StoreFailure) in _ = try reader.vocabulary() } }

    /// - Returns: nil if the file is missing or must be rebuilt, which the next write does.
    private func read<Result: Sendable>(
        _ body: (SearchReader) throws(StoreFailure) -> Result
    ) throws(StoreFailure) -> Result? {
        do throws(StoreFailure) {
            return try reader.withLock { (reader) throws(StoreFailure) in
                if reader?.connection.hasMoved ?? true { reader = nil }
                if reader == nil, access(path, F_OK) == 0 {
                    reader = try SearchReader(Connection(path, .readOnly), folding)
                }
                guard let open = reader else { return nil }
                try open.follow()
                return try body(open)
            }
        } catch {
            reader.withLock { $0 = nil }
            if error.isAboutContent || error.kind == .other { return nil }
            throw error
        }
    }

    // MARK: Writing

    /// Writes in one transaction.
    /// - Throws: `StoreFailure`, also if the disk is full. Nothing is written then.
    func write<Result: Sendable>(
        _ body: (SearchWriter) throws(StoreFailure) -> Result
    ) throws(StoreFailure) -> Result {
        do throws(StoreFailure) {
            try ensureWriter()
            return try writer.withLock { (writer) throws(StoreFailure) in
                guard let writer else { throw StoreFailure.foreign(path) }
                try writer.begin()
                do throws(StoreFailure) {
                    let result = try body(writer)
                    try writer.commit()
                    return result
                } catch {
                    writer.undo()
                    throw error
                }
            }
        } catch {
            writer.withLock { $0 = nil }
            if error.isAboutContent { setAside(isOurs: true) }
            throw error
        }
    }

    /// Frees unused disk space.
    func giveBackSpace() throws(StoreFailure) {
        try ensureWriter()
        try writer.withLock { (writer) throws(StoreFailure) in try writer?.giveBackSpace() }
    }

    /// Removes the file. It is created again by the next write. Must not be called while another process may
    /// write.
    func remove() {
        writer.withLock { $0 = nil }
        setAside(isOurs: true)
    }

    private func ensureWriter() throws(StoreFailure) {
        let isThere = writer.withLock { writer in writer.map { !$0.connection.hasMoved } ?? false }
        guard !isThere else { return }
        do throws(StoreFailure) {
            try openWriter()
        } catch {
            guard error.isAboutContent || error.kind == .other || error.kind == .constraint else {
                throw error
            }
            setAside(isOurs: error.kind != .notADatabase)
            try openWriter()
        }
    }

    private func openWriter() throws(StoreFailure) {
        try writer.withLock { (writer) throws(StoreFailure) in
            writer = try SearchIndex.makeWriter(path, folding, digest)
        }
    }

    private static func makeWriter(
        _ path: String, _ folding: Folding, _ digest: Int
    ) throws(StoreFailure) -> sending SearchWriter {
        let connection: Connection
        do {
            connection = try SearchIndex.layout.open(path)
        } catch let failure as StoreFailure {
            throw failure
        } catch {
            throw StoreFailure(
                code: 1, attempt: "open the search index", file: path, reason: "it has another version")
        }
        let writer = try SearchWriter(connection, folding)
        let found = try connection.integer(
            "SELECT coalesce((SELECT value FROM facts WHERE name = 'folding'), \(digest))")
        guard found == digest else {
            throw StoreFailure(
                code: 1, attempt: "open the search index", file: path,
                reason: "its names are normalised differently")
        }
        try connection.run("INSERT OR REPLACE INTO facts VALUES ('folding', @digest)", ["digest": digest])
        return writer
    }

    /// Moves the existing file aside for a new one. A file of another program is preserved under another
    /// name.
    private func setAside(isOurs: Bool) {
        if isOurs { unlink(path) } else { rename(path, path + ".set-aside") }
        for suffix in ["-wal", "-shm"] { unlink(path + suffix) }
    }

    /// The size of the file and its log in bytes.
    package var bytesOnDisk: Int { Folder.size(ofDatabase: path) }
}
