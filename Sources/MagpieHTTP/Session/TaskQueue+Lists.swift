/// The lists of waiting tasks, and the hosts they belong to.
extension TaskQueue {
    /// Puts the slot into its list as the last that came.
    mutating func append(_ index: Int) {
        nextSequence += 1
        slots[index].arrival = nextSequence
        insert(index)
    }

    /// Puts the slot into its list by its coming.
    mutating func insert(_ index: Int) {
        let (host, priority) = (slots[index].host, slots[index].priority)
        hosts[host].lists[priority].set(index, key: key(of: index), in: &slotPlaces)
        refresh(host, priority)
    }

    /// Takes the slot out of its list.
    mutating func takeOut(_ index: Int) {
        let (host, priority) = (slots[index].host, slots[index].priority)
        hosts[host].lists[priority].remove(index, in: &slotPlaces)
        refresh(host, priority)
    }

    /// Sorts all lists anew after a change of the order.
    mutating func sortAll() {
        for host in hostNumbers.values {
            for priority in ready.indices {
                for index in hosts[host].lists[priority].numbers {
                    hosts[host].lists[priority].set(index, key: key(of: index), in: &slotPlaces)
                }
            }
        }
        refreshAll()
    }

    private func key(of index: Int) -> Int64 { order == .fifo ? slots[index].arrival : -slots[index].arrival }
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
        guard let next = hosts[host].lists[priority].top, hosts[host].runningCount < limits.perHost else {
            return ready[priority].remove(host, in: &readyPlaces[priority])
        }
        ready[priority].set(host, key: key(of: next), in: &readyPlaces[priority])
    }

    mutating func refresh(_ host: Int) {
        for priority in ready.indices { refresh(host, priority) }
    }

    mutating func refreshAll() {
        for host in hostNumbers.values { refresh(host) }
    }
}
