import Foundation

/// The headers of one step of a request, in which each name occurs once, ignoring case (RFC 9110, section 5.1).
///
/// A dictionary, and on Linux a `URLRequest`, can have a name in several spellings. A header that the last step has added or
/// changed replaces the others. If one step has several spellings, the last name in the order of code points is used, as in
/// ``HTTPHeaders/init(_:)-(Dictionary<String,String>)``: lowercase letters follow uppercase ones.
@usableFromInline package struct UniqueFieldNames: Sendable {
    /// The headers.
    package let fields: [String: String]
    /// The names of one step that differ only in case, sorted.
    package let ambiguousNames: [String]

    /// Creates the headers of a step.
    ///
    /// - Parameters:
    ///   - fields: The headers after the step.
    ///   - earlier: The headers before it.
    package init(_ fields: [String: String], after earlier: [String: String] = [:]) {
        var (kept, ambiguous) = (fields, [String]())
        for (_, spellings) in Dictionary(grouping: fields.keys, by: { $0.lowercased() }) where spellings.count > 1 {
            let later = spellings.filter { earlier[$0] != fields[$0] }
            let candidates = (later.isEmpty ? spellings : later).sorted()
            if candidates.count > 1 { ambiguous += candidates }
            for name in spellings where name != candidates.last { kept[name] = nil }
        }
        self.fields = kept
        ambiguousNames = ambiguous.sorted()
    }

    /// Returns whether some names may differ only in case; the result is `false` for nearly all headers without such names.
    ///
    /// The function is a fast hash comparison, because it is called several times for each request.
    @inlinable package static func canContainDuplicates(_ names: some Sequence<String>) -> Bool {
        var found: UInt64 = 0
        for var name in names {
            let bit = name.withUTF8 { bytes -> UInt64 in
                guard let first = bytes.first, let last = bytes.last else { return 0 }
                let hash = bytes.count &* 7 &+ Int(first | 0x20) &* 3 &+ Int(last | 0x20)
                return 1 << UInt64(hash & 63)
            }
            if found & bit != 0 { return true }
            found |= bit
        }
        return false
    }
}

extension URLRequest {
    /// Removes headers whose names differ only in case from the names of a later step's headers (``UniqueFieldNames``).
    ///
    /// - Parameter earlier: Returns the headers before the last step; called only if some names may differ only in case.
    package mutating func removeSupersededHeaders(after earlier: () -> [String: String]?) {
        guard let fields = allHTTPHeaderFields, fields.count > 1, UniqueFieldNames.canContainDuplicates(fields.keys),
            // On Linux, changing a request without a URL traps.
            url != nil
        else { return }
        let unique = UniqueFieldNames(fields, after: earlier() ?? [:])
        if unique.fields.count < fields.count { allHTTPHeaderFields = unique.fields }
        #if DEBUG
        FieldNameWarning.standard.check(unique, of: nil)
        #endif
    }
}

/// A warning about headers whose names differ only in case, which is printed once for each owner and its names.
package struct FieldNameWarning: Sendable {
    /// The warning for all requests, which is written to standard error.
    package static let standard = FieldNameWarning { text in
        FileHandle.standardError.write(Data("\(text)\n".utf8))
    }

    private let warn: @Sendable (String) -> Void
    /// The owners and names of the printed warnings.
    ///
    /// The set stays small, because the program's code determines owners and names.
    private let warned = Locked<Set<String>>([])

    package init(warn: @escaping @Sendable (String) -> Void) { self.warn = warn }

    /// Checks headers.
    ///
    /// - Parameters:
    ///   - headers: The headers of one step.
    ///   - owner: The name of the target; `nil` if the headers do not belong to a target.
    package func check(_ headers: UniqueFieldNames, of owner: String?) {
        guard !headers.ambiguousNames.isEmpty else { return }
        let names = headers.ambiguousNames.map { "\"\($0)\"" }.joined(separator: ", ")
        let place = owner.map { "of \($0)" } ?? "of a request"
        guard warned.withLock({ $0.insert("\(place): \(names)").inserted }) else { return }
        // The values are omitted, because they may be secrets.
        warn(
            """
            Moya: the headers \(place) have names that differ only in case: \(names). Only one of them is sent, the last in \
            the order of code points. Use one spelling.
            """
        )
    }
}
