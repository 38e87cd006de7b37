import CCurl
import Foundation

/// The reference of the rows of small requests: libcurl's multi interface used directly, with nothing around it.
enum RawCurl {
    /// Loads `url` again and again and returns how many answers came a second.
    static func rate(url: String, caFile: String?, count: Int, inFlight: Int) throws -> Double {
        curl_global_init(Int(CURL_GLOBAL_ALL))
        guard let multi = curl_multi_init() else { throw HTTPThroughput.WrongAnswer() }
        defer { curl_multi_cleanup(multi) }
        let handles = (0..<inFlight).compactMap { _ in makeHandle(url: url, caFile: caFile) }
        defer { for handle in handles { curl_easy_cleanup(handle) } }
        let start = ContinuousClock.now
        for handle in handles { curl_multi_add_handle(multi, handle) }
        var left = count
        var started = inFlight
        while left > 0 {
            var running: CInt = 0
            curl_multi_perform(multi, &running)
            var queued: CInt = 0
            while let message = curl_multi_info_read(multi, &queued) {
                guard magpie_message_result(message) == CURLE_OK else { throw HTTPThroughput.WrongAnswer() }
                let handle = message.pointee.easy_handle
                curl_multi_remove_handle(multi, handle)
                left -= 1
                if started < count {
                    curl_multi_add_handle(multi, handle)
                    started += 1
                }
            }
            if left > 0 { curl_multi_poll(multi, nil, 0, 1000, nil) }
        }
        for handle in handles { curl_multi_remove_handle(multi, handle) }
        return Double(count) / ((ContinuousClock.now - start) / .seconds(1))
    }

    private static func makeHandle(url: String, caFile: String?) -> UnsafeMutableRawPointer? {
        guard let handle = curl_easy_init() else { return nil }
        magpie_easy_set_string(handle, CURLOPT_URL, url)
        magpie_easy_set_long(handle, CURLOPT_NOSIGNAL, 1)
        if let caFile {
            magpie_easy_set_string(handle, CURLOPT_CAINFO, caFile)
            magpie_easy_set_long(handle, CURLOPT_PIPEWAIT, 1)
        }
        magpie_easy_set_data_callback(handle, CURLOPT_WRITEFUNCTION) { _, size, count, _ in size &* count }
        return handle
    }
}
