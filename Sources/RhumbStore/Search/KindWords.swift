/// Words in names that state the kind of a thing, such as "Giardino" in "Giardino di Boboli".
enum KindWords {
    private static let words = Set(
        """
        abbazia aeroporto aeroport airport abbaye abbey basilica basilique bahnhof burg canal canale capitol cappella cappelle \
        castello castillo castle cathedral cathedrale cattedrale chapelle chateau chiesa church cloister dom eglise estacion \
        estadio fiume fleuve flughafen fluss forte fortezza galleria gare giardini giardino hospital iglesia \
        jardin jardins kirche lac lago lake loggia mercato monastero mont monte mount musee museo museum ospedale palace \
        palacio palais palazzo parc parco parque park piazza place plaza pont ponte porta port porte porto rio river riviere \
        schloss sinagoga stade stadio station stazione teatro tempio theatre torre torrente tour tower via villa
        """.split(separator: " ").map { Array($0.utf8)[...] })
    private static let articles = Set(
        "a al alla d da de degli dei del della delle dell dello des di do du el i il l la las le les lo los of the"
            .split(separator: " "))
    private static let articleBytes = Set(articles.map { Array($0.utf8)[...] })

    /// Returns a folded name without the words for its kind and the articles after them; nil if it has none,
    /// or consists of them.
    static func bare(_ name: [UInt8]) -> [UInt8]? {
        var rest = name[...]
        func first() -> ArraySlice<UInt8> { rest.prefix { $0 != UInt8(ascii: " ") } }
        while words.contains(first()) || articleBytes.contains(first()) {
            let length = first().count
            guard length < rest.count else { return nil }
            rest = rest.dropFirst(length + 1)
        }
        return rest.startIndex == name.startIndex ? nil : Array(rest)
    }

    /// Returns typed words without the articles before them.
    static func withoutArticles(_ words: ArraySlice<Substring>) -> ArraySlice<Substring> {
        let rest = words.drop { articles.contains(Substring($0.lowercased())) }
        return rest.isEmpty ? words : rest
    }
}
