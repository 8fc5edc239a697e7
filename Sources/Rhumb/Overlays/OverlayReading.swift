internal import Glibc
internal import RhumbCore
internal import RhumbEngine

/// The work of a feed's thread: it reads and stores features, and displays them at intervals.
struct OverlayReading {
    typealias Report = (OverlayStatus, _ redraws: Bool) -> Void

    let feed: OverlayFeed
    private let report: Report
    var reader: FeatureReader
    private var set: OverlaySet
    private var status: OverlayStatus
    /// The trail of the user's own position, which is also a feature.
    private var trail = OverlayTrail()
    private var lastShown = 0.0, costOfShowing = 0.0
    private var lastDataTime: Double?
    /// The time of the connection to a server; nil without one.
    private var connectionTime: Double?
    /// The number of the reader's faults in the last report.
    private var shownFaults = 0
    private var hasNews = false, redraws = false, hasFixes = false
    /// The faults of origins that `reader` doesn't read.
    var otherFaults = OverlayFaults()
    /// The number of features without a position in earlier parts of the document.
    var emptyFeatures = 0
    /// The first bytes of the document, by which a format is detected that isn't read.
    private var head: [UInt8] = []
    /// The format of the document if it isn't read; nil for a supported or unknown one.
    private var foreign: ForeignFormat?
    /// An assumption about the current document, as a sentence; nil if there is none.
    var assumption: String?

    /// The minimum time in seconds between two updates of the display.
    private static let pace = 0.25
    private static let chunkLength = 1 << 20
    private static let headLength = 4096

    init(_ feed: OverlayFeed, _ report: @escaping Report) {
        self.feed = feed
        self.report = report
        reader = Self.reader(of: feed.origin)
        set = OverlaySet(timeToLive: feed.timeToLive, isEndless: feed.origin.isEndless)
        status = feed.current
    }

    /// Returns a reader for a document. In a file or web document, features with the same id are all shown.
    static func reader(of origin: OverlayOrigin) -> FeatureReader {
        FeatureReader(isLive: !origin.isFile, hasIDs: !origin.isFile && !origin.isAddress)
    }

