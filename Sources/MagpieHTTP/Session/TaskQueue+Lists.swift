// MARK: - Lists

extension TaskQueue {
    /// Puts the slot at the end of its list, as the last that came.
    mutating func append(_ index: Int) {
        nextSequence += 1
        slots[index].arrival = nextSequence
        link(index, after: hosts[slots[index].host].lists[slots[index].priority].last)
    }

    /// Puts the slot into its list by its coming.
    ///
    /// Looks from both ends: a task that was parked is mostly among the first or among the last.
    mutating func insert(_ index: Int) {
        let list = hosts[slots[index].host].lists[slots[index].priority]
        let arrival = slots[index].arrival
        var (early, late) = (list.first, list.last)
        while let younger = early, let older = late {
            if slots[younger].arrival > arrival { return link(index, after: slots[younger].previous) }
            if slots[older].arrival < arrival { return link(index, after: older) }
            (early, late) = (slots[younger].next, slots[older].previous)
        }
        link(index, after: nil)
    }

    private mutating func link(_ index: Int, after previous: Int?) {
        let (host, priority) = (slots[index].host, slots[index].priority)
        let next = previous.map { slots[$0].next } ?? hosts[host].lists[priority].first
        slots[index].previous = previous
        slots[index].next = next
        if let previous { slots[previous].next = index } else { hosts[host].lists[priority].first = index }
        if let next { slots[next].previous = index } else { hosts[host].lists[priority].last = index }
        refresh(host, priority)
    }

    /// Takes the slot out of its list.
    mutating func unlink(_ index: Int) {
        let (host, priority) = (slots[index].host, slots[index].priority)
        let (previous, next) = (slots[index].previous, slots[index].next)
        if let previous { slots[previous].next = next } else { hosts[host].lists[priority].first = next }
        if let next { slots[next].previous = previous } else { hosts[host].lists[priority].last = previous }
        slots[index].previous = nil
        slots[index].next = nil
        refresh(host, priority)
    }

    /// The number of the host, which is remembered until its last task is gone.
    mutating func number(of name: String) -> Int {
        if let known = hostNumbers[name] { return known }
        let host: Int
        if let free = freeHosts.popLast() {
            host = free
            hosts[host] = HostQueue(name: name)
        } else {
            host = hosts.count
            hosts.append(HostQueue(name: name))
        }
        hostNumbers[name] = host
        return host
    }

    mutating func forget(_ host: Int) {
        hostNumbers[hosts[host].name] = nil
        freeHosts.append(host)
    }
}

// MARK: - Hosts with a task to start

extension TaskQueue {
    /// Puts the host where it belongs in the heap of the priority, or takes it out.
    private mutating func refresh(_ host: Int, _ priority: Int) {
        let list = hosts[host].lists[priority]
        let candidate = order == .fifo ? list.first : list.last
        guard let candidate, hosts[host].runningCount < limits.perHost else { return ready[priority].remove(host) }
        let arrival = slots[candidate].arrival
        ready[priority].set(host, key: order == .fifo ? arrival : -arrival)
    }

    mutating func refresh(_ host: Int) {
        for priority in ready.indices { refresh(host, priority) }
    }

    mutating func refreshAll() {
        for host in hostNumbers.values { refresh(host) }
    }
}
