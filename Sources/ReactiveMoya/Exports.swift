// A file that sends requests needs no other import.
@_exported import Moya
