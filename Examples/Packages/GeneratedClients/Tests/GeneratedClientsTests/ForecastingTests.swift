import MoyaMacros
import MoyaTesting
import Testing

@testable import Forecasting

struct ForecastingTests {
    @Test("the recorded response is the sample of the method, and decodes")
    func sample() async throws {
        let client = CitiesClient(provider: MoyaProvider(stubClosure: MoyaProvider.immediatelyStub))

        let cities = try await client.cities(search: "ber", limit: nil).cities

        #expect(cities.map(\.name) == ["Bern", "Bergen"])
        #expect(cities.first?.location == Location(latitude: 46.9, longitude: 8.5))
    }

    @Test("a forecast decodes, also without the values that some recorded days lack")
    func forecast() async throws {
        let transport = ScriptedTransport()
        let body = """
            {"city": {"id": 12, "name": "Bergen", "country": "NO", "location": {"latitude": 60.4, "longitude": 5.3}},
             "issued_at": "2026-05-04T06:00:00Z",
             "days": [
                 {"date": "2026-05-04", "sky": "rain", "low": 6, "high": 9.5, "rain_probability": 0.9},
                 {"date": "2026-05-05", "sky": "sunny", "low": 6, "high": 12}
             ]}
            """
        transport.on(.get, "/v1/cities/12/forecast", .text(body, type: "application/json"))
        let client = CitiesClient(session: Session(transport: transport), plugins: [WeatherCredentials.bearer { "t" }])

        let forecast = try await client.cityForecast(cityID: 12, days: 2)

        #expect(forecast.days.map(\.rainProbability) == [0.9, nil])
        #expect(forecast.days.first?.date == CalendarDate(year: 2026, month: 5, day: 4))
        #expect(transport.requests.first?.query["days"] == "2")
    }
}
