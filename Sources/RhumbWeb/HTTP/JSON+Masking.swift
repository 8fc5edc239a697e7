public import RhumbBase

extension JSON {
    /// Returns the value with each of its texts changed; names of members remain unchanged.
    public func changingTexts(_ change: (String) -> String) -> JSON {
        switch self {
        case .string(let text): return .string(change(text))
        case .array(let values): return .array(values.map { $0.changingTexts(change) })
        case .object(let members):
            var object = JSONObject()
            for name in members.names { object[name] = members[name]?.changingTexts(change) }
            return .object(object)
        default: return self
        }
    }

    /// Returns the value with a mark in place of each occurrence of a secret in its texts.
    public func masked(_ secret: String, with mark: String) -> JSON {
        changingTexts { Masking.maskedInAddresses($0, secret, with: mark) }
    }
}
