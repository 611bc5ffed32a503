@_exported import MoyaHTTPMessages
