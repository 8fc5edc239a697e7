extension Sequence<String> {
    /// Returns the most similar word, with at most two different letters, or one in a word of three letters;
    /// nil if there is none.
    public func nearest(to word: String) -> String? {
        let most = word.count > 3 ? 2 : 1
        return map { (word: $0, distance: $0.distance(to: word)) }
            .filter { $0.distance <= most && $0.distance < $0.word.count }
            .min { $0.distance < $1.distance }?.word
    }
}

extension String {
    /// Returns the number of letters to change, insert or delete between two words (Levenshtein).
    fileprivate func distance(to other: String) -> Int {
        let letters = Array(other)
        var row = Array(0...letters.count)
        for (i, letter) in enumerated() {
            var corner = row[0]
            row[0] = i + 1
            for j in letters.indices {
                let change = corner + (letter == letters[j] ? 0 : 1)
                corner = row[j + 1]
                row[j + 1] = Swift.min(change, row[j] + 1, corner + 1)
            }
        }
        return row[letters.count]
    }
}
