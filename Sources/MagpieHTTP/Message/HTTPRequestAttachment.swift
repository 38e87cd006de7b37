/// A value that goes with a request and that the rooms below do not know.
///
/// Equal to itself alone, so that a request stays comparable whatever goes with it.
package final class HTTPRequestAttachment: Sendable, Hashable {
    package let value: any Sendable

    package init(_ value: any Sendable) { self.value = value }

    package static func == (left: HTTPRequestAttachment, right: HTTPRequestAttachment) -> Bool { left === right }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
