internal import Glibc
internal import RhumbCore
internal import RhumbEngine
internal import RhumbOpening
internal import RhumbStore

/// The copies of archives that no later edition replaces, such as "finland~2026.47.pmtiles". A signed
/// catalogue names those of the newest two editions, so that an update that began before `publish` ends with
/// the edition it began with. They are copies, not hard links, because `cp` and `scp` write into the archive.
enum EditionFile {
    /// The number of editions of a package that have a copy.
    static let limit = 2

    /// Returns the name of an edition's copy. No archive has a "~" in its name.
    static func name(_ stem: String, _ version: PackageVersion) -> String { "\(stem)~\(version).pmtiles" }

    /// Returns true if a file is the copy of the archive beside it, such as one that an interrupted `publish`
    /// made: its name has that of the archive and an edition, and both have one length and time.
    static func isCopy(_ path: String) -> Bool {
        let parts = path.split(separator: "~", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].hasSuffix(".pmtiles"),
            PackageVersion(String(parts[1].dropLast(8))) != nil, let copy = FileFacts(path),
            let archive = FileFacts("\(parts[0]).pmtiles")
        else { return false }
        return copy.size == archive.size && copy.moment == archive.moment
    }

    /// Copies an archive.
    /// - Parameter facts: Those of the archive when it was read.
    /// - Throws: `PublishFailure`, also if the archive has changed since.
    static func make(of archive: String, _ facts: FileFacts?, to copy: String) throws(PublishFailure) {
        do {
            let file = try PartFile(copy, isReplacing: true)
            try file.copy(archive)
            guard FileFacts(archive) == facts else {
                throw PublishFailure("\(archive) was changed while it was read; publish again")
            }
            try file.publish()
        } catch let failure as PublishFailure {
            throw failure
        } catch {
            throw PublishFailure("\(error)")
        }
    }

    /// Removes the copies that a catalogue named and the next one doesn't.
    static func clear(_ before: PackageCatalog?, _ now: PackageCatalog, in folder: String) {
        let named = Set(now.packages.flatMap { $0.editions.compactMap(\.archive) })
        for package in before?.packages ?? [] {
            guard case .archive(let archive)? = package.content, archive.hasSuffix(".pmtiles") else {
                continue
            }
            for edition in package.editions {
                let name = name(String(archive.dropLast(8)), edition.version),
                    parts = name.split(separator: "/")
                guard edition.archive == name, !named.contains(name), !name.hasPrefix("/"),
                    !parts.contains(".."), URLReference(name).scheme == nil
                else { continue }
                unlink(folder + "/" + name)
            }
        }
    }
}
