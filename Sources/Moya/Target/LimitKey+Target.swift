extension LimitKey {
    /// Groups the requests by the names of their targets: the type and the case, without the associated values.
    ///
    /// A request without a target, which a session sends alone, has no limit.
    public static let target = LimitKey { request in
        (request.target as? any TargetType).map { TargetName($0).description }
    }
}
