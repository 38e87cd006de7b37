import Foundation
import MagpieHTTP

/// A list of records in an answer as values of a type, beside Foundation's decoder alone.
enum JSONDecoding {
    private struct Record: Codable {
        var id: Int
        var name: String
        var tags: [String]
        var score: Double
        var isActive: Bool
    }

    /// What was decoded is not what was encoded.
    struct WrongResult: Error {}

    private static let count = 20_000
    private static let rounds = 5

    static let row = BenchmarkRow(
        name: "json",
        summary: "an answer of \(count) records, decoded",
        unit: "MB/s",
        isLargerBetter: true,
        contenders: [
            .init(name: "decode(_:)") { _ in
                let answer = try answer()
                return try rate(answer.body.count) { try answer.decode([Record].self).count }
            },
            .init(name: "JSONDecoder") { _ in
                let body = try answer().body
                return try rate(body.count) { try JSONDecoder().decode([Record].self, from: body).count }
            },
        ],
        reference: "JSONDecoder",
        missing: { nil }
    ) { .init(context: [:]) {} }

    private static func answer() throws -> HTTPDataResponse {
        guard let url = URL(string: "http://localhost/records") else { throw WrongResult() }
        let records = (0..<count).map { number in
            Record(
                id: number,
                name: "Record \(number)",
                tags: ["bird", "blue"],
                score: Double(number) / 7,
                isActive: number.isMultiple(of: 3)
            )
        }
        return HTTPDataResponse(
            response: HTTPResponse(status: .ok, headerFields: [.contentType: "application/json"], url: url),
            body: try JSONEncoder().encode(records),
            metrics: .init()
        )
    }

    private static func rate(_ size: Int, _ decode: () throws -> Int) throws -> Double {
        let start = ContinuousClock.now
        for _ in 0..<rounds {
            guard try decode() == count else { throw WrongResult() }
        }
        return Double(size * rounds) / 1_000_000 / ((ContinuousClock.now - start) / .seconds(1))
    }
}
