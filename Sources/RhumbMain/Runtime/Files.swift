internal import Glibc

/// The few things the program does with files of its own.
enum Files {
    /// The whole file, or nil if it can't be read or is larger than the limit.
    static func read(_ path: String, limit: Int = 1 << 20) -> [UInt8]? {
        guard let file = fopen(path, "rb") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65536)
        while bytes.count <= limit {
            let count = fread(&chunk, 1, chunk.count, file)
            if count == 0 { return ferror(file) == 0 ? bytes : nil }
            bytes += chunk[..<count]
        }
        return nil
    }

    /// Writes a file whole or not at all: beside its place first, then renamed.
    /// - Returns: nil, or why it could not be written.
    static func write(_ bytes: [UInt8], to path: String) -> String? {
        let beside = "\(path).\(getpid()).tmp"
        guard let file = fopen(beside, "wb") else { return reason() }
        let isWritten = fwrite(bytes, 1, bytes.count, file) == bytes.count
        let problem = isWritten ? nil : reason()
        guard fclose(file) == 0, isWritten, rename(beside, path) == 0 else {
            let failure = problem ?? reason()
            unlink(beside)
            return failure
        }
        return nil
    }

    /// Makes a folder and those above it; nothing if it is there.
    static func makeFolder(_ path: String) {
        var made = ""
        for part in path.split(separator: "/") {
            made += "/" + part
            mkdir(made, 0o755)
        }
    }

    static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    private static func reason() -> String { String(cString: strerror(errno)) }
}

/// The folders of the XDG base directory specification.
struct Folders {
    let environment: [String: String]

    /// Where the last view is kept; nil without a home.
    var state: String? { folder("XDG_STATE_HOME", ".local/state") }

    /// Where the shared cache is; nil without a home.
    var cache: String? { folder("XDG_CACHE_HOME", ".cache") }

    /// Where the configuration is; nil without a home.
    var config: String? { folder("XDG_CONFIG_HOME", ".config") }

    /// Where a person keeps files for the program; nil without a home.
    var data: String? { folder("XDG_DATA_HOME", ".local/share") }

    private func folder(_ variable: String, _ usual: String) -> String? {
        if let named = environment[variable], named.hasPrefix("/") { return named + "/rhumb" }
        return environment["HOME"].map { "\($0)/\(usual)/rhumb" }
    }
}
