internal import Glibc
internal import Synchronization

/// The caches this process has open: one object for a file, so that there is one writer.
final class OpenCaches: Sendable {
    static let shared = OpenCaches()
    private let open = Mutex<[String: Weak]>([:])

    private struct Weak {
        weak var cache: SharedCache?
    }

    func open(_ path: String, _ options: SharedCache.Options) throws(CacheFailure) -> SharedCache {
        StoreLayout.makeFolder(of: path)
        let name = OpenCaches.canonical(path)
        return try open.withLock { open throws(CacheFailure) in
            if let cache = open[name]?.cache { return cache }
            let cache = try SharedCache(opening: path, options)
            open[name] = Weak(cache: cache)
            return cache
        }
    }

    /// The folder's real name, with the file's.
    private static func canonical(_ path: String) -> String {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        let folder = parts.dropLast().joined(separator: "/")
        guard let real = realpath(folder.isEmpty ? (path.hasPrefix("/") ? "/" : ".") : folder, nil) else { return path }
        defer { free(real) }
        return String(cString: real) + "/" + (parts.last ?? "")
    }
}
