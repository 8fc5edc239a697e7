internal import Glibc
internal import RhumbCore
internal import Synchronization

/// The caches open in this process, one object per file, so that each file has one writer.
final class OpenCaches: Sendable {
    static let shared = OpenCaches()
    private let open = Mutex<[String: OpenFile]>([:])

    /// The open cache of a file. Its lock blocks callers while the file is being opened, without blocking
    /// those of other files.
    private final class OpenFile: Sendable {
        let cache = Mutex(Weak())
    }

    private struct Weak {
        weak var cache: SharedCache?
    }

    func open(_ path: String, _ options: SharedCache.Options) throws(CacheFailure) -> SharedCache {
        StoreSchema.makeFolder(of: path)
        return try file(OpenCaches.canonical(path)).cache.withLock { entry throws(CacheFailure) in
            if let cache = entry.cache {
                if let quota = options.quota { cache.quota = quota }
                return cache
            }
            let cache = try SharedCache(opening: path, options)
            entry.cache = cache
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

    /// Returns the path with its folder's symbolic links resolved.
    private static func canonical(_ path: String) -> String {
        guard let real = realpath(path.parentFolder, nil) else { return path }
        defer { free(real) }
        return String(cString: real) + "/" + path.lastPathName
    }
}
