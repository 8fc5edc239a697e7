internal import Glibc

/// Reports when a file is saved, also by editors that replace it. Watches the folders of the file and of its
/// link targets (inotify).
package final class FileWatch: Sendable {
    private let descriptor: Int32
    /// The names to look for in the folder of each watch.
    private let names: [Int32: String]

    /// The pause that ends a save, in milliseconds, and the maximum number of waits for it.
    private static let quiet: Int32 = 25
    private static let longest = 8
    private static let mask = UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_MODIFY | IN_CREATE)

    /// Creates a watch; nil if the system's limit of watches is reached or the folder is missing.
    package init?(_ file: String) {
        descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
        guard descriptor >= 0 else { return nil }
        var names: [Int32: String] = [:]
        for path in [Files.named(file), Files.real(file)] {
            guard let slash = path.lastIndex(of: "/") else { continue }
            let watch = inotify_add_watch(descriptor, path[..<slash] + "/", Self.mask)
            if watch >= 0 { names[watch] = String(path[path.index(after: slash)...]) }
        }
        self.names = names
        guard !names.isEmpty else {
            close(descriptor)
            return nil
        }
    }

    deinit { close(descriptor) }

    /// Waits until the file is saved and its writer pauses.
    /// - Parameter milliseconds: The time limit; nil for none.
    /// - Returns: True if it was saved.
    package func wait(milliseconds: Int32? = nil) -> Bool {
        repeat {
            guard isReadable(within: milliseconds ?? -1) else { return false }
        } while !takesFile()
        for _ in 0..<Self.longest {
            guard isReadable(within: Self.quiet) else { break }
            _ = takesFile()
        }
        return true
    }

    private func isReadable(within milliseconds: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, milliseconds) > 0
    }

    /// Reads all pending events. Returns true if one concerns the file.
    private func takesFile() -> Bool {
        var isFile = false
        var bytes = [UInt8](repeating: 0, count: 1 << 14)
        while case let count = read(descriptor, &bytes, bytes.count), count > 0 {
            var rest = bytes[..<count]
            while let event = Event(&rest) { isFile = isFile || names[event.watch] == event.name }
        }
        return isFile
    }

    private struct Event {
        let watch: Int32
        let name: String

        /// Parses an event and removes it from the bytes. An event has a header of 16 bytes and a name padded
        /// with zeros.
        init?(_ bytes: inout ArraySlice<UInt8>) {
            guard bytes.count >= 16 else { return nil }
            let header = bytes.prefix(16).withUnsafeBytes { raw in
                (raw.loadUnaligned(as: Int32.self), raw.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
            }
            watch = header.0
            name = String(
                decoding: bytes.dropFirst(16).prefix(Int(header.1)).prefix { $0 != 0 }, as: UTF8.self)
            bytes = bytes.dropFirst(16 + Int(header.1))
        }
    }
}
