/// What categories are called in several languages, for people who type them.
extension PlaceCategory {
    /// What it is called, in English, as it is written in lists and JSON.
    public var word: String { word(in: "en") }

    /// What it is called in a language, else in English.
    /// - Parameter language: a code of ISO 639-1, as "de".
    public func word(in language: String) -> String {
        let known = PlaceCategory.words[self] ?? [:]
        return (known[language] ?? known["en"])?.first ?? "place"
    }

    /// All words for it, in all languages that are known.
    package var allWords: [String] { PlaceCategory.words[self]?.values.flatMap(\.self) ?? [] }

    /// The category that a word names in any language, in its whole.
    public init?(word: String) {
        let wanted = Transliteration.ascii(word).lowercased()
        guard let found = PlaceCategory.byWord[wanted] else { return nil }
        self = found
    }

    private static let byWord: [String: PlaceCategory] = {
        var table: [String: PlaceCategory] = [:]
        for category in allCases {
            for word in category.allWords { table[Transliteration.ascii(word).lowercased()] = table[word] ?? category }
        }
        return table
    }()

    private static let words: [PlaceCategory: [String: [String]]] = {
        var words: [PlaceCategory: [String: [String]]] = [:]
        for (category, text) in texts {
            for part in text.split(separator: ";") {
                guard let colon = part.firstIndex(of: ":") else { continue }
                words[category, default: [:]][String(part[..<colon])] =
                    part[part.index(after: colon)...].split(separator: ",").map(String.init)
            }
        }
        return words
    }()

