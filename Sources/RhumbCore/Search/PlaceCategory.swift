/// What a thing on the map is for, in the kinds that people ask for. The raw values are kept on disk.
public enum PlaceCategory: UInt8, Sendable, CaseIterable {
    case other = 0, street, address, settlement, building
    case food, drinks, fuel, charging, pharmacy, hospital, lodging, camping, shop, supermarket
    case bank, post, police, transit, airport, ferry, parking, bicycle, water, toilets
    case viewpoint, sight, museum, culture, worship, education, park, playground, sport, swimming
    case peak, river, lake, shelter, office, cemetery, railway

    /// Of a thing by the classes that its tile gives it, the most telling first.
    /// - Returns: the category, and the class that told; nil where none of them says anything.
    static func of(_ classes: some Sequence<String>) -> (category: PlaceCategory, kind: String)? {
        for kind in classes {
            if let category = byClass[kind] { return (category, kind) }
        }
        return nil
    }

    /// Whether a thing of that kind is looked for even where it has no name.
    var isFoundUnnamed: Bool { PlaceCategory.foundUnnamed.contains(self) }

    private static let foundUnnamed: Set<PlaceCategory> = [
        .food, .drinks, .fuel, .charging, .pharmacy, .hospital, .lodging, .camping, .supermarket, .bank, .post, .police,
        .transit, .ferry, .parking, .bicycle, .water, .toilets, .viewpoint, .playground, .swimming, .peak, .shelter,
    ]

    /// The category as one of 64 bits.
    package var bit: UInt64 { 1 << UInt64(rawValue) }

    private static let byClass: [String: PlaceCategory] = {
        var table: [String: PlaceCategory] = [:]
        for (category, classes) in classes {
            for name in classes.split(separator: " ") { table[String(name)] = category }
        }
        return table
    }()

    /// The values of OpenMapTiles, Protomaps, Shortbread and Mapbox Streets, which are OpenStreetMap's for
    /// the most part.
    private static let classes: [(PlaceCategory, String)] = [
        (.food, "restaurant fast_food food_court cafe coffee ice_cream tea food_and_drink canteen"),
        (.drinks, "bar pub biergarten beer nightclub wine_bar"),
        (.fuel, "fuel gas_station"),
        (.charging, "charging_station"),
        (.pharmacy, "pharmacy chemist"),
        (.hospital, "hospital clinic doctors doctor dentist medical emergency veterinary health_centre"),
        (.lodging, "hotel hostel guest_house motel lodging apartment apartments chalet bed_and_breakfast alpine_hut"),
        (.camping, "camp_site caravan_site campsite camping camp_pitch"),
        (.supermarket, "supermarket grocery convenience marketplace greengrocer"),
        (
            .shop,
            """
            shop clothes clothing_store bakery butcher books hairdresser jewelry gift shoes beauty newsagent laundry \
            car_repair kiosk mall department_store electronics florist furniture hardware doityourself optician sports \
            stationery toys travel_agency alcohol alcohol_shop art_gallery mobile_phone motorcycle music variety_store \
            store commercial_services food_and_drink_stores confectionery deli dry_cleaning garden_centre cosmetics
            """
        ),
        (.bank, "bank atm bureau_de_change"),
        (.post, "post_office post parcel_locker"),
        (.police, "police fire_station ranger_station"),
        (
            .transit,
            """
            station bus_station bus_stop tram_stop subway_entrance halt train_station bus tram subway platform \
            public_transport stop_position stop_area taxi railway_station metro light_rail
            """
        ),
        (.airport, "aerodrome airport airfield heliport helipad terminal"),
        (.ferry, "ferry_terminal harbor harbour marina ferry"),
        (.parking, "parking parking_garage parking_entrance motorcycle_parking"),
        (.bicycle, "bicycle_rental bicycle_parking bicycle bicycle_repair_station"),
        (.water, "drinking_water water_point"),
        (.toilets, "toilets toilet"),
        (.viewpoint, "viewpoint"),
        (
            .sight,
            """
            attraction monument memorial artwork castle ruins archaeological_site historic tourism theme_park zoo \
            aquarium fort city_gate landmark fountain information visitor_and_attraction windmill lighthouse tower
            """
        ),
        (.museum, "museum gallery"),
        (.culture, "theatre cinema arts_centre library arts_and_entertainment community_centre music_venue planetarium"),
        (.worship, "place_of_worship church mosque synagogue temple cathedral chapel monastery religion"),
        (.education, "school university college kindergarten language_school music_school driving_school childcare"),
        (.park, "park garden nature_reserve common dog_park national_park protected_area forest wood recreation_ground allotments"),
        (.playground, "playground"),
        (.sport, "sports_centre stadium pitch golf_course golf fitness_centre ice_rink track sport_and_leisure sports_hall"),
        (.swimming, "swimming_pool swimming swimming_area beach water_park"),
        (.peak, "peak volcano saddle hill mountain_pass ridge cliff cave_entrance"),
        (.river, "river stream canal drain ditch waterway waterfall weir dam spring"),
        (.lake, "lake reservoir pond basin bay lagoon sea ocean strait"),
        (.shelter, "shelter wilderness_hut picnic_site picnic_table"),
        (.office, "townhall town_hall courthouse embassy government office public_building company lawyer diplomatic"),
        (.cemetery, "cemetery grave_yard"),
        (.railway, "rail railway narrow_gauge funicular monorail major_rail minor_rail"),
        (
            .settlement,
            """
            city town village hamlet suburb neighbourhood neighborhood quarter borough locality isolated_dwelling \
            island islet country state region province farm settlement settlement_subdivision macrohood
            """
        ),
        (.street, "square"),
        (.building, "building house residential_building industrial warehouse"),
    ]
}
