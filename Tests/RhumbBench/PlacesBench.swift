internal import Glibc
internal import RhumbCore
internal import RhumbEngine
internal import RhumbStore

/// Measures the gazetteer: opening it, a search for each typed key, and lookups by location.
enum PlacesBench {
    private static let turku = Coordinate(latitude: 60.45, longitude: 22.27)

    @Sendable static func rows() -> [BenchRow] {
        guard let bytes = try? FileBytes("Assets/places.db"),
            let whole = try? bytes.read(offset: 0, count: Int(bytes.size))
        else {
            let words = "Assets/places.db is not here: run it in the project"
            return [BenchRow(name: words, value: 0, unit: "", anchor: "")]
        }
        return whole.withUnsafeBytes { memory in
            func open() -> Gazetteer? { try? Gazetteer(MemoryBytes(memory), name: "places") }
            guard let gazetteer = open() else { return [] }
            return [row("open", "", Timing(runs: 50) { _ = open() })]
                + typing(open) + [mistake(gazetteer)] + around(gazetteer)
        }
    }

    private static func row(_ name: String, _ anchor: String, _ timing: Timing) -> BenchRow {
        BenchRow(name: name, value: timing.best, unit: "ms", anchor: anchor)
    }

    /// Measures the slowest key of some words typed letter by letter, with a newly opened gazetteer and with
    /// one in use. Uses processor time, which doesn't depend on the load of the machine.
    private static func typing(_ open: () -> Gazetteer?) -> [BenchRow] {
        let words = ["san francisco", "helsinki", "новосибирск", "東京", "london, ontario", "saint-étienne"]
        let begun = words.flatMap { word in (1...word.count).map { String(word.prefix($0)) } }
        let first = begun.map { text in
            (0..<3).map { _ in processorTime(of: text, in: open()) }.min() ?? 0
        }
        let used = open()
        let warm = begun.map { text in
            (0..<3).map { _ in processorTime(of: text, in: used) }.min() ?? 0
        }
        return [
            BenchRow(
                name: "slowest key, just opened, processor", value: first.max() ?? 0, unit: "ms",
                anchor: "at most 15"),
            BenchRow(
                name: "slowest key, in use, processor", value: warm.max() ?? 0, unit: "ms",
                anchor: "at most 15"),
        ]
    }

    /// Returns the processor time of this thread in milliseconds.
    private static func processorTime(of text: String, in gazetteer: Gazetteer?) -> Double {
        let start = threadTime
        _ = try? gazetteer?.places(matching: text, near: turku, limit: 10)
        return threadTime - start
    }

    private static var threadTime: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) * 1000 + Double(time.tv_nsec) / 1e6
    }

    private static func mistake(_ gazetteer: Gazetteer) -> BenchRow {
        let words = ["helsnki", "san fransisco", "lodnon", "reykjavk", "constantinpole"]
        let slowest = words.map { word in
            Timing(runs: 3) { _ = try? gazetteer.places(matching: word, near: turku, limit: 10) }.best
        }
        return BenchRow(
            name: "slowest word with a typing mistake", value: slowest.max() ?? 0, unit: "ms",
            anchor: "at most 20")
    }

    private static func around(_ gazetteer: Gazetteer) -> [BenchRow] {
        let seas = [
            turku, Coordinate(latitude: -48, longitude: -123), Coordinate(latitude: 30, longitude: 179.9),
        ]
        let nearest = seas.map { place in
            Timing(runs: 20) { _ = try? gazetteer.nearest(to: place, minimumImportance: 0) }.best
        }
        let boxes = [(-180.0, -85.0, 180.0, 85.0), (-10.0, 35.0, 30.0, 60.0), (22.0, 60.0, 23.0, 61.0)]
        let slowest = boxes.compactMap { Bounds(west: $0.0, south: $0.1, east: $0.2, north: $0.3) }.map {
            box in
            Timing(runs: 20) { _ = try? gazetteer.places(in: box, minimumImportance: 0, limit: 200) }.best
        }
        return [
            BenchRow(
                name: "nearest place, slowest of three", value: nearest.max() ?? 0, unit: "ms",
                anchor: "at most 2"),
            BenchRow(
                name: "200 names of a view, slowest of three", value: slowest.max() ?? 0, unit: "ms",
                anchor: "at most 3"),
        ]
    }
}
