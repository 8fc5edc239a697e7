/// The names of a category, or of one of its classes, with the classes that tiles use for it.
struct CategoryNames: Sendable {
    let category: PlaceCategory
    /// The classes in OpenMapTiles, Protomaps, Shortbread and Mapbox Streets, mostly those of OpenStreetMap.
    let classes: [String]
    /// The classes that the names mean; the others are related. Empty for all.
    let mainClasses: [String]
    /// The names by ISO 639-1 language code, the usual one first.
    let words: [String: [String]]

    /// Parses the classes and names of a category.
    /// - Parameters:
    ///   - classes: Separated by spaces; "|" precedes the related ones.
    ///   - words: Such as "en:pharmacy,chemist;de:Apotheke".
    init(_ category: PlaceCategory, _ classes: String, _ words: String) {
        self.category = category
        let parts = classes.split(separator: "|").map { $0.split(separator: " ").map(String.init) }
        self.classes = parts.flatMap(\.self)
        mainClasses = parts.count > 1 ? parts[0] : []
        let languages = words.split(separator: ";").map { $0.split(separator: ":") }.filter { $0.count == 2 }
        self.words = Dictionary(
            uniqueKeysWithValues: languages.map {
                (String($0[0]), $0[1].split(separator: ",").map(String.init))
            })
    }

    /// Returns the usual name in a language; nil if there is none.
    func word(in language: String) -> String? { words[language]?.first }

