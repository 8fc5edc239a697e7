import Glibc
import RhumbTestSupport

// Feeds damaged inputs to a parser: NAME COUNT SEED, or "list" for the parsers. "numbers" NAME feeds its
// samples with extreme numbers, "bomb" NUMBER feeds a hostile input, and "bombs" prints the number of those.
// "samples" NAME FOLDER writes the valid samples. A build with -DFUZZER also understands "fuzz" NAME OPTIONS.
// Reports each input that took too much time or memory, and finally their number. The exit status reports a
// crash.

/// Writes a line immediately, so that it is not lost in a crash.
func say(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    _ = write(1, bytes, bytes.count)
}

let arguments = CommandLine.arguments
#if FUZZER
    if arguments.count > 3, arguments[1] == "fuzz" {
        guard let target = FuzzTarget.all.first(where: { $0.name == arguments[2] }) else { exit(2) }
        exit(target.fuzz(Array(arguments.dropFirst(3))))
    }
#endif
if arguments.count == 4, arguments[1] == "samples" {
    FuzzTarget.all.first { $0.name == arguments[2] }?.writeSamples(to: arguments[3])
} else if arguments.count == 3, arguments[1] == "bomb", let number = Int(arguments[2]),
    number < FuzzTarget.bombs.count
{
    let bomb = FuzzTarget.bombs[number]
    let input = bomb.input()
    // A debug build needs up to two minutes for the slowest input.
    var watch = Watch(seconds: 300)
    watch.begin()
    FuzzTarget.all.first { $0.name == bomb.name }?.read(input)
    if let trouble = watch.trouble() { say("trouble \(number) \(bomb.name) \(trouble)") }
    say("done \(number)")
} else if arguments.count == 2 {
    if arguments[1] == "bombs" {
        say("\(FuzzTarget.bombs.count)")
    } else {
        FuzzTarget.all.forEach { say($0.name) }
    }
} else if arguments.count == 3, arguments[1] == "numbers",
    let target = FuzzTarget.all.first(where: { $0.name == arguments[2] })
{
    var watch = Watch(seconds: 100)
    let samples = target.hasDigits ? target.samples : []
    for (number, input) in samples.flatMap(ExtremeNumbers.variants).enumerated() {
        say("input \(number) \(String(decoding: input.prefix(2000), as: UTF8.self).debugDescription)")
        watch.begin()
        target.read(input)
        if let trouble = watch.trouble() { say("trouble \(number) \(trouble)") }
    }
    say("done")
} else if arguments.count == 4, let target = FuzzTarget.all.first(where: { $0.name == arguments[1] }),
    let count = Int(arguments[2]), let seed = UInt64(arguments[3])
{
    var watch = Watch()
    let samples = target.samples
    for number in 0..<count {
        // Each input has its own seed, so that it can be reproduced individually.
        var random = SplitMix(seed: seed &+ UInt64(number))
        let sample = samples[Int.random(in: 0..<samples.count, using: &random)]
        let input = Mutation.damaged(sample, &random)
        say("input \(seed &+ UInt64(number))")
        watch.begin()
        target.read(input)
        if let trouble = watch.trouble() { say("trouble \(seed &+ UInt64(number)) \(trouble)") }
    }
    say("done \(count)")
} else {
    say("usage: FuzzFixture NAME COUNT SEED, or FuzzFixture list")
    exit(2)
}
