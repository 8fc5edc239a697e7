internal import RhumbCore
internal import RhumbEngine

extension MapSign {
    /// Creates the sign of a search result.
    init(_ match: SearchMatch) {
        switch match {
        case .place(let match):
            self.init(match.place.sign(isUnicode: true), match.place.sign(isUnicode: false))
        case .feature(let feature): self.init(feature.category)
        }
    }

    /// Creates the sign of a category, which is one column wide in every terminal.
    init(_ category: PlaceCategory) {
        let (unicode, ascii) =
            switch category {
            case .street, .railway: ("═", "=")
            case .address, .building: ("⌂", "n")
            case .settlement: ("○", "o")
            case .food: ("Ψ", "f")
            case .drinks: ("Y", "y")
            case .fuel: ("F", "F")
            case .charging: ("Ϟ", "E")
            case .pharmacy, .hospital: ("✚", "+")
            case .lodging, .camping, .shelter: ("∆", "H")
            case .shop, .supermarket: ("▪", "s")
            case .bank: ("€", "B")
            case .post: ("@", "@")
            case .police, .office: ("¶", "?")
            case .transit: ("≡", "=")
            case .airport: ("✈", "A")
            case .ferry: ("≈", "~")
            case .parking: ("P", "P")
            case .bicycle: ("∞", "8")
            case .water, .river, .lake, .swimming: ("≈", "~")
            case .toilets: ("T", "T")
            case .viewpoint: ("⚑", "!")
            case .sight: ("★", "*")
            case .museum, .culture: ("♪", "%")
            case .worship: ("†", "t")
            case .education: ("◊", "#")
            case .park, .cemetery: ("♣", "&")
            case .playground, .sport: ("○", "o")
            case .peak: ("▲", "^")
            case .other: ("·", ".")
            }
        self.init(unicode, ascii)
    }
}