    static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    mutating func run() {
        switch feed.origin {
        case .file(let path): readFile(path)
        case .standardInput:
            let input = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3)
            readAll(input)
            close(input)
            endDocument()
        case .command(let command, let pace): runCommand(command, pace)
        case .address(let address): readAddress(address)
        case .gpsd(let host, let port):
            readStream(host, port, greeting: "?WATCH={\"enable\":true,\"json\":true,\"scaled\":true}\n")
        case .stream(let host, let port): readStream(host, port, greeting: "")
        case .aprs(let host, let port): readAPRS(host, port)
        case .meshtastic(let host, let port): readMeshtastic(host, port)
        }
        while !feed.isOver, feed.timeToLive != nil { idle(milliseconds: 1000) }
    }

    // MARK: Reading

    /// The reason why the rest of an input is not read.
    static let unreadable = "1 MiB without a position or feature"

    /// Reads a descriptor to its end, or until the feed is stopped.
    /// - Parameter whileWaiting: Called repeatedly, at least once a second if features expire.
    mutating func readAll(_ descriptor: Int32, whileWaiting: () -> Void = {}) {
        var start = PackedStart(isPossible: feed.origin.mayBePacked)
        read(descriptor, &start, whileWaiting: whileWaiting)
        if let problem = start.problem ?? take(whole: start.bytes) { otherFaults.add("\(problem)") }
    }

    private mutating func read(_ descriptor: Int32, _ start: inout PackedStart, whileWaiting: () -> Void) {
        let chunk = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: Self.chunkLength)
        defer { chunk.deallocate() }
        while !feed.isOver, !isFull {
            // Such as the output of a wrong program or port, which would keep a core busy.
            if !feed.origin.isFile, reader.isUnreadable {
                return otherFaults.add(
                    reader.isOver ? "the rest is skipped" : "\(Self.unreadable); the rest is skipped")
            }
            whileWaiting()
            guard feed.waits(for: descriptor, milliseconds: millisecondsToShowing) else {
                showIfDue()
                continue
            }
            let count = Glibc.read(descriptor, chunk.baseAddress, chunk.count)
            if count == 0 { return }
            if count < 0 {
                if errno == EINTR || errno == EAGAIN { continue }
                return
            }
            let piece = UnsafeBufferPointer(rebasing: chunk[0..<count])
            if start.take(piece) {
                guard start.problem == nil else { return }
            } else {
                start.takeHead().withUnsafeBufferPointer { take($0) }
                take(piece)
            }
        }
    }

    /// Reads bytes of the current document in chunks, so that features beyond the limits are dropped early.
    mutating func take(_ bytes: UnsafeBufferPointer<UInt8>) {
        detectForeignFormat(bytes)
        for start in stride(from: 0, to: bytes.count, by: Self.chunkLength) where !isFull {
            reader.read(
                UnsafeBufferPointer(rebasing: bytes[start..<min(start + Self.chunkLength, bytes.count)]))
            takeFeatures()
            showIfDue()
        }
    }

    /// Detects a format that isn't read by the first bytes of a document, which may arrive in pieces.
    private mutating func detectForeignFormat(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard foreign == nil, head.count < Self.headLength, !feed.origin.isEndless else { return }
        head += bytes.prefix(Self.headLength - head.count)
        foreign =
            ForeignFormat(head, feed.origin.path ?? "FILE")
            ?? (feed.origin.isFile ? nil : ForeignFormat(streamed: head))
    }

    /// Reads the bytes of a document.
    mutating func take(_ bytes: [UInt8]) { bytes.withUnsafeBufferPointer { take($0) } }

    /// Ends a part of a document, which another part follows.
    mutating func endPart() {
        reader.finish()
        takeFeatures()
        otherFaults.add(reader.faults)
        emptyFeatures += reader.emptyFeatures
        if status.title.isEmpty { status.title = reader.title }
        reader = Self.reader(of: feed.origin)
        head = []
    }

    /// True if the rest of a document need not be read, because its format isn't supported, or because the
    /// features of a file would be dropped.
    var isFull: Bool { foreign != nil || feed.origin.isFile && set.leftOut > 0 }

    private mutating func takeFeatures() {
        if case let ended = reader.takeRemovals(), !ended.isEmpty, set.remove(ended) {
            hasNews = true
            redraws = true
        }
        if reader.faults.count != shownFaults { hasNews = true }
        let features = reader.takeFeatures(), fixes = reader.takeFixes(), time = Self.now
        if !features.isEmpty || !fixes.isEmpty, !feed.origin.isAddress { lastDataTime = time }
        if !features.isEmpty {
            add(features, time)
        }
        if reader.hasList, !status.isWhole {
            status.isWhole = true
            hasNews = true
        }
        if !fixes.isEmpty {
            hasFixes = true
            status.fixes += fixes
            status.hasPosition = status.hasPosition || fixes.contains { $0.place != nil }
            let added = trail.add(fixes)
            if !added.isEmpty {
                feed.recorder?.add(added, at: time)
                if let line = trail.line { add([line], time) }
            }
            hasNews = true
        }
    }

    mutating func add(_ features: [OverlayFeature], _ time: Double) {
        redraws = redraws || features.contains { $0.kind != .point }
        set.add(features, at: time)
        hasNews = true
        status.problem = nil
    }

    /// Ends a document, and reports the faults.
    /// - Parameter problem: Returns the reason why the document is incomplete; called after the last feature
    ///   has been added. This way, readers of the status never see an ended document without its problem.
    /// - Returns: The reason why a complete document shows nothing; nil if it shows something.
    @discardableResult
    mutating func endDocument(problem: (_ isEmpty: Bool) -> String? = { _ in nil }) -> String? {
        reader.finish()
        takeFeatures()
        let subject = feed.origin.path ?? feed.origin.name, other = problem(set.count == 0)
        let refusal = foreign.map { "\(subject) \($0.description)" }
        let nothing = isEmpty ? "nothing to show in \(feed.origin.name): \(emptiness)" : nil
        status.isEmpty = refusal == nil && other == nil && nothing != nil
        report(refusal ?? other ?? nothing)
        return refusal ?? nothing
    }

    /// True if a document has ended without anything to show, though it should have something.
    private var isEmpty: Bool { !hasFixes && set.count == 0 && !feed.origin.isEndless }

    /// The reason why there is nothing to show.
    private var emptiness: String {
        var faults = reader.faults
        faults.add(otherFaults)
        guard let first = faults.first.first else {
            return withoutPosition.map { "it contains only \($0)" } ?? "it contains no \(reader.contents)"
        }
        let others = faults.count > 1 ? ", and \(AmountText.count(faults.count - 1, "other error"))" : ""
        return "\(first)" + others
    }

    /// The features without a position, in words; nil if there are none.
    private var withoutPosition: String? {
        let count = emptyFeatures + reader.emptyFeatures
        return count > 0 ? AmountText.count(count, "feature") + " without a position" : nil
    }

    /// Starts a document, whose features replace those of the previous one.
    mutating func beginDocument() {
        reader = Self.reader(of: feed.origin)
        otherFaults = OverlayFaults()
        emptyFeatures = 0
        head = []
        foreign = nil
        assumption = nil
        hasFixes = false
        redraws = redraws || feed.live.index.hasShapes
        set.removeAll()
    }

    // MARK: Displaying

    private var millisecondsToShowing: Int32 {
        guard hasNews else { return feed.timeToLive == nil ? -1 : 1000 }
        return Int32(clamping: max(lastShown + interval - Self.now, 0) * 1000).saturatingAdd(1)
    }

    /// The time in seconds between updates. It is longer if they are expensive, so that most of the time is
    /// spent reading.
    private var interval: Double { max(Self.pace, costOfShowing * 8) }

    mutating func showIfDue() {
        let time = Self.now
        if set.expire(at: time) { (hasNews, redraws) = (true, true) }
        if hasNews, time - lastShown >= interval { show() }
    }

    mutating func show() {
        let begun = Self.now
        if let styled = feed.styling?.styled(set.all) {
            feed.live.index = OverlayIndex(styled.features)
            feed.live.legend = styled.legend
            feed.live.drawn = styled.drawn.map { OverlayIndex($0) }
        } else {
            feed.live.index = OverlayIndex(set.all)
        }
        status.count = set.count
        status.faults = reader.faults
        shownFaults = reader.faults.count
        status.faults.add(otherFaults)
        if let fault = set.fault { status.faults.add(fault) }
        let missing = set.count > 0 ? withoutPosition.map { "not shown: \($0)" } : nil
        let remarks = [assumption, missing, reader.remark].compactMap(\.self)
        status.remark = remarks.isEmpty ? nil : remarks.joined(separator: "; ")
        status.note = Self.note(on: feed.live.index)
        status.isSilent = lastDataTime == nil && connectionTime != nil
        status.silence = (lastDataTime ?? connectionTime).map { Self.now - $0 }
        if status.title.isEmpty { status.title = reader.title }
        if let recorder = feed.recorder { status.recording = recorder.status }
        report(status, redraws)
        hasNews = false
        redraws = false
        status.fixes = []
        lastShown = Self.now
        costOfShowing = lastShown - begun
    }

    /// Returns a note about features that are outside the map; nil if there are none.
    private static func note(on index: OverlayIndex) -> String? {
        guard let box = index.box, box.minY < 0 || box.maxY > 1 else { return nil }
        return "the map ends at 85.05° north and south; places closer to a pole aren't shown"
    }

    /// Records that a server was connected, or disconnected.
    mutating func setConnected(_ isConnected: Bool) {
        connectionTime = isConnected ? Self.now : nil
        if isConnected, lastDataTime == nil { show() }
    }

    /// Records the age of the data in seconds.
    mutating func setDataAge(_ age: Double) { lastDataTime = Self.now - age }

    /// Reports the reason why there is no data; nil if there is no problem.
    mutating func report(_ problem: String?) {
        status.problem = problem.map { SafeText.sanitised($0, limit: 240) }
        status.isWhole = true
        show()
    }

    /// Waits, and removes expired features.
    mutating func idle(milliseconds: Int32) {
        _ = feed.waits(for: nil, milliseconds: milliseconds)
        showIfDue()
    }

    /// Waits a number of seconds, or until the feed is stopped.
    mutating func rest(seconds: Double) {
        let end = Self.now + seconds
        while !feed.isOver, Self.now < end {
            idle(milliseconds: Int32(min(max((end - Self.now) * 1000, 1), 1000)))
        }
    }
}

