@_exported import MoyaHTTPFields
