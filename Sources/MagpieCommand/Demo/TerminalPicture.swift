import Foundation
@preconcurrency import Glibc
import MagpieImage

/// Shows a bitmap in a terminal with true colour, two pixels to a character.
enum TerminalPicture {
    /// Whether standard output is such a terminal, and colour is not unwanted (`NO_COLOR`, https://no-color.org).
    static var isPossible: Bool {
        let environment = ProcessInfo.processInfo.environment
        let hasColor = ["truecolor", "24bit"].contains(environment["COLORTERM"] ?? "")
        return isatty(STDOUT_FILENO) == 1 && hasColor && (environment["NO_COLOR"] ?? "").isEmpty
    }

    /// The bitmap as lines of text, as wide as the terminal but at most 120 characters.
    static func lines(of bitmap: Bitmap) throws(ImageCodingError) -> [String] {
        var window = winsize()
        let columns = ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &window) == 0 ? Int(window.ws_col) : 80
        let width = max(8, min(columns, 120))
        let height = max(2, bitmap.height * width / max(1, bitmap.width) / 2 * 2)
        let small = try ResizeTransformer(width: width, height: height, mode: .fill).transform(bitmap)
        return stride(from: 0, to: small.height - 1, by: 2).map { y in
            let cells = (0..<small.width).map { x in
                "\u{1B}[38;2;\(color(small, x, y));48;2;\(color(small, x, y + 1))m\u{2580}"
            }
            return cells.joined() + "\u{1B}[0m"
        }
    }

    private static func color(_ bitmap: Bitmap, _ x: Int, _ y: Int) -> String {
        guard let pixel = bitmap.pixel(x: x, y: y) else { return "0;0;0" }
        return "\(pixel.r);\(pixel.g);\(pixel.b)"
    }
}
