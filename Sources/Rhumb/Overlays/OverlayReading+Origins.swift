internal import Glibc
internal import RhumbCore
internal import RhumbEngine
internal import RhumbStore

/// Reading each kind of origin.
extension OverlayReading {
    /// The maximum size in bytes of a compressed file, before and after decompression. It equals the limit
    /// that readers set for a single feature.
    static let largestPacked = 256 << 20

    // MARK: Files

    /// Reads a file, and reads it again whenever it is saved.
    mutating func readFile(_ path: String) {
        let watch = FileWatch(path)
        readFileOnce(path)
        while !feed.isOver {
            guard let watch else { return rest(seconds: 3600) }
            // The watch doesn't notice when the feed is stopped, so this is polled.
            guard watch.wait(milliseconds: 500) else {
                showIfDue()
                continue
            }
            beginDocument()
            readFileOnce(path)
        }
    }

    private mutating func readFileOnce(_ path: String) {
        let file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
        guard file >= 0 else { return report("\(FileProblem(path, errno: errno))") }
        defer { close(file) }
        var head = [UInt8](repeating: 0, count: 4096)
        let count = pread(file, &head, head.count, 0)
        head.removeLast(head.count - max(count, 0))
        if feed.origin.isForeign {
            if let garmin = ForeignFormat(garmin: head, path) {
                return report("\(path) \(garmin.description)")
            }
            return convert(path)
        }
        // A KMZ archive has zeros in its header, also behind other bytes.
        let isArchive = path.lowercased().hasSuffix(".kmz") && head.contains(0)
        switch FileSignature(head) ?? (isArchive ? .zip : nil) {
        case .zip:
            readPacked(path) { (bytes, reading) throws(OverlayProblem) in
                try reading.readDocuments(of: KMZ(bytes))
            }
        case .gzip: readPacked(path) { (bytes, reading) throws(OverlayProblem) in try reading.unpack(bytes) }
        case .sqlite: readGeoPackage(path)
        default:
            readAll(file)
            endDocument()
        }
    }

    private mutating func readPacked(
        _ path: String, _ unpack: ([UInt8], inout OverlayReading) throws(OverlayProblem) -> Void
    ) {
        guard let bytes = Files.read(path, limit: Self.largestPacked) else {
            return report("\(FileProblem(path, limit: Self.largestPacked))")
        }
        do throws(OverlayProblem) {
            try unpack(bytes, &self)
            endDocument()
        } catch {
            report("\(path): \(error)")
        }
    }

    /// Reads a document that may be packed as KMZ or with gzip.
    /// - Returns: The reason why it can't be unpacked; nil if it can.
    mutating func take(whole bytes: [UInt8]) -> OverlayProblem? {
        do throws(OverlayProblem) {
            switch FileSignature(bytes) {
            case .zip: try readDocuments(of: KMZ(bytes))
            case .gzip: try unpack(bytes)
            default: take(bytes)
            }
            return nil
        } catch {
            return error
        }
    }

    private mutating func unpack(_ bytes: [UInt8]) throws(OverlayProblem) {
        var isFirst = true, contents: String?
        do throws(Gzip.Failure) {
            try Gzip.unpack(bytes, limit: Self.largestPacked) { piece in
                if isFirst { contents = Self.packedContents(piece) }
                isFirst = false
                guard contents == nil else { return false }
                piece.withUnsafeBufferPointer { take($0) }
                return !feed.isOver && !isFull
            }
        } catch {
            switch error {
            case .damaged: throw OverlayProblem("the gzip file is damaged")
            case .tooLarge:
                throw OverlayProblem(
                    "its data is larger than 256 MiB; unpack it with gunzip and open the result")
            }
        }
        guard let contents else { return }
        throw OverlayProblem("it contains \(contents); unpack it with gunzip and open the result")
    }

    /// Returns the name of a format that is read from its own file only; nil for other contents.
    private static func packedContents(_ head: [UInt8]) -> String? {
        switch FileSignature(head) {
        case .zip: "a ZIP or KMZ archive"
        case .sqlite: "a GeoPackage or other SQLite database"
        case .gzip: "another gzip file"
        default: nil
        }
    }

