import MagpieTestSupport
import Testing

@testable import MagpieHTTP

@Suite struct PriorityBucketsTests {
    private func drain(_ buckets: inout PriorityBuckets<String>) -> [String] {
        var out: [String] = []
        while let next = buckets.popFirst() { out.append(next) }
        return out
    }

    @Test func highestPriorityFirstThenOldest() {
        var buckets = PriorityBuckets<String>()
        for (name, priority) in [
            ("a", HTTPPriority.normal), ("b", .high), ("c", .normal), ("d", .veryLow), ("e", .high),
        ] {
            _ = buckets.append(name, priority: priority)
        }
        #expect(drain(&buckets) == ["b", "e", "a", "c", "d"])
        #expect(buckets.isEmpty)
    }

    @Test func elementsLeaveFromTheMiddle() {
        var buckets = PriorityBuckets<String>()
        let handles = ["a", "b", "c", "d"].map { buckets.append($0, priority: .normal) }
        #expect(buckets.remove(handles[1]) == "b")
        #expect(buckets.remove(handles[1]) == nil)
        #expect(buckets.remove(handles[3]) == "d")
        #expect(buckets.count == 2)
        #expect(drain(&buckets) == ["a", "c"])
    }

    @Test func movingChangesTheLane() {
        var buckets = PriorityBuckets<String>()
        let handles = ["a", "b", "c"].map { buckets.append($0, priority: .low) }
        buckets.move(handles[2], to: .veryHigh)
        buckets.move(handles[0], to: .veryLow)
        #expect(drain(&buckets) == ["c", "b", "a"])
    }

    @Test func aHandleThatOutlivedItsElementNamesNothing() {
        var buckets = PriorityBuckets<String>()
        let old = buckets.append("a", priority: .normal)
        #expect(buckets.popFirst() == "a")
        _ = buckets.append("b", priority: .normal)
        #expect(buckets.remove(old) == nil)
        buckets.move(old, to: .high)
        #expect(drain(&buckets) == ["b"])
    }

    @Test func agreesWithASimpleModel() {
        var random = SeededGenerator(seed: 7)
        var buckets = PriorityBuckets<Int>()
        var model: [(value: Int, priority: HTTPPriority, order: Int)] = []
        var handles: [Int: PriorityBuckets<Int>.Handle] = [:]
        for step in 0..<5000 {
            let priority = HTTPPriority.allCases.randomElement(using: &random) ?? .normal
            switch Int.random(in: 0..<4, using: &random) {
            case 0, 1:
                handles[step] = buckets.append(step, priority: priority)
                model.append((step, priority, step))
            case 2:
                guard let victim = model.randomElement(using: &random), let handle = handles[victim.value] else {
                    continue
                }
                if Bool.random(using: &random) {
                    #expect(buckets.remove(handle) == victim.value)
                    model.removeAll { $0.value == victim.value }
                } else if victim.priority != priority {
                    buckets.move(handle, to: priority)
                    model.removeAll { $0.value == victim.value }
                    model.append((victim.value, priority, step))
                }
            default:
                let first = model.max { ($0.priority, -$0.order) < ($1.priority, -$1.order) }
                #expect(buckets.popFirst() == first?.value)
                model.removeAll { $0.value == first?.value }
            }
            #expect(buckets.count == model.count)
        }
    }
}
