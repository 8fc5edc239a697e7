/// Names of seas and countries with their articles.
extension String {
    /// The name of a sea as it is used in a sentence: "the Gulf of Mexico", but "Hudson Bay".
    var seaWithArticle: String {
        let ends = [
            "Bight", "Bosphorus", "Channel", "Dardanelles", "Entrance", "Firth", "Kattegat", "Lagoon",
            "Minch", "Ocean", "Passage", "Reef", "River", "Sea", "Skagerrak", "Strait", "Øresund",
        ]
        let starts = ["Bay of ", "Bight of ", "Firth of ", "Gulf of ", "Inner ", "Río ", "Sea of ", "Strait"]
        if hasPrefix("The ") { return "the" + dropFirst(3) }
        let isNamed = starts.contains(where: hasPrefix) || ends.contains(where: hasSuffix)
        return isNamed || hasSuffix(" Gulf") ? "the \(self)" : self
    }

    /// The name of a country as it is used in a sentence: "the Netherlands".
    var withArticle: String {
        let ends = [
            "Bahamas", "Emirates", "Gambia", "Islands", "Kingdom", "Maldives", "Netherlands", "Philippines",
            "Republic", "Republic of the Congo", "States",
        ]
        if hasPrefix("The ") { return "the" + dropFirst(3) }
        return ends.contains(where: hasSuffix) ? "the \(self)" : self
    }
}
