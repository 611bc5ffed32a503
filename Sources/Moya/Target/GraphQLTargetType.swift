/// A typed target that sends a GraphQL query, and throws the errors in the response.
///
///     struct Viewer: GraphQLTargetType {
///         typealias Output = User
///         var outputKeyPath: String? { "viewer" }
///         …
///     }
///
/// The output is decoded at ``TypedTargetType/outputKeyPath`` in the member `data`. A response with a member `errors` fails with
/// ``GraphQLErrors`` in ``MoyaError/underlying(_:_:)``, whatever its status.
@preconcurrency
public protocol GraphQLTargetType<Output>: TypedTargetType where Output: Decodable, ErrorBody == GraphQLErrors {}

extension GraphQLTargetType {
    /// Returns the output in the member `data`, or throws the errors: see ``Response/mapGraphQL(_:atKeyPath:using:)``.
    ///
    /// - Throws: ``MoyaError``.
    public func output(from response: Response) throws(MoyaError) -> Output {
        try response.mapGraphQL(Output.self, atKeyPath: outputKeyPath, using: decoder)
    }
}
