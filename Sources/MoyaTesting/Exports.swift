// `import MoyaTesting` includes Moya and MoyaHAR.
@_exported import Moya
@_exported import MoyaHAR
