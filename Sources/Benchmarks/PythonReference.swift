import Foundation

/// Programs of others that are timed inside one Python process, so that its start does not count.
enum PythonReference {
    /// A script failed.
    struct Failed: Error {}

    private static let interpreter = "/usr/bin/python3"

    /// Whether Pillow is installed.
    static let hasPillow = (try? run("import PIL")) != nil
    /// Whether the library of libvips is installed.
    static let hasVips = (try? run("import ctypes; ctypes.CDLL('libvips.so.42')")) != nil

    /// Seconds that Pillow takes for thumbnails of files, as its manual recommends to make them.
    static func pillowSeconds(_ files: [String], side: Int) throws -> Double {
        try seconds(
            """
            import time
            from PIL import Image
            Image.MAX_IMAGE_PIXELS = None
            start = time.perf_counter()
            for name in [\(files.map { "\"\($0)\"" }.joined(separator: ","))]:
                picture = Image.open(name)
                picture.draft(None, (\(side), \(side)))
                picture.thumbnail((\(side), \(side)), Image.LANCZOS)
            print(time.perf_counter() - start)
            """
        )
    }

    /// Seconds that `vips_thumbnail` takes, on one thread, until the pixels are in memory.
    static func vipsSeconds(_ file: String, side: Int) throws -> Double {
        try seconds(
            """
            import ctypes, time
            vips = ctypes.CDLL('libvips.so.42')
            vips.vips_init(b'')
            vips.vips_concurrency_set(1)
            vips.vips_image_write_to_memory.restype = ctypes.c_void_p
            picture, size = ctypes.c_void_p(), ctypes.c_size_t()
            start = time.perf_counter()
            failed = vips.vips_thumbnail(b'\(file)', ctypes.byref(picture), ctypes.c_int(\(side)), None)
            if failed or not vips.vips_image_write_to_memory(picture, ctypes.byref(size)): raise SystemExit(1)
            print(time.perf_counter() - start)
            """
        )
    }

    private static func seconds(_ script: String) throws -> Double {
        let output = try run(script).trimmingCharacters(in: .whitespacesAndNewlines)
        guard let seconds = Double(output) else { throw Failed() }
        return seconds
    }

    private static func run(_ script: String) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: interpreter)
        process.arguments = ["-c", script]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failed() }
        return String(decoding: data, as: UTF8.self)
    }
}
