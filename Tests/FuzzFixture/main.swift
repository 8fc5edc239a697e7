import Glibc
import RhumbTestSupport

// Feeds damaged inputs to one of the parsers: NAME COUNT SEED, or "list". It says of each input that
// took too long or too much, and at the end how many there were; of a crash its end tells.

/// Writes a line at once, so that it is there whatever happens next.
func say(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    _ = write(1, bytes, bytes.count)
}

let arguments = CommandLine.arguments
if arguments.count == 2 {
    for target in FuzzTarget.all { say(target.name) }
} else if arguments.count == 4, let target = FuzzTarget.all.first(where: { $0.name == arguments[1] }),
    let count = Int(arguments[2]), let seed = UInt64(arguments[3])
{
    var watch = Watch()
    for number in 0..<count {
        // Each input has a seed of its own, so that it can be made again alone.
        var random = SplitMix(seed: seed &+ UInt64(number))
        let sample = target.samples[Int.random(in: 0..<target.samples.count, using: &random)]
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
