/// The postal codes of regions, where people write them after a town: "Paris TX".
enum PostalRegions {
    /// The code of a region by its name and its country's code; empty where there is none.
    static func code(of name: String, in country: String) -> String { codes[country]?[name] ?? "" }

    /// Whether a word is such a code, in capitals as these are written.
    static func isCode(_ word: String) -> Bool { all.contains(word) }

    private static let all = Set(codes.values.flatMap(\.values))

    private static let codes: [String: [String: String]] = [
        "US": [
            "Alabama": "AL", "Alaska": "AK", "Arizona": "AZ", "Arkansas": "AR", "California": "CA",
            "Colorado": "CO", "Connecticut": "CT", "Delaware": "DE", "Florida": "FL", "Georgia": "GA",
            "Hawaii": "HI", "Idaho": "ID", "Illinois": "IL", "Indiana": "IN", "Iowa": "IA", "Kansas": "KS",
            "Kentucky": "KY", "Louisiana": "LA", "Maine": "ME", "Maryland": "MD", "Massachusetts": "MA",
            "Michigan": "MI", "Minnesota": "MN", "Mississippi": "MS", "Missouri": "MO", "Montana": "MT",
            "Nebraska": "NE", "Nevada": "NV", "New Hampshire": "NH", "New Jersey": "NJ", "New Mexico": "NM",
            "New York": "NY", "North Carolina": "NC", "North Dakota": "ND", "Ohio": "OH", "Oklahoma": "OK",
            "Oregon": "OR", "Pennsylvania": "PA", "Rhode Island": "RI", "South Carolina": "SC",
            "South Dakota": "SD", "Tennessee": "TN", "Texas": "TX", "Utah": "UT", "Vermont": "VT",
            "Virginia": "VA", "Washington": "WA", "West Virginia": "WV", "Wisconsin": "WI", "Wyoming": "WY",
            "Washington D.C.": "DC", "District of Columbia": "DC",
        ],
        "CA": [
            "Alberta": "AB", "British Columbia": "BC", "Manitoba": "MB", "New Brunswick": "NB",
            "Newfoundland and Labrador": "NL", "Northwest Territories": "NT", "Nova Scotia": "NS",
            "Nunavut": "NU", "Ontario": "ON", "Prince Edward Island": "PE", "Quebec": "QC", "Québec": "QC",
            "Saskatchewan": "SK", "Yukon": "YT",
        ],
        "AU": [
            "Australian Capital Territory": "ACT", "New South Wales": "NSW", "Northern Territory": "NT",
            "Queensland": "QLD", "South Australia": "SA", "Tasmania": "TAS", "Victoria": "VIC",
            "Western Australia": "WA",
        ],
    ]
}
