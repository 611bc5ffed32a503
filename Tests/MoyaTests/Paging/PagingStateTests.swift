import Foundation
import Testing

@testable import Moya

@Suite("The state of a list in pages decides what is requested")
struct PagingStateTests {
    private typealias Page = PagingState.ReceivedPage

    private static let first = PagePosition(location: .first)

    private func page(
        _ count: Int,
        next: PagePosition.Location? = nil,
        url: PagePosition.Location? = nil,
        content: String? = nil
    ) -> PagingState.ReceivedPage {
        PagingState.ReceivedPage(
            itemCount: count,
            next: .success(next),
            url: url,
            content: content.map { Data($0.utf8) }
        )
    }

    @Test("pages are requested up to the page without a next one")
    func end() {
        var state = PagingState(from: Self.first)
        #expect(state.nextStep == .request(Self.first))
        #expect(state.handlePage(page(2, next: .url("b"))) == 0..<2)
        #expect(state.nextStep == .request(PagePosition(number: 2, location: .url("b"))))
        #expect(state.handlePage(page(1)) == 0..<1)
        #expect(state.nextStep == .end)
        #expect(state.position == nil)
    }

    @Test("a limit of pages ends the list at a position from which it can be continued")
    func pageLimit() {
        var state = PagingState(from: Self.first, limits: PagingLimits(pages: 1))
        #expect(state.handlePage(page(2, next: .url("b"))) == 0..<2)
        #expect(state.nextStep == .end)
        #expect(state.position == PagePosition(number: 2, location: .url("b")))
        #expect(PagingState(from: Self.first, limits: PagingLimits(pages: 0)).nextStep == .end)
    }

    @Test("a limit of items ends the list inside a page, and the list continues there")
    func itemLimit() {
        var state = PagingState(from: Self.first, limits: PagingLimits(items: 3))
        #expect(state.handlePage(page(2, next: .url("b"))) == 0..<2)
        #expect(state.handlePage(page(2, next: .url("c"))) == 0..<1)
        #expect(state.nextStep == .end)
        let stored = PagePosition(number: 2, location: .url("b"), deliveredItems: 1)
        #expect(state.position == stored)
        var later = PagingState(from: stored)
        #expect(later.handlePage(page(2, next: .url("c"))) == 1..<2)
        #expect(later.position == PagePosition(number: 3, location: .url("c")))
    }

    @Test("a limit at the end of a page continues with the next page")
    func exactLimit() {
        var state = PagingState(from: Self.first, limits: PagingLimits(items: 2))
        #expect(state.handlePage(page(2, next: .url("b"))) == 0..<2)
        #expect(state.nextStep == .end)
        #expect(state.position == PagePosition(number: 2, location: .url("b")))
    }

    @Test("a position beyond the items of a page, which have become fewer, delivers nothing of it")
    func fewerItems() {
        var state = PagingState(from: PagePosition(location: .first, deliveredItems: 5))
        #expect(state.handlePage(page(2, next: .url("b"))) == 2..<2)
        #expect(state.nextStep == .request(PagePosition(number: 2, location: .url("b"))))
    }

    @Test("a next page that was requested before is an error, after the items of the current page")
    func loop() {
        var state = PagingState(from: Self.first)
        _ = state.handlePage(page(1, next: .url("b"), url: .url("a")))
        _ = state.handlePage(page(1, next: .url("c")))
        #expect(state.handlePage(page(1, next: .url("b"))) == 0..<1)
        #expect(state.nextStep == .fail(.loop(page: 3)))
        #expect(state.position == PagePosition(number: 3, location: .url("c"), deliveredItems: 1))
    }

    @Test("a first page whose next page is itself is a loop")
    func ownLink() {
        var state = PagingState(from: Self.first)
        #expect(state.handlePage(page(1, next: .url("a"), url: .url("a"))) == 0..<1)
        #expect(state.nextStep == .fail(.loop(page: 1)))
    }

    @Test("a page with the bytes of the page before it is an error, and for a stub the end")
    func repetition() {
        for isStub in [false, true] {
            var state = PagingState(from: Self.first, endsWithRepetition: isStub)
            #expect(state.handlePage(page(1, next: .query(["page": "2"]), content: "[1]")) == 0..<1)
            #expect(state.handlePage(page(1, next: .query(["page": "3"]), content: "[1]")).isEmpty)
            #expect(state.nextStep == (isStub ? .end : .fail(.repeatedPage(page: 2))))
        }
    }

    @Test("an invalid next page is an error after the items of the current page")
    func invalidNext() {
        var state = PagingState(from: Self.first)
        let page = PagingState.ReceivedPage(itemCount: 2, next: .failure(.invalidNext(page: 1)))
        #expect(state.handlePage(page) == 0..<2)
        #expect(state.nextStep == .fail(.invalidNext(page: 1)))
        #expect(state.position == PagePosition(location: .first, deliveredItems: 2))
    }

    @Test(
        "a position is stored and read again",
        arguments: [.first, .url("http://h/?a=é"), .query(["page": "2"]), .cursor("\u{1F600}\"")]
            as [PagePosition.Location]
    )
    func coding(location: PagePosition.Location) throws {
        let position = PagePosition(number: 7, location: location, deliveredItems: 3)
        let stored = try JSONEncoder().encode(position)
        #expect(try JSONDecoder().decode(PagePosition.self, from: stored) == position)
        #expect("\(position)" == "page 7, after 3 items")
        var dumped = ""
        dump(position, to: &dumped)
        #expect(!dumped.contains("http"))
    }
}