    private mutating func readGeoPackage(_ path: String) {
        do throws(GeoPackageFailure) {
            var package = try GeoPackage(path)
            while !feed.isOver, !isFull, let features = try package.next(limit: 5000) {
                add(features, Self.now)
                otherFaults = package.faults
                showIfDue()
            }
            otherFaults = package.faults
            emptyFeatures = package.emptyFeatures
            if package.assumesDegrees { assumption = Self.assumedDegrees }
            endDocument()
        } catch {
            if error.needsConversion { return convert(path) }
            guard error.lacksReference else { return report("\(path): \(error)") }
            refuseMetres(path)
        }
    }

    /// Reports a file without a coordinate system whose coordinates are out of range for degrees.
    private mutating func refuseMetres(_ path: String) {
        beginDocument()
        report(
            "\(path) has no coordinate system, and its coordinates are not degrees; set it with "
                + "ogr2ogr -a_srs EPSG:CODE out.gpkg \(path)")
    }

    private static let assumedDegrees =
        "no coordinate system; longitude and latitude on WGS 84 are assumed"

    // MARK: Commands

    /// Reads a file that GDAL's program converts to GeoJSON.
    private mutating func convert(_ path: String) {
        // GDAL would interpret some names as addresses.
        guard access(path, R_OK) == 0 else { return report("\(FileProblem(path, errno: errno))") }
        let environment = GDALConversion.environment { name in getenv(name).map { String(cString: $0) } }
        let copy = ShapefileFolder.isNeeded(for: path) ? ShapefileFolder(path) : nil
        do throws(OverlayProblem) {
            let formats = try ChildProcess(GDALConversion.listing, environment: environment).text()
            func conversion(assumesDegrees: Bool) -> GDALConversion {
                GDALConversion(
                    copy?.path ?? path, formats: formats, environment: environment,
                    assumesDegrees: assumesDegrees)
            }
            var outcome = try run(conversion(assumesDegrees: false))
            if GDALConversion.lacksReference(outcome) {
                beginDocument()
                outcome = try run(conversion(assumesDegrees: true))
                guard reader.faults.count == 0 else { return refuseMetres(path) }
                assumption = Self.assumedDegrees
            }
            endDocument { isEmpty in
                isEmpty ? outcome.map { GDALConversion.sentence(for: $0, about: path) } : nil
            }
        } catch {
            report("can't open \(path): it needs GDAL; install gdal-bin, or convert the file to GeoJSON")
        }
    }

    private mutating func run(_ conversion: GDALConversion) throws(OverlayProblem) -> String? {
        try readOutput(of: ChildProcess(conversion.arguments, environment: conversion.environment))
    }

    mutating func runCommand(_ command: String, _ pace: Double) {
        guard !command.trimmed.isEmpty else { return report("exec: has no command; use exec:COMMAND") }
        while !feed.isOver {
            beginDocument()
            do throws(OverlayProblem) {
                let outcome = try readOutput(of: ChildProcess(shell: command))
                endDocument { [feed] _ in outcome.map { "\(feed.origin.name): \($0)" } }
            } catch {
                report("\(feed.origin.name): \(error)")
            }
            rest(seconds: pace)
        }
    }

    /// Reads the output of a program.
    /// - Returns: The error output if the program fails; nil if it succeeds.
    private mutating func readOutput(of child: ChildProcess) -> String? {
        readAll(child.output)
        // A program whose output is no longer read ends with an error of its own.
        let isUnreadable = !feed.origin.isFile && reader.isUnreadable, outcome = child.end()
        guard isUnreadable else { return outcome }
        return "\(reader.isOver ? "its output is invalid" : Self.unreadable); the program is ended"
    }

    // MARK: Servers

