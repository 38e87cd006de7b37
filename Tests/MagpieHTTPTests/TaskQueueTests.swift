import Testing

@testable import MagpieHTTP

/// The order in which tasks start, without any network.
struct TaskQueueTests {
    typealias Queue = TaskQueue<String>

    private func queue(total: Int = 1, perHost: Int = 1, _ order: HTTPTaskOrder = .fifo) -> Queue {
        Queue(limits: .init(total: total, perHost: perHost), order: order)
    }

    /// Starts and ends tasks one after another until none is left.
    private func drain(_ queue: inout Queue, _ tickets: [String: Queue.Ticket]) -> [String] {
        var started: [String] = []
        while let next = queue.dequeue() {
            started.append(next)
            if let ticket = tickets[next] { queue.remove(ticket) }
        }
        return started
    }

    private func fill(_ queue: inout Queue, _ tasks: [(String, String, HTTPPriority)]) -> [String: Queue.Ticket] {
        Dictionary(uniqueKeysWithValues: tasks.map { ($0.0, queue.enqueue($0.0, host: $0.1, priority: $0.2)) })
    }

    @Test(arguments: [(HTTPTaskOrder.fifo, ["a", "b", "c", "d"]), (.lifo, ["d", "c", "b", "a"])])
    func orderHoldsAcrossHosts(order: HTTPTaskOrder, expected: [String]) {
        var queue = queue(order)
        let tickets = fill(
            &queue,
            [("a", "x", .normal), ("b", "y", .normal), ("c", "x", .normal), ("d", "z", .normal)]
        )
        #expect(drain(&queue, tickets) == expected)
        #expect(queue.hostCount == 0)
    }

    @Test func theMoreUrgentGoesFirst() {
        var queue = queue()
        let tickets = fill(
            &queue,
            [("a", "x", .veryLow), ("b", "x", .normal), ("c", "y", .veryHigh), ("d", "x", .high), ("e", "y", .low)]
        )
        #expect(drain(&queue, tickets) == ["c", "d", "b", "e", "a"])
    }

