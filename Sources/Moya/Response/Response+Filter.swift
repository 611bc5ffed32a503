extension Response {
    /// Returns this response if its status code is in the range.
    ///
    /// - Throws: ``MoyaError/statusCode(_:)``.
    @discardableResult
    public func filter<R: RangeExpression>(statusCodes: R) throws(MoyaError) -> Response where R.Bound == Int {
        guard statusCodes.contains(statusCode) else { throw .statusCode(self) }
        return self
    }

    /// Returns this response if it has the status code.
    ///
    /// - Throws: ``MoyaError/statusCode(_:)``.
    @discardableResult
    public func filter(statusCode: Int) throws(MoyaError) -> Response {
        try filter(statusCodes: statusCode...statusCode)
    }

    /// Returns this response if its status code is in 200 to 299.
    ///
    /// - Throws: ``MoyaError/statusCode(_:)``.
    @discardableResult
    public func filterSuccessfulStatusCodes() throws(MoyaError) -> Response { try filter(statusCodes: 200...299) }

    /// Returns this response if its status code is in 200 to 399.
    ///
    /// - Throws: ``MoyaError/statusCode(_:)``.
    @discardableResult
    public func filterSuccessfulStatusAndRedirectCodes() throws(MoyaError) -> Response {
        try filter(statusCodes: 200...399)
    }
}
