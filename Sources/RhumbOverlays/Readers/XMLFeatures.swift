internal import RhumbBase

/// Creates features from the elements of a document.
protocol XMLFeatures: XMLHandler {
    var sink: FeatureSink { get set }
    /// The beginnings of the format's namespaces, in lower case without the scheme and "www.".
    static var namespaces: [String] { get }
}

extension XMLFeatures {
    static func owns(namespace: String) -> Bool {
        var address = namespace.lowercased()[...]
        for start in ["http://", "https://", "www."] where address.hasPrefix(start) {
            address = address.dropFirst(start.count)
        }
        return namespaces.contains { address.hasPrefix($0) }
    }
}

extension XMLParser {
    /// Reads the next bytes and adds their features to a sink.
    func read(
        _ more: Bytes, _ handler: inout some XMLFeatures, into sink: inout FeatureSink
    ) throws(InputFault) {
        swap(&handler.sink, &sink)
        defer { swap(&handler.sink, &sink) }
        do throws(XMLFailure) { try read(more, &handler) } catch { throw InputFault(error) }
    }

    /// Ends the input and adds the remaining features to a sink.
    func finish(_ handler: inout some XMLFeatures, into sink: inout FeatureSink) throws(InputFault) {
        swap(&handler.sink, &sink)
        defer { swap(&handler.sink, &sink) }
        if isRepaired {
            handler.sink.faults.add("text in another encoding than declared is shown as \u{FFFD}")
        }
        do throws(XMLFailure) { try finish(&handler) } catch { throw InputFault(error) }
    }
}

extension InputFault {
    fileprivate init(_ failure: XMLFailure) {
        let isTruncated = failure.problem == XMLParser.truncated
        self.init(
            (isTruncated ? "" : "line \(failure.line): ") + failure.problem
                + (isTruncated || failure.isRefusal ? "" : "; the rest of the file is not shown"))
    }
}