    /// Of each language the words for a category, the usual one first.
    private static let texts: [(PlaceCategory, String)] = [
        (.other, "en:place;de:Ort;fr:lieu;it:luogo;es:lugar;fi:paikka;sv:plats"),
        (.street, "en:street,road;de:Straße;fr:rue;it:via;es:calle;fi:katu;sv:gata"),
        (.address, "en:address;de:Adresse;fr:adresse;it:indirizzo;es:dirección;fi:osoite;sv:adress"),
        (.settlement, "en:settlement;de:Siedlung;fr:localité;it:località;es:localidad;fi:asutus;sv:ort"),
        (.building, "en:building;de:Gebäude;fr:bâtiment;it:edificio;es:edificio;fi:rakennus;sv:byggnad"),
        (
            .food,
            """
            en:restaurant,food,cafe,coffee;de:Restaurant,Essen,Café;fr:restaurant,café;it:ristorante,cibo,caffè;\
            es:restaurante,comida;fi:ravintola,kahvila;sv:restaurang,mat,kafé
            """
        ),
        (.drinks, "en:bar,pub;de:Kneipe,Bar;fr:bar;it:bar;es:bar;fi:baari;sv:krog"),
        (
            .fuel,
            """
            en:fuel,petrol,gas station,petrol station,filling station;de:Tankstelle;fr:station-service,essence,carburant;\
            it:benzina,distributore,carburante;es:gasolinera;fi:huoltoasema,bensa;sv:bensin,bensinstation
            """
        ),
        (
            .charging,
            """
            en:charging,charging station,ev charging,charger;de:Ladestation,Ladesäule;fr:borne de recharge,recharge;\
            it:ricarica,colonnina;es:cargador,punto de recarga;fi:latausasema,lataus;sv:laddstation,laddning
            """
        ),
        (.pharmacy, "en:pharmacy,chemist,drugstore;de:Apotheke;fr:pharmacie;it:farmacia;es:farmacia;fi:apteekki;sv:apotek"),
        (
            .hospital,
            """
            en:hospital,doctor,clinic;de:Krankenhaus,Arzt;fr:hôpital,médecin;it:ospedale,medico;es:hospital,médico;\
            fi:sairaala,lääkäri;sv:sjukhus,läkare
            """
        ),
        (.lodging, "en:hotel,hostel,lodging;de:Hotel,Unterkunft;fr:hôtel,hébergement;it:albergo,ostello,alloggio;es:hotel,alojamiento;fi:hotelli,majoitus;sv:hotell,boende"),
        (.camping, "en:campsite,camping,camp;de:Campingplatz;fr:camping;it:campeggio;es:camping;fi:leirintäalue;sv:camping"),
        (.shop, "en:shop,shops,store;de:Laden,Geschäft;fr:magasin,boutique;it:negozio;es:tienda;fi:kauppa,liike;sv:butik,affär"),
        (.supermarket, "en:supermarket,groceries,grocery;de:Supermarkt;fr:supermarché;it:supermercato;es:supermercado;fi:ruokakauppa;sv:mataffär"),
        (.bank, "en:bank,atm,cash;de:Bank,Geldautomat;fr:banque,distributeur;it:banca,bancomat;es:banco,cajero;fi:pankki,pankkiautomaatti;sv:bank,bankomat"),
        (.post, "en:post office,post;de:Post;fr:poste;it:posta,ufficio postale;es:correos;fi:posti;sv:post"),
        (.police, "en:police;de:Polizei;fr:police;it:polizia,carabinieri;es:policía;fi:poliisi;sv:polis"),
        (
            .transit,
            """
            en:stop,station,bus stop,transit,bus,tram,train station;de:Haltestelle,Bahnhof,Bus;fr:arrêt,gare;\
            it:fermata,stazione;es:parada,estación;fi:pysäkki,asema;sv:hållplats,station
            """
        ),
        (.airport, "en:airport;de:Flughafen;fr:aéroport;it:aeroporto;es:aeropuerto;fi:lentoasema,lentokenttä;sv:flygplats"),
        (.ferry, "en:ferry,harbour,harbor;de:Fähre,Hafen;fr:ferry,port;it:traghetto,porto;es:ferry,puerto;fi:lautta,satama;sv:färja,hamn"),
        (.parking, "en:parking,car park;de:Parkplatz;fr:stationnement,parking;it:parcheggio;es:aparcamiento;fi:pysäköinti;sv:parkering"),
        (.bicycle, "en:bicycle,bike;de:Fahrrad;fr:vélo;it:bicicletta,bici;es:bicicleta;fi:pyörä;sv:cykel"),
        (.water, "en:drinking water,water;de:Trinkwasser,Wasser;fr:eau potable,eau;it:acqua potabile,acqua;es:agua potable,agua;fi:juomavesi,vesi;sv:dricksvatten,vatten"),
        (.toilets, "en:toilets,toilet,restroom,wc;de:Toilette,WC;fr:toilettes;it:bagno,toilette;es:aseos,baño;fi:vessa,WC;sv:toalett"),
        (.viewpoint, "en:viewpoint,view;de:Aussichtspunkt,Aussicht;fr:point de vue;it:belvedere,panorama;es:mirador;fi:näköalapaikka;sv:utsiktsplats"),
        (.sight, "en:sight,sights,attraction,monument;de:Sehenswürdigkeit,Denkmal;fr:monument;it:monumento;es:monumento;fi:nähtävyys;sv:sevärdhet"),
        (.museum, "en:museum,gallery;de:Museum;fr:musée;it:museo;es:museo;fi:museo;sv:museum"),
        (.culture, "en:theatre,theater,cinema,library;de:Theater,Kino;fr:théâtre,cinéma;it:teatro,cinema,biblioteca;es:teatro,cine;fi:teatteri,kirjasto;sv:teater,bibliotek"),
        (.worship, "en:church,mosque,temple;de:Kirche;fr:église;it:chiesa;es:iglesia;fi:kirkko;sv:kyrka"),
        (.education, "en:school,university;de:Schule,Universität;fr:école,université;it:scuola,università;es:escuela,universidad;fi:koulu,yliopisto;sv:skola,universitet"),
        (.park, "en:park,garden,forest;de:Park,Garten,Wald;fr:parc,jardin;it:parco,giardino;es:parque,jardín;fi:puisto,metsä;sv:park,skog"),
        (.playground, "en:playground;de:Spielplatz;fr:aire de jeux;it:parco giochi;es:parque infantil;fi:leikkipuisto;sv:lekplats"),
        (.sport, "en:sport,sports,stadium,gym;de:Sport,Stadion;fr:sport,stade;it:sport,stadio,palestra;es:deporte,estadio;fi:urheilu,stadion;sv:sport,idrott"),
        (.swimming, "en:swimming,pool,beach;de:Schwimmbad,Strand;fr:piscine,plage;it:piscina,spiaggia;es:piscina,playa;fi:uimahalli,uimaranta;sv:simhall,badplats"),
        (.peak, "en:peak,summit,mountain;de:Gipfel,Berg;fr:sommet;it:cima,vetta;es:pico,cumbre;fi:huippu;sv:topp"),
        (.river, "en:river,stream;de:Fluss,Bach;fr:rivière;it:fiume,torrente;es:río;fi:joki;sv:älv"),
        (.lake, "en:lake;de:See;fr:lac;it:lago;es:lago;fi:järvi;sv:sjö"),
        (.shelter, "en:shelter,hut,picnic;de:Schutzhütte;fr:abri;it:riparo;es:refugio;fi:laavu;sv:vindskydd"),
        (.office, "en:office,town hall;de:Amt,Rathaus;fr:mairie;it:ufficio,municipio;es:oficina,ayuntamiento;fi:virasto;sv:kontor"),
        (.cemetery, "en:cemetery;de:Friedhof;fr:cimetière;it:cimitero;es:cementerio;fi:hautausmaa;sv:kyrkogård"),
        (.railway, "en:railway;de:Eisenbahn;fr:chemin de fer;it:ferrovia;es:ferrocarril;fi:rautatie;sv:järnväg"),
    ]
}
