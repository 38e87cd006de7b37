import Foundation
import MagpieImage

/// Puts APNG files together out of PNG files.
enum APNGBytes {
    struct Frame {
        var picture: Bitmap
        var x = 0
        var y = 0
        var disposal: UInt8 = 0
        var blend: UInt8 = 0
    }

    /// - Parameter default: A default image that is no frame.
    static func file(_ frames: [Frame], default picture: Bitmap? = nil) throws -> Data {
        let pictures = try frames.map { try chunks(Pictures.file($0.picture, .png)) }
        let first = try picture.map { try chunks(Pictures.file($0, .png)) }
        let header = (first ?? pictures.first ?? []).first { $0.type == "IHDR" }?.content ?? Data()
        var file = PNGBytes.signature + PNGBytes.chunk("IHDR", header)
        file += PNGBytes.chunk("acTL", number(frames.count) + number(0))
        file += first.map { PNGBytes.chunk("IDAT", pixels($0)) } ?? Data()
        var sequence = 0
        for (frame, picture) in zip(frames, pictures) {
            let rect = [frame.picture.width, frame.picture.height, frame.x, frame.y]
            let end = Data([0, 1, 0, 10, frame.disposal, frame.blend])
            file += PNGBytes.chunk("fcTL", ([sequence] + rect).map(number).reduce(Data(), +) + end)
            sequence += 1
            if sequence == 1, first == nil {
                file += PNGBytes.chunk("IDAT", pixels(picture))
            } else {
                file += PNGBytes.chunk("fdAT", number(sequence) + pixels(picture))
                sequence += 1
            }
        }
        return file + PNGBytes.chunk("IEND", Data())
    }

    private static func pixels(_ chunks: [(type: String, content: Data)]) -> Data {
        chunks.filter { $0.type == "IDAT" }.map(\.content).reduce(Data(), +)
    }

    private static func chunks(_ file: Data) -> [(type: String, content: Data)] {
        var chunks: [(String, Data)] = []
        var rest = file.dropFirst(8)
        while rest.count >= 12 {
            let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
            let type = String(decoding: rest.dropFirst(4).prefix(4), as: UTF8.self)
            chunks.append((type, Data(rest.dropFirst(8).prefix(length))))
            rest = rest.dropFirst(12 + length)
        }
        return chunks
    }

    private static func number(_ value: Int) -> Data { PNGBytes.number(UInt32(value)) }
}
