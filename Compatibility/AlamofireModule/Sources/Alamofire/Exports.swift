// The names are declared in MoyaAlamofire.
@_exported import MoyaAlamofire
