// The fuzzing program. The part of its name after the hyphen is the target: `fuzz-sql` fuzzes the target `sql`.
// Tests/House/Fuzz/run creates these names, the dictionaries and the first corpora, and documents the options.
// FuzzTarget.swift lists the targets.
//
//     fuzz --targets                       the names of the targets, one per line
//     fuzz --dictionary TARGET             the target's dictionary, for libFuzzer's -dict
//     fuzz --soak SECONDS SEEDS            parses, binds, filters, fetches, changes and observes, and checks the memory
//     fuzz --corpus TARGET ROOT FOLDER     writes the first corpus, from the test data in the package's folder ROOT

import Foundation

/// The entry point of libFuzzer, which `-sanitize=fuzzer` links.
@_silgen_name("LLVMFuzzerRunDriver")
func runFuzzer(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ callback: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// The target of this process.
let target: FuzzTarget = {
    let name = CommandLine.arguments[0].split(separator: "-").last.map(String.init) ?? ""
    return FuzzTarget(rawValue: name) ?? .language
}()

@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = Array(UnsafeBufferPointer(start: start, count: count))
    if let complaint = target.complaint(bytes) {
        fatalError("\(target.rawValue): \(complaint)")
    }
    return 0
}

let words = Array(CommandLine.arguments.dropFirst())
switch (words.first, words.dropFirst().first.flatMap(FuzzTarget.init(rawValue:))) {
case ("--targets", _): print(FuzzTarget.allCases.map(\.rawValue).joined(separator: "\n"))
case ("--dictionary", let chosen?): print(chosen.dictionary)
case ("--corpus", let chosen?) where words.count == 4: try chosen.writeCorpus(root: words[2], folder: words[3])
#if !LANGUAGE_ONLY
    case ("--soak", _) where words.count == 3: exit(try Soak(seeds: words[2]).run(seconds: Int(words[1]) ?? 60))
#endif
default:
    var count = CommandLine.argc
    var arguments = CommandLine.unsafeArgv
    exit(runFuzzer(&count, &arguments, testOneInput))
}
