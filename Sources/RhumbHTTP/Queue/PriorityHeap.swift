/// Numbered entries, the most urgent first, of equally urgent ones the first come.
struct PriorityHeap<Urgency: Comparable> {
    struct Entry {
        let number: UInt64
        let urgency: Urgency
        let order: UInt64

        func precedes(_ other: Entry) -> Bool {
            urgency == other.urgency ? order < other.order : urgency > other.urgency
        }
    }

    private var entries: [Entry] = []

    var first: Entry? { entries.first }

    mutating func insert(_ entry: Entry) {
        entries.append(entry)
        var place = entries.count - 1
        while place > 0, entries[place].precedes(entries[(place - 1) / 2]) {
            entries.swapAt(place, (place - 1) / 2)
            place = (place - 1) / 2
        }
    }

    mutating func removeFirst() {
        guard let last = entries.popLast(), !entries.isEmpty else { return }
        entries[0] = last
        var place = 0
        while let child = urgentChild(of: place), entries[child].precedes(entries[place]) {
            entries.swapAt(place, child)
            place = child
        }
    }

    private func urgentChild(of place: Int) -> Int? {
        let left = 2 * place + 1
        guard left < entries.count else { return nil }
        let right = left + 1
        return right < entries.count && entries[right].precedes(entries[left]) ? right : left
    }
}
