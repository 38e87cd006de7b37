import Foundation

extension HTTPRequest {
    /// The request with what `encode` makes as its body, and with its type where the request names none.
    func encoding(_ contentType: String, _ encode: () throws -> Data) throws(HTTPError) -> HTTPRequest {
        var request = self
        do {
            request.body = .bytes(try encode())
        } catch let error as EncodingError {
            throw .unserializableRequest(reason: error.reason)
        } catch {
            throw .unserializableRequest(reason: "\(error)")
        }
        request.setContentTypeIfMissing(contentType)
        return request
    }
}
