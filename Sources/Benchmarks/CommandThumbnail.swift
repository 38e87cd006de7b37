import Foundation
import MagpieImage
import MagpieTestSupport

/// A photograph of 12 megapixels as a thumbnail, by a whole process each: start, fetch, decode, encode, write.
///
/// The reference reads the same file from disk.
enum CommandThumbnail {
    private static let program = Bundle.main.executableURL?.deletingLastPathComponent().appendingPathComponent("magpie")
    private static let reference = URL(fileURLWithPath: "/usr/bin/vipsthumbnail")

    /// One of the programs failed.
    struct Failed: Error {}

    static let row = BenchmarkRow(
        name: "command-thumbnail",
        summary: "a JPEG of 12 megapixels to 512 pixels, as a process",
        unit: "s",
        isLargerBetter: false,
        contenders: [
            .init(name: "magpie get") { context in
                guard let program, let folder = context["folder"], let url = context["url"] else { throw Failed() }
                let options = ["--thumbnail", "512x512", "--no-cache", "-o", "\(folder)/ours.jpg"]
                return try time(program, ["get", url] + options)
            },
            .init(name: "vipsthumbnail") { context in
                guard let folder = context["folder"], let file = context["file"] else { throw Failed() }
                return try time(reference, [file, "-s", "512x512", "-o", "\(folder)/theirs.jpg"])
            },
        ],
        reference: "vipsthumbnail",
        missing: { missing }
    ) {
        let server = try await NginxServer.start()
        let folder = try TemporaryFolder()
        let file = server.root.appendingPathComponent("large.jpg")
        try ImageCoders.shared.encode(WavePicture.bitmap(width: 4000, height: 3000, seed: 1), as: .jpeg).write(to: file)
        let context = ["url": server.url("/large.jpg").absoluteString, "file": file.path, "folder": folder.url.path]
        return .init(context: context) {
            server.stop()
            _ = folder
        }
    }

    private static var missing: String? {
        if !NginxServer.isAvailable { return "nginx or openssl is not installed" }
        if !FileManager.default.isExecutableFile(atPath: reference.path) { return "vipsthumbnail is not installed" }
        let isBuilt = program.map { FileManager.default.isExecutableFile(atPath: $0.path) } == true
        return isBuilt ? nil : "the command is not built"
    }

    private static func time(_ program: URL, _ arguments: [String]) throws -> Double {
        let process = Process()
        process.executableURL = program
        process.arguments = arguments
        process.standardOutput = FileHandle.nullDevice
        let start = ContinuousClock.now
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failed() }
        return (ContinuousClock.now - start) / .seconds(1)
    }
}
