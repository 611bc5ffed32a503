// MoyaAlamofire declares the names.
@_exported import MoyaAlamofire
