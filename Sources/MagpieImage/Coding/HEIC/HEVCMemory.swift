#if HEIC
import CHEIF

/// Keeps libde265 from asking for the memory of a picture that is larger than its track says.
final class HEVCMemory {
    private let mostWidth: Int
    private let mostHeight: Int
    /// The coded size is a multiple of the largest coding block, 64.
    private static let block = 64

    init(_ decoder: UnsafeMutableRawPointer, size: PixelSize) {
        mostWidth = size.width + Self.block
        mostHeight = size.height + Self.block
        guard var functions = de265_get_default_image_allocation_functions()?.pointee else { return }
        functions.get_buffer = { decoder, specification, image, data in
            guard let data, let specification,
                Unmanaged<HEVCMemory>.fromOpaque(data).takeUnretainedValue().allows(specification.pointee)
            else { return 0 }
            // The library's own function takes no data.
            return de265_get_default_image_allocation_functions()?.pointee.get_buffer(
                decoder,
                specification,
                image,
                nil
            )
                ?? 0
        }
        de265_set_image_allocation_functions(decoder, &functions, Unmanaged.passUnretained(self).toOpaque())
    }

    private func allows(_ specification: de265_image_spec) -> Bool {
        Int(specification.width) <= mostWidth && Int(specification.height) <= mostHeight
    }
}
#endif
