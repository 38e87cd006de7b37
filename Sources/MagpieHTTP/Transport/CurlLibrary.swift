import CCrypto
import CCurl
import CLinux

/// The parts of libcurl's interface that are macros, and its start.
enum CurlLibrary {
    /// Initialises libcurl, once in the process.
    ///
    /// OpenSSL is told not to clean up at the end of the process: loops still use it then, on threads of their own.
    static let initialized =
        OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil) == 1
        && curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK

    /// Whether libcurl shows a body in chunks before it takes the chunks apart, as the versions up to 8.4 do.
    static let showsFraming = (magpie_version()?.pointee.version_num ?? .max) < 0x080500

    /// Whether libcurl fails to use a connection again on which HTTP/2 was begun without TLS, as 7.88 does.
    static let losesPriorKnowledge = (magpie_version()?.pointee.version_num ?? 0) >> 8 == 0x0758

    /// Whether libcurl speaks HTTP/3.
    static let supportsHTTP3 = (magpie_version()?.pointee.features ?? 0) & magpie_version_http3 != 0

    /// How libcurl begins to say that bytes follow an answer that has no body.
    static let excessRemark = Array("Excess found".utf8)

    /// The socket number that stands for the timer (`CURL_SOCKET_TIMEOUT`).
    static let timeoutSocket: CInt = -1

    /// Offer HTTP/3, and older versions where it fails (`CURL_HTTP_VERSION_3`).
    static let http3 = CURL_HTTP_VERSION_3

    /// Share connections between exchanges (`CURLPIPE_MULTIPLEX`).
    static let multiplex = 2

    /// What a read or write callback returns to be called again later (`CURL_READFUNC_PAUSE`, `CURL_WRITEFUNC_PAUSE`).
    static let pause = 0x1000_0001

    /// What a read callback returns to end the transfer (`CURL_READFUNC_ABORT`).
    static let abort = 0x1000_0000

    /// Receive nothing for now (`CURLPAUSE_RECV`).
    static let holdReceiving: CInt = 1

    /// Send nothing for now (`CURLPAUSE_SEND`).
    static let holdSending: CInt = 4

    /// libcurl's name for the events that epoll reports.
    static func selectMask(of events: UInt32) -> CInt {
        var mask: CInt = 0
        if events & EPOLLIN.rawValue != 0 { mask |= CURL_CSELECT_IN }
        if events & EPOLLOUT.rawValue != 0 { mask |= CURL_CSELECT_OUT }
        if events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0 { mask |= CURL_CSELECT_ERR }
        return mask
    }
}
