/// Short names of countries for maps with little room, as in atlases.
extension NamedPlace {
    /// The name for a map of small scale: a country's short form, else the name.
    public var shortName: String { kind == .country ? Self.shortForms[countryCode] ?? name : name }

    private static let shortForms = [
        "AE": "UAE", "AG": "Antigua", "BA": "Bosnia", "CD": "DR Congo", "CF": "Central Africa", "CG": "Congo",
        "DO": "Dominican Rep.", "FK": "Falklands", "FM": "Micronesia", "GB": "Britain", "GQ": "Eq. Guinea",
        "KN": "St. Kitts", "KP": "North Korea", "KR": "South Korea", "MK": "N. Macedonia",
        "NL": "Netherlands",
        "PG": "Papua", "ST": "São Tomé", "TT": "Trinidad", "VC": "St. Vincent",
    ]
}
