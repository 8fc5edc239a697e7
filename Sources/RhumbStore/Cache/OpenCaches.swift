internal import Glibc
internal import Synchronization

/// The caches this process has open: one object for a file, so that there is one writer.
final class OpenCaches: Sendable {
    static let shared = OpenCaches()
    private let open = Mutex<[String: OpenFile]>([:])

    /// The open cache of a file. Other callers wait until it is open; other files are not blocked.
    private final class OpenFile: Sendable {
        let cache = Mutex(Weak())
    }

    private struct Weak {
        weak var cache: SharedCache?
    }

    func open(_ path: String, _ options: SharedCache.Options) throws(CacheFailure) -> SharedCache {
        StoreLayout.makeFolder(of: path)
        return try file(OpenCaches.canonical(path)).cache.withLock { known throws(CacheFailure) in
            if let cache = known.cache { return cache }
            let cache = try SharedCache(opening: path, options)
            known.cache = cache
            return cache
        }
    }

    private func file(_ name: String) -> OpenFile {
        open.withLock { open in
            let file = open[name] ?? OpenFile()
            open[name] = file
            return file
        }
    }

    /// The folder's real name, with the file's.
    private static func canonical(_ path: String) -> String {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let folder = parts.dropLast().joined(separator: "/")
        guard let real = realpath(folder.isEmpty ? (path.hasPrefix("/") ? "/" : ".") : folder, nil) else {
            return path
        }
        defer { free(real) }
        return String(cString: real) + "/" + (parts.last ?? "")
    }
}
