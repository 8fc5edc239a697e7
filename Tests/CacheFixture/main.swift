// A small program that uses `SharedCache`, for tests that need several processes, or one that is killed or
// lacks permissions or disk space.

internal import Glibc
internal import RhumbCore
internal import RhumbEngine
internal import RhumbStore
internal import RhumbTestSupport

func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(1, bytes, bytes.count)
}

func open(_ path: String, quota: Int = 50 << 20) throws -> SharedCache {
    var options = SharedCache.Options()
    options.quota = quota
    options.onTrouble = { say("trouble: \($0)") }
    return try SharedCache.open(path, options)
}

/// Stores tiles repeatedly, with a new version in each round, and prints the versions on disk.
func fill(_ path: String, seed: UInt64) throws {
    let cache = try open(path)
    var generator = SplitMix(seed: seed)
    for version in 1... {
        var next = 0
        while next < 300 {
            let end = min(next + Int.random(in: 1...40, using: &generator), 300)
            for number in next..<end {
                cache.store(NumberedTile(number).response(version: version), for: NumberedTile(number).key)
            }
            cache.flush()
            next = end
            say("\(version) \(end)")
        }
    }
}

/// Reads and stores tiles that other processes also read and store, and prints the results.
func mix(_ path: String, seed: UInt64, milliseconds: Int) throws {
    let cache = try open(path, quota: 3 << 20)
    var generator = SplitMix(seed: seed), counts = (hits: 0, misses: 0, wrong: 0)
    let end = ContinuousClock.now + .milliseconds(milliseconds)
    while ContinuousClock.now < end {
        let tile = NumberedTile(Int.random(in: 0..<1500, using: &generator))
        if let body = cache.response(for: tile.key)?.body {
            counts.hits += 1
            if tile.version(of: body) == nil { counts.wrong += 1 }
        } else {
            counts.misses += 1
            cache.store(tile.response(version: Int(seed), at: .now), for: tile.key)
        }
    }
    cache.flush()
    usleep(100_000)
    say("hits \(counts.hits)")
    say("misses \(counts.misses)")
    say("wrong \(counts.wrong)")
}

/// Stores tiles until the file can't grow any further, while also reading.
func limited(_ path: String, bytes: Int) throws {
    let cache = try open(path)
    cache.flush()
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t(bytes))
    setrlimit(__rlimit_resource_t(1), &limit)
    try fillToTheBrim(cache)
}

func fillToTheBrim(_ cache: SharedCache) throws {
    for number in 0..<400 {
        cache.store(NumberedTile(number).response(version: 1, at: .now), for: NumberedTile(number).key)
        if number % 10 == 9 { cache.flush() }
    }
    report(cache)
}

func report(_ cache: SharedCache) {
    let found = (0..<400).map { number in
        cache.response(for: NumberedTile(number).key)?.body.map {
            NumberedTile(number).version(of: $0) != nil
        }
    }
    // The report of a problem may still be in flight.
    usleep(100_000)
    say("whole \(found.count { $0 == true })")
    say("wrong \(found.count { $0 == false })")
}

/// Opens a cache that belongs to another user.
func unprivileged(_ path: String) throws {
    if getuid() == 0 {
        guard setgid(65534) == 0, setuid(65534) == 0 else { return say("rights can't be dropped") }
    }
    let cache = try open(path)
    cache.store(NumberedTile(399).response(version: 1, at: .now), for: NumberedTile(399).key)
    cache.flush()
    report(cache)
}

/// Indexes an archive, beside it.
func index(_ path: String) throws {
    let archives = ArchiveTiles()
    archives.add(try Archive.open(path), path: path)
    say("started")
    while !SearchIndexer(SearchIndex(path + ".search.db"), archives).work(isStopped: { false }) {}
}

let words = CommandLine.arguments
do {
    switch (words.dropFirst().first, words.dropFirst(2).first, words.dropFirst(3).first.flatMap { Int($0) }) {
    case ("fill", let path?, let seed?): try fill(path, seed: UInt64(seed))
    case ("mix", let path?, let seed?):
        try mix(path, seed: UInt64(seed), milliseconds: words.last.flatMap { Int($0) } ?? 1000)
    case ("limited", let path?, let bytes?): try limited(path, bytes: bytes)
    case ("index", let path?, nil): try index(path)
    case ("brim", let path?, nil): try fillToTheBrim(try open(path))
    case ("unprivileged", let path?, nil): try unprivileged(path)
    default: say("CacheFixture fill|mix|limited|index|brim|unprivileged PATH [NUMBER]")
    }
} catch {
    say("refused: \(error)")
    exit(1)
}
