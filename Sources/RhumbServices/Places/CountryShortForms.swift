/// Short forms of long country names, as used in atlases.
extension NamedPlace {
    /// The name for small-scale maps: a country's short form if it has one, else the name.
    public var shortName: String { kind == .country ? Self.shortForms[countryCode] ?? name : name }

    private static let shortForms = [
        "AE": "UAE", "AG": "Antigua", "BA": "Bosnia", "CD": "DR Congo", "CF": "Central Africa", "CG": "Congo",
        "DO": "Dominican Rep.", "FK": "Falklands", "FM": "Micronesia", "GB": "Britain", "GQ": "Eq. Guinea",
        "KN": "St. Kitts", "KP": "North Korea", "KR": "South Korea", "MK": "N. Macedonia",
        "NL": "Netherlands",
        "PG": "Papua", "ST": "São Tomé", "TT": "Trinidad", "VC": "St. Vincent",
    ]
}
