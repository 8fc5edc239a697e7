internal import CLinux
internal import Glibc

/// Wakes the main loop from any thread; many calls before it looks count as one.
final class WakePipe: Sendable {
    /// Readable while there is something to look at; for `poll`. -1 where the system has no
    /// descriptor left: then nothing wakes, and `poll` ignores it.
    let descriptor: Int32
    private let entrance: Int32

    init() {
        var ends: [Int32] = [-1, -1]
        _ = pipe2(&ends, O_CLOEXEC | O_NONBLOCK)
        descriptor = ends[0]
        entrance = ends[1]
    }

    deinit {
        close(descriptor)
        close(entrance)
    }

    /// A full pipe wakes as well as one byte does.
    func wake() { _ = write(entrance, [1], 1) }

    /// Takes back all wakes so far.
    func clear() {
        var bytes = [UInt8](repeating: 0, count: 4096)
        while read(descriptor, &bytes, bytes.count) == bytes.count {}
    }

    /// Waits for a wake, within a time limit in milliseconds.
    func wait(milliseconds: Int32) {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = poll(&entry, 1, milliseconds)
    }
}
