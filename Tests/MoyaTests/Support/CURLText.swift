extension String {
    /// A curl command without the headers that a session adds to every request.
    var withoutUsualHeaders: String {
        let usual = ["--compressed", "-H \"Accept: ", "-H \"Accept-", "-H \"User-Agent: "]
        return split(separator: " \\\n\t").filter { part in !usual.contains { part.hasPrefix($0) } }
            .joined(separator: " \\\n\t")
    }
}
