internal import Glibc
internal import RhumbCore
internal import RhumbStore
internal import Synchronization

/// Records the way of a receiver in a GPX file. The file is complete after each write, because each one
/// replaces the end of the document by new points and the end. A program that is killed loses nothing.
public final class TrackRecorder: Sendable {
    private struct State {
        var status = TrackRecording()
        var descriptor: Int32 = -1
        /// The position of the end of the document in the file.
        var end = 0
        /// The points that are not written yet.
        var waiting: [PositionFix] = []
        /// The time of the last synchronization with the disk.
        var lastSync = 0.0
    }

    private let folder: String
    private let creator: String
    private let state = Mutex(State())
    /// The number of points before a file is made. A receiver at rest makes none.
    private static let shortest = 2
    /// The maximum number of points that wait until the file can be written.
    private static let mostWaiting = 100_000
    /// The maximum number of seconds that a power cut may lose.
    private static let syncInterval = 30.0

    /// - Parameters:
    ///   - folder: The folder of the file, which is made if it doesn't exist.
    ///   - creator: The name of the program, for the file.
    public init(folder: String, creator: String) {
        self.folder = folder
        self.creator = creator
    }

    deinit {
        state.withLock { state in
            guard state.descriptor >= 0 else { return }
            fdatasync(state.descriptor)
            close(state.descriptor)
        }
    }

    /// The current status.
    var status: TrackRecording { state.withLock { $0.status } }

    /// Adds positions to the file.
    /// - Parameter now: A time in seconds that only increases.
    func add(_ fixes: [PositionFix], at now: Double) {
        state.withLock { state in
            state.waiting += fixes
            state.waiting.removeFirst(max(state.waiting.count - Self.mostWaiting, 0))
            guard state.descriptor >= 0 || state.waiting.count >= Self.shortest else { return }
            do throws(FileProblem) {
                try write(&state, at: now)
                state.status.problem = nil
            } catch {
                state.status.problem = "can't record the track: \(error.file): \(error.problem)"
            }
        }
    }

    private func write(_ state: inout State, at now: Double) throws(FileProblem) {
        if state.descriptor < 0 { try create(&state, at: now) }
        let points = Array(state.waiting.map(Self.text).joined().utf8)
        let written = Self.write(points + Self.ending, to: state.descriptor, at: state.end)
        guard written == 0 else {
            // The end of the document was there before, and needs no room.
            ftruncate(state.descriptor, off_t(state.end))
            _ = Self.write(Self.ending, to: state.descriptor, at: state.end)
            throw FileProblem(state.status.path ?? folder, errno: written)
        }
        state.end += points.count
        state.waiting = []
        if now - state.lastSync >= Self.syncInterval {
            fdatasync(state.descriptor)
            state.lastSync = now
        }
    }

    /// Creates the file, whose name is the current time.
    private func create(_ state: inout State, at now: Double) throws(FileProblem) {
        Folder.make(folder, mode: 0o700)
        let time = UnixSeconds.now.iso8601, name = time.filter { $0 != ":" }
        for number in 1...99 {
            let path = "\(folder)/\(name)\(number == 1 ? "" : "-\(number)").gpx"
            let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
            if descriptor < 0, errno == EEXIST { continue }
            guard descriptor >= 0 else { throw FileProblem(path, errno: errno) }
            let start = Array((GPXText.start(creator: creator) + GPXText.trackStart(name: time)).utf8)
            let written = Self.write(start + Self.ending, to: descriptor, at: 0)
            guard written == 0 else {
                close(descriptor)
                unlink(path)
                throw FileProblem(path, errno: written)
            }
            Folder.sync(folder)
            state.descriptor = descriptor
            state.end = start.count
            state.lastSync = now
            state.status.path = path
            return
        }
        throw FileProblem(folder, errno: EEXIST)
    }

    private static let ending = Array(GPXText.trackEnd.utf8)

    private static func text(_ fix: PositionFix) -> String {
        fix.place.map { GPXText.trackPoint($0, height: fix.height ?? .nan, time: fix.time ?? .nan) } ?? ""
    }

    /// Writes bytes at a position.
    /// - Returns: The error number; 0 if all bytes were written.
    private static func write(_ bytes: [UInt8], to descriptor: Int32, at start: Int) -> Int32 {
        var done = 0
        while done < bytes.count {
            let count = bytes.withUnsafeBytes {
                pwrite(
                    descriptor, $0.baseAddress?.advanced(by: done), bytes.count - done,
                    off_t(start + done))
            }
            if count > 0 {
                done += count
            } else if count == 0 || errno != EINTR {
                return count == 0 ? EIO : errno
            }
        }
        return 0
    }
}
