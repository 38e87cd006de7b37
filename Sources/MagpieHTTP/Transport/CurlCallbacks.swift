import CCurl
import Foundation

/// Leads what libcurl reports about an easy handle to its `CurlHandle`.
enum CurlCallbacks {
    /// Sets the functions that libcurl calls, and what it calls them with.
    static func connect(_ easy: UnsafeMutableRawPointer, to handle: CurlHandle, of loop: CurlLoop) {
        let context = Unmanaged.passUnretained(handle).toOpaque()
        for option in [
            CURLOPT_PRIVATE, CURLOPT_HEADERDATA, CURLOPT_WRITEDATA, CURLOPT_READDATA, CURLOPT_SEEKDATA,
            CURLOPT_PREREQDATA, CURLOPT_DEBUGDATA, CURLOPT_SSL_CTX_DATA, CURLOPT_SOCKOPTDATA,
        ] {
            magpie_easy_set_pointer(easy, option, context)
        }
        connectSockets(of: easy, to: loop)
        magpie_easy_set_data_callback(easy, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            CurlHandle.from(context)?.receiveHeader(UnsafeRawBufferPointer(start: bytes, count: size &* count)) ?? 0
        }
        magpie_easy_set_data_callback(easy, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            CurlHandle.from(context)?.receiveBody(UnsafeRawBufferPointer(start: bytes, count: size &* count)) ?? 0
        }
        magpie_easy_set_data_callback(easy, CURLOPT_READFUNCTION) { bytes, size, count, context in
            let room = UnsafeMutableRawBufferPointer(start: bytes, count: size &* count)
            return CurlHandle.from(context)?.sendBody(into: room) ?? CurlLibrary.abort
        }
        magpie_easy_set_seek_callback(easy) { context, offset, origin in
            CurlHandle.from(context)?.rewind(to: offset, origin: origin) ?? CURL_SEEKFUNC_FAIL
        }
        magpie_easy_set_ready_callback(easy) { context, _, _, _, _ in
            CurlHandle.from(context)?.connectionReady() ?? CURL_PREREQFUNC_ABORT
        }
        magpie_easy_set_debug_callback(easy) { _, type, bytes, count, context in
            CurlHandle.from(context)?.inspect(UnsafeRawBufferPointer(start: bytes, count: count), type)
            return 0
        }
    }

    /// A connection outlives the handle that opened it, but never the loop.
    private static func connectSockets(of easy: UnsafeMutableRawPointer, to loop: CurlLoop) {
        let context = Unmanaged.passUnretained(loop).toOpaque()
        magpie_easy_set_pointer(easy, CURLOPT_CLOSESOCKETDATA, context)
        magpie_easy_set_open_callback(easy) { context, socket, _ in
            CurlHandle.from(context)?.connectionOpened(socket)
            return CURL_SOCKOPT_OK
        }
        magpie_easy_set_close_callback(easy) { context, socket in
            context.map { Unmanaged<CurlLoop>.fromOpaque($0).takeUnretainedValue() }?.connectionClosed(socket)
            return 0
        }
    }
}
