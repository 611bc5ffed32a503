@_exported import MoyaHTTPFields
@_exported import MoyaHTTPMessages