/// The bytes of an input that can't be read again: its first ones until its format is known, and all of them
/// if it is packed.
struct PackedStart {
    /// The bytes that the reader has not received.
    private(set) var bytes: [UInt8] = []
    /// The reason why the rest is not read; nil for none.
    private(set) var problem: OverlayProblem?
    /// True until the format is known, or if the input is packed.
    private var isPossible: Bool
    private var isPacked = false
    /// The length of the longest mark of packed files.
    private static let markLength = 4

    /// - Parameter isPossible: False for an input that is never packed.
    init(isPossible: Bool) { self.isPossible = isPossible }

    /// Stores a piece if it belongs to a packed input, or if that is not known yet.
    /// - Returns: False if the reader should receive it.
    mutating func take(_ piece: UnsafeBufferPointer<UInt8>) -> Bool {
        guard isPossible else { return false }
        if !isPacked {
            let head = bytes + piece.prefix(PackedStart.markLength)
            guard head.count >= PackedStart.markLength else {
                bytes = head
                return true
            }
            isPacked = [.zip, .gzip].contains(FileSignature(head))
            isPossible = isPacked
            guard isPacked else { return false }
        }
        guard bytes.count + piece.count <= OverlayReading.largestPacked else {
            bytes = []
            problem = OverlayProblem("it is larger than 256 MiB; unpack it, and open the result")
            return true
        }
        bytes += piece
        return true
    }

    /// Returns the stored bytes, and forgets them.
    mutating func takeHead() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }
}

extension OverlayOrigin {
    /// True for an input that is read once, and may have the contents of any file.
    fileprivate var mayBePacked: Bool {
        switch self {
        case .standardInput, .command: true
        case .file, .address, .gpsd, .stream, .aprs, .meshtastic: false
        }
    }
}
