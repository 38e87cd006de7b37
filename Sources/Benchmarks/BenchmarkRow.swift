/// One row of the table: the same work done by several contenders, one of which is the reference.
struct BenchmarkRow: Sendable {
    /// What the contenders need to know, such as an address; handed to child processes as arguments.
    typealias Context = [String: String]

    /// One way to do the work.
    struct Contender: Sendable {
        /// The name in the table.
        let name: String
        /// Does the work once and returns the measure, in the row's unit.
        let measure: @Sendable (Context) async throws -> Double
    }

    /// What the contenders need while they run, such as a server.
    struct Setting: Sendable {
        let context: Context
        /// Takes it down.
        let end: @Sendable () -> Void
    }

    /// The name, for `--row`.
    let name: String
    /// What is measured, in one line.
    let summary: String
    /// The unit of the measure.
    let unit: String
    /// Whether a larger measure is the better one.
    let isLargerBetter: Bool
    /// The contenders; the first is ours.
    let contenders: [Contender]
    /// The name of the contender that the others are compared with.
    let reference: String
    /// Why the row cannot be measured here, if so.
    let missing: @Sendable () -> String?
    /// Sets up what the contenders need.
    let setUp: @Sendable () async throws -> Setting
}
