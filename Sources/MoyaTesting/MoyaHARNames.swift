// Recordings come with `import MoyaTesting`, and Moya with it.
@_exported import Moya
@_exported import MoyaHAR
