import HTTPTypes

extension HTTPFields {
    /// The fields as a dictionary, in which URLSession accepts one value for each name, whatever its case.
    ///
    /// Several values are joined by commas (RFC 9110, section 5.2), those of `Cookie` by semicolons (RFC 9113, section
    /// 8.2.3). The spelling of the first field is used.
    var byURLSessionName: [String: String] {
        var names: [String: String] = [:]
        var values: [String: String] = [:]
        for field in self {
            let name = names[field.name.canonicalName] ?? field.name.rawName
            names[field.name.canonicalName] = name
            let separator = field.name == .cookie ? "; " : ", "
            values[name] = values[name].map { $0 + separator + field.value } ?? field.value
        }
        return values
    }
}