    /// The names of the categories, one entry for each.
    static let categories = [
        CategoryNames(.other, "", "en:place;de:Ort;fr:lieu;it:luogo;es:lugar;fi:paikka;sv:plats"),
        CategoryNames(.street, "square", "en:street,road;de:Straße;fr:rue;it:via;es:calle;fi:katu;sv:gata"),
        CategoryNames(
            .address, "", "en:address;de:Adresse;fr:adresse;it:indirizzo;es:dirección;fi:osoite;sv:adress"),
        CategoryNames(
            .settlement,
            """
            city town village hamlet suburb neighbourhood neighborhood quarter borough locality isolated_dwelling island islet \
            country state region province farm settlement settlement_subdivision macrohood
            """,
            "en:settlement;de:Siedlung;fr:localité;it:località;es:localidad;fi:asutus;sv:ort"),
        CategoryNames(
            .building, "building house residential_building industrial warehouse",
            "en:building;de:Gebäude;fr:bâtiment;it:edificio;es:edificio;fi:rakennus;sv:byggnad"),
        CategoryNames(
            .food, "restaurant food_court food_and_drink canteen | fast_food cafe coffee ice_cream tea",
            """
            en:restaurant,food;de:Restaurant,Essen;fr:restaurant;it:ristorante,trattoria,cibo;es:restaurante,comida;\
            fi:ravintola;sv:restaurang,mat
            """),
        CategoryNames(
            .drinks, "bar pub biergarten beer nightclub wine_bar",
            "en:bar,pub;de:Kneipe,Bar;fr:bar;it:bar;es:bar;fi:baari;sv:krog"),
        CategoryNames(
            .fuel, "fuel gas_station truck_stop",
            """
            en:fuel,petrol,gas station,petrol station,filling station;de:Tankstelle;fr:station-service,essence,carburant;\
            it:benzina,distributore,carburante;es:gasolinera;fi:huoltoasema,bensa;sv:bensin,bensinstation
            """),
        CategoryNames(
            .charging, "charging_station",
            """
            en:charging,charging station,ev charging,charger;de:Ladestation,Ladesäule;fr:borne de recharge,recharge;\
            it:ricarica,colonnina;es:cargador,punto de recarga;fi:latausasema,lataus;sv:laddstation,laddning
            """),
        CategoryNames(
            .pharmacy, "pharmacy chemist",
            "en:pharmacy,chemist,drugstore;de:Apotheke;fr:pharmacie;it:farmacia;es:farmacia;fi:apteekki;sv:apotek"
        ),
        CategoryNames(
            .hospital, "hospital emergency | clinic doctors doctor dentist medical veterinary health_centre",
            """
            en:hospital,doctor,clinic;de:Krankenhaus,Arzt;fr:hôpital,médecin;it:ospedale,medico;es:hospital,médico;\
            fi:sairaala,lääkäri;sv:sjukhus,läkare
            """),
        CategoryNames(
            .lodging,
            "hotel motel lodging | hostel guest_house apartment apartments chalet bed_and_breakfast alpine_hut",
            """
            en:hotel,hostel,lodging;de:Hotel,Unterkunft;fr:hôtel,hébergement;it:albergo,ostello,alloggio;es:hotel,alojamiento;\
            fi:hotelli,majoitus;sv:hotell,boende
            """),
        CategoryNames(
            .camping, "camp_site caravan_site campsite camping camp_pitch",
            "en:campsite,camping,camp;de:Campingplatz;fr:camping;it:campeggio;es:camping;fi:leirintäalue;sv:camping"
        ),
        CategoryNames(
            .shop,
            """
            shop clothes clothing_store bakery butcher books hairdresser jewelry gift shoes beauty newsagent laundry car_repair \
            kiosk mall department_store electronics florist furniture hardware doityourself optician sports stationery toys \
            travel_agency alcohol alcohol_shop art_gallery mobile_phone motorcycle music variety_store store commercial_services \
            food_and_drink_stores confectionery deli dry_cleaning garden_centre cosmetics
            """,
            "en:shop,shops,store;de:Laden,Geschäft;fr:magasin,boutique;it:negozio;es:tienda;fi:kauppa,liike;sv:butik,affär"
        ),
        CategoryNames(
            .supermarket, "supermarket grocery | convenience marketplace greengrocer",
            "en:supermarket,groceries,grocery;de:Supermarkt;fr:supermarché;it:supermercato;es:supermercado;fi:ruokakauppa;sv:mataffär"
        ),
        CategoryNames(
            .bank, "bank | atm bureau_de_change",
            """
            en:bank,atm,cash;de:Bank,Geldautomat;fr:banque,distributeur;it:banca,bancomat;es:banco,cajero;\
            fi:pankki,pankkiautomaatti;sv:bank,bankomat
            """),
        CategoryNames(
            .post, "post_office post parcel_locker",
            "en:post office,post;de:Post;fr:poste;it:posta,ufficio postale;es:correos;fi:posti;sv:post"),
        CategoryNames(
            .police, "police | fire_station ranger_station",
            "en:police;de:Polizei;fr:police;it:polizia,carabinieri;es:policía;fi:poliisi;sv:polis"),
        CategoryNames(
            .transit,
            """
            station bus_station bus_stop tram_stop subway_entrance halt train_station bus tram subway platform public_transport \
            stop_position stop_area taxi railway_station metro light_rail
            """,
            """
            en:stop,station,bus stop,transit,bus,tram,train station,railway station;de:Haltestelle,Bahnhof,Bus;fr:arrêt,gare;it:fermata,stazione;\
            es:parada,estación;fi:pysäkki,asema;sv:hållplats,station
            """),
        CategoryNames(
            .airport, "aerodrome airport airfield heliport helipad terminal",
            "en:airport;de:Flughafen;fr:aéroport;it:aeroporto;es:aeropuerto;fi:lentoasema,lentokenttä;sv:flygplats"
        ),
        CategoryNames(
            .ferry, "ferry_terminal harbor harbour marina ferry",
            "en:ferry,harbour,harbor;de:Fähre,Hafen;fr:ferry,port;it:traghetto,porto;es:ferry,puerto;fi:lautta,satama;sv:färja,hamn"
        ),
        CategoryNames(
            .parking, "parking parking_garage parking_entrance motorcycle_parking",
            "en:parking,car park;de:Parkplatz;fr:stationnement,parking;it:parcheggio;es:aparcamiento;fi:pysäköinti;sv:parkering"
        ),
        CategoryNames(
            .bicycle, "bicycle_rental bicycle_parking bicycle bicycle_repair_station",
            "en:bicycle,bike;de:Fahrrad;fr:vélo;it:bicicletta,bici;es:bicicleta;fi:pyörä;sv:cykel"),
        CategoryNames(
            .water, "drinking_water water_point",
            """
            en:drinking water,water;de:Trinkwasser,Wasser;fr:eau potable,eau;it:acqua potabile,acqua;es:agua potable,agua;\
            fi:juomavesi,vesi;sv:dricksvatten,vatten
            """),
        CategoryNames(
            .toilets, "toilets toilet",
            "en:toilets,toilet,restroom,wc;de:Toilette,WC;fr:toilettes;it:bagno,toilette;es:aseos,baño;fi:vessa,WC;sv:toalett"
        ),
        CategoryNames(
            .viewpoint, "viewpoint",
            "en:viewpoint,view;de:Aussichtspunkt,Aussicht;fr:point de vue;it:belvedere,panorama;es:mirador;fi:näköalapaikka;sv:utsiktsplats"
        ),
        CategoryNames(
            .sight,
            """
            attraction monument memorial artwork castle ruins archaeological_site historic tourism theme_park zoo aquarium fort \
            city_gate landmark fountain information visitor_and_attraction windmill lighthouse tower
            """,
            "en:sight,sights,attraction,monument;de:Sehenswürdigkeit,Denkmal;fr:monument;it:monumento;es:monumento;fi:nähtävyys;sv:sevärdhet"
        ),
        CategoryNames(
            .museum, "museum gallery",
            "en:museum,gallery;de:Museum;fr:musée;it:museo;es:museo;fi:museo;sv:museum"),
        CategoryNames(
            .culture,
            "theatre cinema arts_centre library arts_and_entertainment community_centre music_venue planetarium",
            """
            en:theatre,theater,cinema,library;de:Theater,Kino;fr:théâtre,cinéma;it:teatro,cinema,biblioteca;es:teatro,cine;\
            fi:teatteri,kirjasto;sv:teater,bibliotek
            """),
        CategoryNames(
            .worship, "place_of_worship church mosque synagogue temple cathedral chapel monastery religion",
            "en:church,mosque,temple;de:Kirche;fr:église;it:chiesa;es:iglesia;fi:kirkko;sv:kyrka"),
        CategoryNames(
            .education,
            "school university college kindergarten language_school music_school driving_school childcare",
            """
            en:school,university;de:Schule,Universität;fr:école,université;it:scuola,università;es:escuela,universidad;\
            fi:koulu,yliopisto;sv:skola,universitet
            """),
        CategoryNames(
            .park,
            "park garden nature_reserve common dog_park national_park protected_area forest wood recreation_ground allotments",
            "en:park,garden,forest;de:Park,Garten,Wald;fr:parc,jardin;it:parco,giardino;es:parque,jardín;fi:puisto,metsä;sv:park,skog"
        ),
        CategoryNames(
            .playground, "playground",
            "en:playground;de:Spielplatz;fr:aire de jeux;it:parco giochi;es:parque infantil;fi:leikkipuisto;sv:lekplats"
        ),
        CategoryNames(
            .sport,
            "sports_centre stadium pitch golf_course golf fitness_centre ice_rink track sport_and_leisure sports_hall",
            """
            en:sport,sports,stadium,gym;de:Sport,Stadion;fr:sport,stade;it:sport,stadio,palestra;es:deporte,estadio;\
            fi:urheilu,stadion;sv:sport,idrott
            """),
        CategoryNames(
            .swimming, "swimming_pool swimming swimming_area beach water_park",
            """
            en:swimming,pool,beach;de:Schwimmbad,Strand;fr:piscine,plage;it:piscina,spiaggia;es:piscina,playa;\
            fi:uimahalli,uimaranta;sv:simhall,badplats
            """),
        CategoryNames(
            .peak, "peak volcano saddle hill mountain_pass ridge cliff cave_entrance",
            "en:peak,summit,mountain;de:Gipfel,Berg;fr:sommet;it:cima,vetta;es:pico,cumbre;fi:huippu;sv:topp"),
        CategoryNames(
            .river, "river stream canal drain ditch waterway waterfall weir dam spring",
            "en:river,stream;de:Fluss,Bach;fr:rivière;it:fiume,torrente;es:río;fi:joki;sv:älv"),
        CategoryNames(
            .lake, "lake reservoir pond basin bay lagoon sea ocean strait",
            "en:lake;de:See;fr:lac;it:lago;es:lago;fi:järvi;sv:sjö"),
        CategoryNames(
            .shelter, "shelter wilderness_hut picnic_site picnic_table",
            "en:shelter,hut,picnic;de:Schutzhütte;fr:abri;it:riparo;es:refugio;fi:laavu;sv:vindskydd"),
        CategoryNames(
            .office,
            "townhall town_hall courthouse embassy government office public_building company lawyer diplomatic",
            "en:office,town hall;de:Amt,Rathaus;fr:mairie;it:ufficio,municipio;es:oficina,ayuntamiento;fi:virasto;sv:kontor"
        ),
        CategoryNames(
            .cemetery, "cemetery grave_yard",
            "en:cemetery;de:Friedhof;fr:cimetière;it:cimitero;es:cementerio;fi:hautausmaa;sv:kyrkogård"),
        CategoryNames(
            .railway, "rail railway narrow_gauge funicular monorail major_rail minor_rail",
            "en:railway;de:Eisenbahn;fr:chemin de fer;it:ferrovia;es:ferrocarril;fi:rautatie;sv:järnväg"),
    ]

