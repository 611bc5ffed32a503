import MoyaMacros

@API("https://weather.example.com/v1", encoder: .weather, decoder: JSONDecoder.weather)
@Bearer
protocol Alerts: Sendable {
    @POST("/alerts")
    @Sample(
        #"""
        {
          "id": "5b7c2f0e-3f0e-4b4e-9a57-0f4b1f6f9a01",
          "city_id": 12,
          "sky": "rain",
          "active": true
        }
        """#
    )
    func createAlert(body: Body<NewAlert>) async throws -> Alert

    @DELETE("/alerts/{alertID}")
    func deleteAlert(alertID: UUID) async throws
}
