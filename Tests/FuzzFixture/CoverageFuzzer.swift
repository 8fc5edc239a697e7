import Glibc

#if FUZZER
    // libFuzzer without its own `main`, which would clash with the one that the package manager links.
    @_silgen_name("LLVMFuzzerRunDriver")
    private func runFuzzer(
        _ count: UnsafeMutablePointer<Int32>,
        _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
        _ read: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
    ) -> Int32

    /// The target of this process, set before the fuzzer starts.
    nonisolated(unsafe) private var current: FuzzTarget?

    extension FuzzTarget {
        /// Feeds inputs to the target that reach new code, found by libFuzzer. Returns its exit status.
        /// - Parameter options: libFuzzer's options and folders of inputs.
        func fuzz(_ options: [String]) -> Int32 {
            current = self
            FuzzTarget.drawsAll = false
            var words: [UnsafeMutablePointer<CChar>?] = (["FuzzFixture"] + options).map { strdup($0) }
            var count = Int32(clamping: words.count)
            words.append(nil)
            return words.withUnsafeMutableBufferPointer { words in
                var first = words.baseAddress
                return withUnsafeMutablePointer(to: &first) { first in
                    runFuzzer(&count, first) { bytes, count in
                        current?.read(Array(UnsafeBufferPointer(start: bytes, count: count)))
                        return 0
                    }
                }
            }
        }
    }
#endif

extension FuzzTarget {
    /// Writes the samples into an existing folder, from which a fuzzer starts.
    func writeSamples(to folder: String) {
        for (index, sample) in samples.enumerated() {
            guard let file = fopen("\(folder)/sample\(index)", "w") else { continue }
            fwrite(sample, 1, sample.count, file)
            fclose(file)
        }
    }
}
