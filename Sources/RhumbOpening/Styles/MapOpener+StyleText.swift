public import RhumbCore
internal import RhumbEngine
internal import RhumbHTTP

/// Styles as documents.
extension MapOpener {
    /// Returns the current text of a style.
    /// - Parameter specifier: Its name, file or address.
    /// - Throws: `MapOpenFailure`, with the line if it is not JSON.
    public func styleText(_ specifier: String) async throws(MapOpenFailure) -> StyleText {
        let location = location(ofStyle: specifier)
        guard SourceDefinition.isAddress(location) else { return try StyleText(file: location) }
        let bytes: [UInt8]
        do throws(WebSourceFailure) {
            bytes = try await web.document(try web.resource(document: location), false).body
        } catch {
            throw .web(error)
        }
        return try StyleText(bytes, at: location)
    }
}

extension StyleText {
    /// Reads a file.
    /// - Throws: `MapOpenFailure`, with the line if it is not JSON.
    public init(file: String) throws(MapOpenFailure) {
        guard let bytes = Files.read(file, limit: Self.byteLimit) else { throw .unread(style: file) }
        try self.init(bytes, at: file)
    }

    fileprivate init(_ bytes: [UInt8], at location: String) throws(MapOpenFailure) {
        do throws(StyleFailure) {
            try self.init(bytes)
        } catch {
            throw .document(file: location, problem: "\(error)")
        }
    }
}

extension MapOpenFailure {
    /// Returns the failure for a style file that could not be read.
    static func unread(style file: String) -> MapOpenFailure {
        guard let size = Files.size(file), size > StyleText.byteLimit else { return .unreadable(file: file) }
        return .document(file: file, problem: "\(StyleFailure.tooLong)")
    }
}
