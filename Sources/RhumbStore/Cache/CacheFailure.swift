public import RhumbCore

/// The reason why the shared cache is unusable or limited. The map works without it.
public enum CacheFailure: RecoverableError, Equatable, Sendable, CustomStringConvertible {
    /// The file was written by a newer Rhumb.
    case newerSchema(file: String, version: Int)
    /// The file was damaged or foreign. It was renamed, and a new one was created with this number of its
    /// entries.
    case quarantined(file: String, as: String, reason: String, recovered: Int = 0)
    /// Writing failed. Stored entries may still be readable.
    case notWritten(StoreFailure)
    case store(StoreFailure)

    public var description: String {
        switch self {
        case .newerSchema(let file, let version):
            "the cache \(safe(file)) was written by a newer Rhumb (schema \(version)); update Rhumb"
        case .quarantined(let file, let name, let reason, let recovered):
            "the cache \(safe(file)) was \(reason); it was renamed to \(safe(name)), and a new one was created"
                + (recovered > 0
                    ? " with \(AmountText.count(recovered, "entry", plural: "entries")) of it" : "")
        case .notWritten(let failure):
            "can't write to the cache: \(failure.reason), \(failure.advice); continuing without it"
        case .store(let failure): "\(failure)"
        }
    }

    /// Suggests another cache file if a newer Rhumb wrote this one; nil otherwise.
    public var remedy: RecoverySuggestion? { if case .newerSchema = self { .nameCacheFile } else { nil } }

    /// True if the error may be temporary, such as while another process uses the file.
    var isPassing: Bool { if case .store(let failure) = self { failure.isPassing } else { false } }

    private func safe(_ text: String) -> String { SafeText.sanitised(text, limit: 300) }
}
