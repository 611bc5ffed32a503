import MoyaMacros

@API("https://weather.example.com/v1", encoder: .weather, decoder: JSONDecoder.weather)
@Bearer
protocol Cities: Sendable {
    @GET("/cities")
    @Sample(
        #"""
        {
          "cities": [
            {
              "id": 11,
              "name": "Bern",
              "country": "CH",
              "location": {"latitude": 46.9, "longitude": 8.5}
            },
            {
              "id": 12,
              "name": "Bergen",
              "country": "NO",
              "location": {"latitude": 60.4, "longitude": 8.5}
            }
          ]
        }
        """#
    )
    func cities(search: String?, limit: Int?) async throws -> CitiesResponse

    @GET("/cities/{cityID}/forecast") @ErrorBody(APIError.self, for: 404)
    func cityForecast(cityID: Int, days: Int) async throws -> Forecast
}