    /// The names of single classes.
    static let classes = [
        CategoryNames(
            .hospital, "doctors doctor clinic",
            "en:doctor,clinic;de:Arztpraxis,Arzt;fr:cabinet médical,médecin;it:ambulatorio,medico;es:consultorio,médico;fi:lääkäri;sv:läkare"
        ),
        CategoryNames(
            .hospital, "veterinary",
            "en:vet;de:Tierarzt;fr:vétérinaire;it:veterinario;es:veterinario;fi:eläinlääkäri;sv:veterinär"),
        CategoryNames(.drinks, "bar wine_bar", "en:bar;de:Bar;fr:bar;it:bar;es:bar;fi:baari;sv:bar"),
        CategoryNames(
            .food, "cafe coffee",
            "en:cafe,coffee;de:Café;fr:café;it:caffè,bar caffè;es:cafetería;fi:kahvila;sv:kafé"),
        CategoryNames(
            .food, "fast_food",
            "en:fast food,takeaway;de:Imbiss;fr:restauration rapide;it:tavola calda;es:comida rápida;fi:pikaruoka;sv:snabbmat"
        ),
        CategoryNames(
            .food, "ice_cream",
            "en:ice cream;de:Eisdiele,Eis;fr:glacier;it:gelateria,gelato;es:heladería;fi:jäätelö;sv:glass"),
        CategoryNames(
            .hospital, "dentist",
            "de:Zahnarzt;fr:dentiste;it:dentista;es:dentista;fi:hammaslääkäri;sv:tandläkare"),
        CategoryNames(
            .lodging, "hostel",
            "de:Jugendherberge;fr:auberge de jeunesse;it:ostello;es:albergue;fi:hostelli;sv:vandrarhem"),
        CategoryNames(
            .shop, "bakery",
            "de:Bäckerei,Bäcker;fr:boulangerie;it:panetteria,panificio;es:panadería;fi:leipomo;sv:bageri"),
        CategoryNames(
            .shop, "butcher",
            "de:Metzgerei,Fleischerei;fr:boucherie;it:macelleria;es:carnicería;fi:lihakauppa;sv:slaktare"),
        CategoryNames(
            .shop, "hairdresser", "de:Friseur;fr:coiffeur;it:parrucchiere;es:peluquería;fi:kampaaja;sv:frisör"
        ),
        CategoryNames(
            .shop, "books",
            "en:bookshop,bookstore;de:Buchhandlung;fr:librairie;it:libreria;es:librería;fi:kirjakauppa;sv:bokhandel"
        ),
        CategoryNames(.shop, "kiosk", "de:Kiosk;fr:kiosque;it:edicola;es:quiosco;fi:kioski;sv:kiosk"),
        CategoryNames(
            .shop, "clothes", "de:Kleidung;fr:vêtements;it:abbigliamento;es:ropa;fi:vaatteet;sv:kläder"),
        CategoryNames(
            .shop, "laundry",
            "de:Wäscherei,Waschsalon;fr:laverie;it:lavanderia;es:lavandería;fi:pesula;sv:tvätt"),
        CategoryNames(.shop, "optician", "de:Optiker;fr:opticien;it:ottico;es:óptica;fi:optikko;sv:optiker"),
        CategoryNames(
            .shop, "florist", "de:Blumen;fr:fleuriste;it:fioraio;es:floristería;fi:kukkakauppa;sv:blommor"),
        CategoryNames(
            .supermarket, "marketplace", "en:market;de:Markt;fr:marché;it:mercato;es:mercado;fi:tori;sv:torg"),
        CategoryNames(
            .bank, "atm",
            "en:cash machine;de:Geldautomat;fr:distributeur;it:bancomat;es:cajero;fi:pankkiautomaatti;sv:bankomat"
        ),
        CategoryNames(
            .police, "fire_station",
            "en:fire station;de:Feuerwehr;fr:pompiers;it:pompieri;es:bomberos;fi:paloasema;sv:brandstation"),
        CategoryNames(
            .transit, "bus_stop bus_station bus",
            "en:bus stop,bus;de:Bus,Bushaltestelle;fr:arrêt de bus;it:fermata dell'autobus;es:parada de autobús;fi:bussipysäkki;sv:busshållplats"
        ),
        CategoryNames(
            .transit, "station train_station railway_station halt rail",
            "en:station,train station,railway station;de:Bahnhof;fr:gare;it:stazione;es:estación;fi:asema,rautatieasema;sv:station,tågstation"
        ),
        CategoryNames(
            .transit, "tram_stop tram light_rail",
            "en:tram,tram stop;de:Straßenbahn;fr:tram;it:tram;es:tranvía;fi:raitiovaunu;sv:spårvagn"),
        CategoryNames(
            .transit, "subway_entrance subway metro",
            "en:subway,metro,underground;de:U-Bahn;fr:métro;it:metropolitana;es:metro;fi:metro;sv:tunnelbana"),
        CategoryNames(.transit, "taxi", "de:Taxi;fr:taxi;it:taxi;es:taxi;fi:taksi;sv:taxi"),
        CategoryNames(
            .sight, "castle", "de:Burg,Schloss;fr:château;it:castello;es:castillo;fi:linna;sv:slott"),
        CategoryNames(.sight, "ruins", "de:Ruine;fr:ruines;it:rovine;es:ruinas;fi:rauniot;sv:ruin"),
        CategoryNames(
            .sight, "fountain", "de:Brunnen;fr:fontaine;it:fontana;es:fuente;fi:suihkulähde;sv:fontän"),
        CategoryNames(.sight, "zoo", "de:Zoo;fr:zoo;it:zoo;es:zoo;fi:eläintarha;sv:djurpark"),
        CategoryNames(
            .culture, "library",
            "en:library;de:Bibliothek,Bücherei;fr:bibliothèque;it:biblioteca;es:biblioteca;fi:kirjasto;sv:bibliotek"
        ),
        CategoryNames(
            .culture, "cinema", "en:cinema;de:Kino;fr:cinéma;it:cinema;es:cine;fi:elokuvateatteri;sv:bio"),
        CategoryNames(
            .culture, "theatre",
            "en:theatre,theater;de:Theater;fr:théâtre;it:teatro;es:teatro;fi:teatteri;sv:teater"),
        CategoryNames(
            .education, "school", "en:school;de:Schule;fr:école;it:scuola;es:escuela;fi:koulu;sv:skola"),
        CategoryNames(
            .education, "university college",
            "en:university;de:Universität;fr:université;it:università;es:universidad;fi:yliopisto;sv:universitet"
        ),
        CategoryNames(
            .education, "kindergarten",
            "de:Kindergarten;fr:école maternelle;it:asilo;es:guardería;fi:päiväkoti;sv:förskola"),
        CategoryNames(
            .park, "garden", "en:garden;de:Garten;fr:jardin;it:giardino;es:jardín;fi:puutarha;sv:trädgård"),
        CategoryNames(.park, "forest wood", "en:forest;de:Wald;fr:forêt;it:bosco;es:bosque;fi:metsä;sv:skog"),
        CategoryNames(
            .sport, "stadium", "en:stadium;de:Stadion;fr:stade;it:stadio;es:estadio;fi:stadion;sv:stadion"),
        CategoryNames(
            .swimming, "beach", "en:beach;de:Strand;fr:plage;it:spiaggia;es:playa;fi:uimaranta;sv:strand"),
        CategoryNames(
            .office, "townhall",
            "en:town hall;de:Rathaus;fr:mairie;it:municipio;es:ayuntamiento;fi:kaupungintalo;sv:stadshus"),
    ]
}
