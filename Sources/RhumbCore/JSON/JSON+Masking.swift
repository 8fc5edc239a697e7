extension JSON {
    /// The value with a mark in place of each occurrence of a secret in its texts.
    public func masked(_ secret: String, with mark: String) -> JSON {
        switch self {
        case .string(let text):
            return .string(Masking.masked(Masking.masked(text, secret, with: mark), PercentCoding.encoded(secret), with: mark))
        case .array(let values): return .array(values.map { $0.masked(secret, with: mark) })
        case .object(let members):
            var object = JSONObject()
            for name in members.names { object[name] = members[name]?.masked(secret, with: mark) }
            return .object(object)
        default: return self
        }
    }
}