    @Test func priorityChangesWhileWaiting() throws {
        var queue = queue()
        let tickets = fill(&queue, [("a", "x", .normal), ("b", "x", .normal), ("c", "x", .normal)])
        queue.setPriority(.high, of: try #require(tickets["c"]))
        queue.setPriority(.low, of: try #require(tickets["a"]))
        #expect(drain(&queue, tickets) == ["c", "b", "a"])
    }

    @Test func orderChangesWhileWaiting() {
        var queue = queue(.fifo)
        let tickets = fill(&queue, [("a", "x", .normal), ("b", "y", .normal), ("c", "x", .normal)])
        queue.order = .lifo
        #expect(drain(&queue, tickets) == ["c", "b", "a"])
    }

    @Test func aFullHostHoldsNobodyElseBack() throws {
        var queue = queue(total: 3, perHost: 1)
        let tickets = fill(
            &queue,
            [("a1", "a", .veryHigh), ("a2", "a", .veryHigh), ("b1", "b", .low), ("c1", "c", .veryLow)]
        )
        #expect(queue.dequeue() == "a1")
        #expect(queue.dequeue() == "b1")
        #expect(queue.dequeue() == "c1")
        #expect(queue.dequeue() == nil)
        queue.remove(try #require(tickets["a1"]))
        #expect(queue.dequeue() == "a2")
    }

    @Test func limitsChangeWhileRunning() {
        var queue = queue(total: 1, perHost: 1)
        _ = fill(&queue, [("a", "x", .normal), ("b", "x", .normal), ("c", "x", .normal)])
        #expect(queue.dequeue() == "a")
        queue.limits = .init(total: 3, perHost: 2)
        #expect(queue.dequeue() == "b")
        #expect(queue.dequeue() == nil)
        queue.limits.perHost = 3
        #expect(queue.dequeue() == "c")
        #expect(queue.runningCount == 3)
    }

    @Test func spentTicketsDoNothing() throws {
        var queue = queue()
        let ticket = queue.enqueue("a", host: "x", priority: .normal)
        #expect(queue.dequeue() == "a")
        let withdrawn = queue.removeWaiting(ticket)
        #expect(!withdrawn)
        let removed = queue.remove(ticket)
        #expect(removed)
        let again = queue.remove(ticket)
        #expect(!again)
        let second = queue.enqueue("b", host: "x", priority: .normal)
        queue.setPriority(.high, of: ticket)
        let spent = queue.removeWaiting(ticket)
        #expect(!spent)
        let current = queue.removeWaiting(second)
        #expect(current)
        #expect(queue.waitingCount == 0 && queue.runningCount == 0 && queue.hostCount == 0)
    }

    /// Against a plain list that is searched from end to end.
    @Test(arguments: [HTTPTaskOrder.fifo, .lifo], 1...4)
    func agreesWithAPlainList(order: HTTPTaskOrder, seed: Int) {
        var random = SplitMix(state: UInt64(seed))
        var queue = TaskQueue<Int>(limits: .init(total: 5, perHost: 2), order: order)
        var model = PlainQueue(order: order)
        var tickets: [Int: TaskQueue<Int>.Ticket] = [:]
        for step in 0..<3000 {
            switch Int.random(in: 0..<14, using: &random) {
            case 10..<14:
                guard let (task, ticket) = tickets.randomElement(using: &random) else { break }
                switch Int.random(in: 0..<3, using: &random) {
                case 0:
                    queue.park(ticket)
                    model.change(task) { ($0.isParked, $0.isRunning) = (true, false) }
                case 1:
                    queue.release(ticket)
                    model.change(task) { $0.isParked = false }
                default:
                    let host = "h\(Int.random(in: 0..<6, using: &random))"
                    queue.setHost(host, of: ticket)
                    model.change(task) { if $0.isParked { $0.host = host } }
                }
            case 0..<4:
                let host = "h\(Int.random(in: 0..<6, using: &random))"
                let priority = HTTPPriority.allCases.randomElement(using: &random) ?? .normal
                tickets[step] = queue.enqueue(step, host: host, priority: priority)
                model.enqueue(step, host: host, priority: priority)
            case 4..<7:
                let (started, expected) = (queue.dequeue(), model.dequeue())
                #expect(started == expected)
            case 7..<9:
                guard let (task, ticket) = tickets.randomElement(using: &random) else { break }
                queue.remove(ticket)
                tickets[task] = nil
                model.tasks.removeAll { $0.id == task }
            default:
                guard let (task, ticket) = tickets.randomElement(using: &random) else { break }
                let priority = HTTPPriority.allCases.randomElement(using: &random) ?? .normal
                queue.setPriority(priority, of: ticket)
                model.setPriority(priority, of: task)
            }
            #expect(queue.waitingCount == model.tasks.count { !$0.isRunning })
        }
    }
}

/// What the queue has to do, done slowly.
private struct PlainQueue {
    struct Item {
        let id: Int
        var host: String
        var priority: HTTPPriority
        var isRunning = false
        var isParked = false
    }

    let order: HTTPTaskOrder
    var tasks: [Item] = []

    mutating func enqueue(_ id: Int, host: String, priority: HTTPPriority) {
        tasks.append(Item(id: id, host: host, priority: priority))
    }

    mutating func setPriority(_ priority: HTTPPriority, of id: Int) {
        guard let index = tasks.firstIndex(where: { $0.id == id && !$0.isRunning && $0.priority != priority }) else {
            return
        }
        // A parked one keeps the place of its coming.
        guard !tasks[index].isParked else { return tasks[index].priority = priority }
        var item = tasks.remove(at: index)
        item.priority = priority
        tasks.append(item)
    }

    mutating func change(_ id: Int, _ body: (inout Item) -> Void) {
        if let index = tasks.firstIndex(where: { $0.id == id }) { body(&tasks[index]) }
    }

    mutating func dequeue() -> Int? {
        let running = tasks.filter(\.isRunning)
        guard running.count < 5 else { return nil }
        let free = tasks.filter { task in
            !task.isRunning && !task.isParked && running.count { $0.host == task.host } < 2
        }
        guard let best = free.map(\.priority).max() else { return nil }
        let candidates = free.filter { $0.priority == best }
        let chosen = order == .fifo ? candidates.first : candidates.last
        guard let chosen, let index = tasks.firstIndex(where: { $0.id == chosen.id }) else { return nil }
        tasks[index].isRunning = true
        return chosen.id
    }
}

/// A small random generator with a seed, so that a failure can be repeated.
private struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