    /// Reads lines over TCP, and reconnects when the connection is closed.
    /// - Parameter asks: Returns a function that sends further requests on a connection when needed.
    mutating func readStream(
        _ host: String, _ port: Int, greeting: String, asks: (TCPSocket) -> () -> Void = { _ in {} }
    ) {
        var failures = 0
        while !feed.isOver {
            if feed.isOffline(), !Self.isNear(host) {
                report("offline: not connecting to \(host):\(port)")
                rest(seconds: 2)
                continue
            }
            do throws(OverlayProblem) {
                let socket = try TCPSocket(host, port, isOver: { [feed] in feed.isOver })
                socket.write(greeting)
                setConnected(true)
                readAll(socket.descriptor, whileWaiting: asks(socket))
                let isUnreadable = reader.isUnreadable
                reader.interrupt()
                setConnected(false)
                if feed.isOver { return }
                if !isUnreadable { failures = 0 }
                report(
                    isUnreadable
                        ? "\(host):\(port) sends no positions or features"
                            + (feed.reconnects ? "; trying again later" : "")
                        : "\(host):\(port) closed the connection" + (feed.reconnects ? "; reconnecting" : ""))
            } catch {
                report("\(error)" + (feed.reconnects ? "; reconnecting" : ""))
            }
            failures += 1
            rest(seconds: Backoff(base: 1, cap: 30).ceiling(failures: failures))
        }
    }

    /// Reads the positions of a Meshtastic network from one of its devices.
    mutating func readMeshtastic(_ host: String, _ port: Int) {
        reader = FeatureReader(isLive: true, format: .meshtastic)
        readStream(host, port, greeting: "") { socket in
            var sent: Double?
            return {
                let message = FeatureReader.meshtastic
                guard let last = sent else {
                    socket.write(message.request)
                    sent = Self.now
                    return
                }
                guard Self.now - last >= Self.heartbeat else { return }
                socket.write(message.heartbeat)
                sent = Self.now
            }
        }
    }

    /// The time in seconds between two messages to a Meshtastic device, which closes silent connections.
    private static let heartbeat = 240.0

    /// Returns true if a host is this machine.
    private static func isNear(_ host: String) -> Bool {
        host == "localhost" || host.hasPrefix("127.") || host == "::1"
    }

    /// Reads a web document, and reads it again when it may have changed. After a failure, the shown features
    /// remain.
    mutating func readAddress(_ address: String) {
        // The problem of the last document itself, whichever request returned it.
        var last: ContentHash?, fault: String?, isReload = false
        while !feed.isOver {
            let document = loaded(address, isReload)
            isReload = document.isTimeless
            let problem = document.problem.map {
                $0.hasPrefix(RecoverySuggestion.noNetwork) ? $0 : "\(feed.origin.name): \($0)"
            }
            if let body = document.body {
                setDataAge(document.age)
                let hash = ContentHash(body)
                if hash != last {
                    beginDocument()
                    let damage = take(whole: body).map { "\(feed.origin.name): \($0)" }
                    let nothing = endDocument { _ in damage ?? problem }
                    fault = damage ?? nothing
                }
                last = hash
            }
            report(fault ?? problem)
            rest(seconds: document.renewal)
        }
    }

    private func loaded(_ address: String, _ isReload: Bool) -> OverlayDocument {
        let outcome = OutcomeBox<OverlayDocument>()
        Task { [load = feed.load] in outcome.put(await load(address, isReload)) }
        return outcome.wait()
    }
}

/// The client of APRS-IS servers. It logs in as a guest, and receives the stations in view.
extension OverlayReading {
    mutating func readAPRS(_ host: String, _ port: Int) {
        readStream(host, port, greeting: "user N0CALL pass -1 vers Rhumb 1\r\n") { [feed] socket in
            var asked = "", changed = 0.0
            return {
                guard let wanted = feed.view.map(Self.filter), wanted != asked,
                    Self.now - changed >= Self.timeLimit
                else { return }
                asked = wanted
                changed = Self.now
                socket.write("#filter \(wanted)\r\n")
            }
        }
    }

    /// The minimum time in seconds between two filters while the view moves.
    private static let timeLimit = 2.0
    /// The maximum radius of a filter in kilometres.
    private static let reach = 500.0

    /// Returns a filter such as "r/60.45/22.27/30", for the stations within a radius in kilometres around a
    /// place. Both are rounded, so that small moves need no new filter.
    static func filter(_ view: (place: Coordinate, metres: Double)) -> String {
        let kilometres = min(max((view.metres / 5000).rounded(.up) * 5, 5), reach),
            grain = kilometres >= 50 ? 10.0 : 100
        func text(_ degrees: Double) -> String { ((degrees * grain).rounded() / grain).decimals(2) }
        return "r/\(text(view.place.latitude))/\(text(view.place.longitude))/\(Int(kilometres))"
    }
}
