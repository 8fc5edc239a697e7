/// The number of typing errors between two words: letters omitted, added, changed, or swapped with the next
/// (optimal string alignment), counted in bytes of UTF-8.
struct EditDistance {
    private let word: [UInt8]
    private var previous: [Int]
    private var current: [Int]
    private var next: [Int]

    init(from word: [UInt8]) {
        self.word = word
        previous = Array(repeating: 0, count: word.count + 1)
        current = previous
        next = previous
    }

    /// - Parameter isBegun: If true, compares the word with the best-matching prefix of the other.
    mutating func distance(to other: some RandomAccessCollection<UInt8>, isBegun: Bool) -> Int {
        let count = word.count
        for column in 0...count { current[column] = column }
        var best = current[count], row = 0
        var before: UInt8 = 0
        for letter in other {
            row += 1
            next[0] = row
            for column in 0..<count {
                let isSame = word[column] == letter
                var cost = min(current[column] + (isSame ? 0 : 1), current[column + 1] + 1, next[column] + 1)
                if row > 1, column > 0, word[column] == before, word[column - 1] == letter {
                    cost = min(cost, previous[column - 1] + 1)
                }
                next[column + 1] = cost
            }
            swap(&previous, &current)
            swap(&current, &next)
            best = min(best, current[count])
            before = letter
        }
        return isBegun ? best : current[count]
    }
}
