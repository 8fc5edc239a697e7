import Testing

@testable import RhumbMain

struct FilePagesTests {
    @Test func `only code that is unchanged in memory is released`() {
        let mappings = """
            55d0a0000000-55d0a0010000 r-xp 00000000 fe:00 1311                       /opt/my maps/rhumb
            Size:                 64 kB
            Anonymous:             0 kB
            Swap:                  0 kB
            VmFlags: rd ex mr mw me
            55d0a0020000-55d0a0030000 rw-p 00010000 fe:00 1311                       /opt/my maps/rhumb
            Anonymous:             0 kB
            55d0a0030000-55d0a0040000 r--p 00020000 fe:00 1311                       /opt/my maps/rhumb
            Anonymous:            64 kB
            7f0000000000-7f0000001000 r-xp 00000000 fe:00 77                         /usr/lib/libpatched.so.1
            Anonymous:             4 kB
            Swap:                  0 kB
            7f0000002000-7f0000003000 r-xp 00000000 fe:00 78                         /usr/lib/libz.so.1
            Anonymous:             0 kB
            Swap:                  0 kB
            7f0000003000-7f0000004000 r-xp 00000000 fe:00 79                         /usr/lib/libchanged.so.1
            Anonymous:             0 kB
            Swap:                  4 kB
            7f0000004000-7f0000005000 rw-p 00000000 00:00 0
            Anonymous:             0 kB
            7fff00000000-7fff00002000 r-xp 00000000 00:00 0                          [vdso]
            Anonymous:             0 kB
            Swap:                  0 kB
            """
        #expect(
            FilePages.unchangedRanges(in: Array(mappings.utf8)) == [
                0x55d0_a000_0000..<0x55d0_a001_0000, 0x7f00_0000_2000..<0x7f00_0000_3000,
            ])
    }

    @Test func `a text that is not a list of mappings releases nothing`() {
        for text in [
            "", "Swap: 0 kB", "zz-yy r-xp 0 0 0 /bin/x\nSwap: 0 kB", "20-10 r-xp 0 0 0 /bin/x\nSwap: 0 kB",
        ] {
            #expect(FilePages.unchangedRanges(in: Array(text.utf8)).isEmpty)
        }
    }
}
