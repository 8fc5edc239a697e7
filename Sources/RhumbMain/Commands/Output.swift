internal import Glibc
internal import RhumbBrowser

/// Data goes to standard output, words to standard error.
enum Output {
    /// Writes bytes to standard output, or to a file.
    static func write(_ bytes: [UInt8], to path: String? = nil) throws(Notice.Problem) {
        if let path {
            guard let reason = Files.write(bytes, to: path) else { return }
            throw Notice.Problem("\(path) could not be written: \(reason)")
        }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EPIPE {
                exit(1)
            } else if errno != EINTR && errno != EAGAIN {
                throw Notice.Problem("the output could not be written: \(String(cString: strerror(errno)))")
            }
        }
    }

    static func print(_ text: String) throws(Notice.Problem) { try write(Array(text.utf8)) }

    /// A word to the person.
    static func say(_ text: String) {
        let line = Array((text + "\n").utf8)
        _ = Glibc.write(STDERR_FILENO, line, line.count)
    }
}
