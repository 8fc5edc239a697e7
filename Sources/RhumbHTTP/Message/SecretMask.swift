internal import RhumbCore
internal import RhumbEngine

/// Keeps a request's secrets out of the stored response: servers echo keys in headers and in the addresses of
/// their documents. A mark stands for each occurrence, and names its form, so that the current secret can be
/// put back.
struct SecretMask: Sendable {
    private let forms: [SecretForm]
    private static let opening = Array("{rhumb-secret-".utf8)

    init(_ secrets: [String]) {
        forms = secrets.filter { !$0.isEmpty }.enumerated().flatMap { SecretForm.all(of: $1, name: "\($0)") }
    }

    /// Returns the secrets in an address and in header fields.
    static func secrets(_ address: HTTPAddress, _ headers: HTTPHeaders) -> [String] {
        let fields = headers.lines.filter { isSecret($0.name) }.map(\.value)
        // A scheme such as "Bearer" precedes a token, and a user name a password.
        let parts = (address.secrets + fields).compactMap {
            $0.split(maxSplits: 1) { " :".contains($0) }.dropFirst().first
        }
        return address.secrets + fields
            + parts.map(String.init).filter { $0.utf8.count >= SecretForm.minimumLength }
    }

    private static func isSecret(_ field: String) -> Bool {
        ["authorization", "cookie"].contains(field.lowercased()) || SecretNames.isSecret(field)
    }

    /// Returns the body with marks for the secrets.
    func hidden(_ body: [UInt8]) -> [UInt8] {
        forms.reduce(body) { body, form in
            form.replaced(in: body) { escape in
                SecretMask.opening + Array((form.name + escape.rawValue + "}").utf8)
            }
        }
    }

    /// Returns the body with "…" in place of the secrets, for texts that are only shown.
    /// - Parameter isCut: True if the body may end within a secret.
    func removed(_ body: [UInt8], isCut: Bool = false) -> [UInt8] {
        let ellipsis = Array("…".utf8)
        var body = forms.reduce(body) { body, form in form.replaced(in: body) { _ in ellipsis } }
        guard isCut else { return body }
        let longest = forms.map { form in
            (1..<max(form.text.count, 1)).last { body.suffix($0).elementsEqual(form.text.prefix($0)) } ?? 0
        }.max()
        body.removeLast(longest ?? 0)
        return body
    }

    /// Returns the body with the current secrets in place of their marks.
    func shown(_ body: [UInt8]) -> [UInt8] {
        guard !forms.isEmpty else { return body }
        var result: [UInt8] = [], rest = body[...]
        while let found = rest.firstRange(of: SecretMask.opening) {
            result += rest[..<found.lowerBound]
            rest = rest[found.upperBound...]
            guard let end = rest.prefix(40).firstIndex(of: UInt8(ascii: "}")),
                let secret = secret(marked: String(decoding: rest[..<end], as: UTF8.self))
            else {
                result += SecretMask.opening
                continue
            }
            result += secret
            rest = rest[(end + 1)...]
        }
        return result + rest
    }

    private func secret(marked name: String) -> [UInt8]? {
        for form in forms where name.hasPrefix(form.name) {
            guard let escape = SecretForm.Escape(rawValue: String(name.dropFirst(form.name.count))) else {
                continue
            }
            return escape.applied(to: form.text)
        }
        return nil
    }

    /// Returns header fields with marks for the secrets.
    func hidden(_ headers: HTTPHeaders) -> HTTPHeaders { forms.isEmpty ? headers : changed(headers, hidden) }

    /// Returns header fields with the current secrets in place of their marks.
    func shown(_ headers: HTTPHeaders) -> HTTPHeaders { forms.isEmpty ? headers : changed(headers, shown) }

    private func changed(_ headers: HTTPHeaders, _ change: ([UInt8]) -> [UInt8]) -> HTTPHeaders {
        var changed = HTTPHeaders()
        for line in headers.lines {
            changed.append(line.name, String(decoding: change(Array(line.value.utf8)), as: UTF8.self))
        }
        return changed
    }
}

extension WebResource {
    /// The mask of the resource's body. Archives and tiles are binary, and remain unchanged.
    var secretMask: SecretMask {
        expected == .document ? SecretMask(SecretMask.secrets(address, headers)) : SecretMask([])
    }
}
