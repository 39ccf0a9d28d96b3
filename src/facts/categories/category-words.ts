/** What words say of the kind of an event. Each line: the category, how sure it is (0–1), the words, folded. First lines win ties. */

import type { Category } from '../../records/index.ts';

export type WordLine = readonly [category: Category, confidence: number, words: string];

/**
 * Words with which providers sort: Ticketmaster's segments and genres, SeatGeek's types, Eventbrite's and DICE's categories, schema.org's
 * types, the topics of New York's parks and permits, OpenAgenda, UiTdatabank, Linked Events. Comedy stands before theater, which holds
 * it; `family` and `theater` alone are weak, as SeatGeek calls a tower *family* and a flower show *theater*.
 */
const ENGLISH_TAXONOMY: readonly WordLine[] = [
  ['comedy', 0.93, 'comedy, comedian, stand up, standup, improv, comedy club, comedy event, humour, cabaret humour, kabarett'],
  [
    'festival',
    0.92,
    'music festival, festival, festivals, fairs festivals, fairs and festivals, festival or fair, festivaali, festivaalit, street festival, single block festival',
  ],
  [
    'food',
    0.92,
    'farmers market, farmers markets, greenmarket, food and drink, food drink, food event, food, culinary, wine, beer, gastronomie, eten en drinken, ruoka, market food, dining, tasting',
  ],
  [
    'family',
    0.9,
    'best for kids, children s theatre, childrens theatre, children s music, childrens event, kids, kids in motion, jeune public, enfants, lapset, lapsille, kinderen, story time, storytime, family education',
  ],
  [
    'nightlife',
    0.9,
    'nightlife, dj, dj dance, club, clubbing, clubs, rave, techno, house music, party dj, party or social gathering, dance electronic, dance electronic music, electronic dance music, electronic music, fuif of party, soiree, yokerho, disco, dance party',
  ],
  [
    'sports',
    0.9,
    'nba, wnba, nfl, nhl, mlb, mls, ncaa, ncaa baseball, ncaa basketball, ncaa football, ncaa mens basketball, ncaa womens basketball, pga, lpga, ufc, mma, wwe, f1, nascar, baseball, basketball, hockey, football, american football, soccer, european soccer, minor league baseball, tennis, golf, boxing, wrestling, fighting, horse racing, auto racing, motorsports racing, motorsports, monster truck, rodeo, lacrosse, volleyball, rugby, cricket, sports event, race or endurance event, athletic race tour, athletic race, marathon, sportwedstrijd, game or competition',
  ],
  [
    'theater',
    0.9,
    'broadway, broadway tickets national, off broadway, musical, musicals, musical theater, opera, classical opera, ballet, theater event, theatre event, theatervoorstelling, dansvoorstelling, dance event, dance performance tour, play, drama, puppetry, burlesque, magic illusion, circus specialty acts, circus, cirque du soleil, variety, teatteri, theatre jeune public',
  ],
  [
    'concert',
    0.9,
    'concert, concerts, music event, concert or performance, live music, gig, music gig, symphony, classical, classical orchestral instrumental, classical vocal, choir, rock, pop, jazz, blues, folk, hip hop, hip hop rap, rap, r b, country, metal, reggae, soul, funk, latin, world, alternative, indie, punk, konsertit, musiikki, musique, konzert, bluegrass, americana, cover band',
  ],
  [
    'art',
    0.9,
    'exhibition, exhibitions, exhibition event, exhibits, exhibit, visual arts event, visual arts, fine art, art, arts, art gallery, museum, museums, museums exhibits, gallery, film, films, movies, cinema, screening event, screening, arts crafts, photography, tentoonstelling, exposition, nayttelyt, taide, elokuva, performing visual arts, literary, literary event',
  ],
  [
    'outdoor',
    0.9,
    'outdoor, outdoors, hiking, hike, hikes, nature, birding, wildlife, canoe, canoeing, kayaking, camping, waterfront, fishing, travel outdoor, outdoor fitness, urban park rangers, randonnee, balade, luonto, ulkoilu, astronomy, cycling, biking, summer fitness, great outdoors',
  ],
  [
    'community',
    0.88,
    'volunteer, volunteering, its my park, greenthumb events, community civic, community cultural, community, community culture, civic, government politics, charity causes, education, education event, lecture seminar, lecture, lectures, talks, meeting, meetings, class training or workshop, workshop, workshops, classes, library, seniors, health wellness, health fair, business professional, social event, business event, religion spirituality, religious event, science technology, conference, atelier, lezing of congres, cursus, history culture, parade, rally, block party, plaza event, open street partner event, street event, networking',
  ],
  ['concert', 0.8, 'music, muziek, musik'],
  ['family', 0.66, 'family, famille, perhe, gezin, family event, attractions'],
  [
    'theater',
    0.66,
    'theater, theatre, arts theatre, arts theater, theatre arts, performing arts, performance art, dance, spectacle, spectacular, show, voorstelling',
  ],
  ['sports', 0.66, 'sports, sport, fitness, sports fitness, liikunta, urheilu, sport en beweging'],
  ['nightlife', 0.6, 'social, party, parties, bar, singles, karaoke'],
];

/** What a provider lists and nothing else. */
export const PROVIDER_WORDS: readonly WordLine[] = [
  ['nightlife', 0.87, 'resident advisor, ra, 19hz'],
  ['concert', 0.82, 'bandsintown, songkick, jambase'],
  // Dance, cabaret and a few concerts as well.
  ['theater', 0.77, 'todaytix'],
];

/** More words of providers' taxonomies: French, German, Spanish, Italian, Portuguese, Dutch, Swedish. */
const OTHER_TAXONOMY: readonly WordLine[] = [
  ['comedy', 0.93, 'humor, humoriste, comico, kabarett comedy, comicos, monologos'],
  ['family', 0.9, 'kinder, kinder und familie, ninos, infantil, bambini, criancas, barn, barn och familj, jeunesse, en famille'],
  [
    'theater',
    0.9,
    'teatro, danza, danse, tanz, tanztheater, schauspiel, musiktheater, oper, opera lirica, spectacle vivant, arts vivants, arts de la scene, buhne, artes escenicas, zarzuela, ballett, zirkus, cirque, circo, toneel, teater, dans',
  ],
  [
    'concert',
    0.9,
    'konzerte, concierto, conciertos, concerti, concertos, chanson, klassik, musique classique, musica clasica, konsert',
  ],
  [
    'art',
    0.9,
    'expositions, ausstellung, ausstellungen, exposiciones, exposicion, mostra, mostre, exposicao, arts visuels, artes visuales, cine, film und kino, kino, cinema et audiovisuel, lesung, literatur, litterature, literatura, utstallning, konst',
  ],
  [
    'food',
    0.92,
    'marche, marche public, wochenmarkt, degustation, essen und trinken, gastronomia, degustacion, mercado, mat och dryck',
  ],
  [
    'outdoor',
    0.9,
    'randonnees, wanderung, wandern, natur, nature et plein air, plein air, senderismo, excursion, escursione, natuur',
  ],
  ['nightlife', 0.9, 'vie nocturne, soirees, nachtleben, noche, vida nocturna, uitgaan, diskothek'],
  [
    'community',
    0.88,
    'conferences, conferencias, conferencia, vortrag, vortrage, taller, talleres, corso, cours, kurs, kurse, bildung, benevolat, ehrenamt, ateliers, rencontre, debat, patrimoine, formation, palestra, oficina',
  ],
  ['festival', 0.92, 'fete, stadtfest, strassenfest, volksfest, fiestas, feria, sagra, festa'],
  ['concert', 0.8, 'musica, musiikki ja konsertit, muzik'],
  ['theater', 0.66, 'spectacles, espectaculo, spettacolo, espetaculo'],
  ['sports', 0.66, 'deporte, deportes, sportif, sports et loisirs, esporte, idrott'],
];

/**
 * Words of titles. What names the kind of an evening (`Festival`, `Open Mic Comedy`) is surer than the provider's `music`; what may be
 * part of a name (`Cold War Kids`, `Purple Disco Machine`) is less sure than that.
 */
const ENGLISH_TITLE_WORDS: readonly WordLine[] = [
  ['festival', 0.91, 'festival, festivals, fest, street fair, block party'],
  ['comedy', 0.9, 'comedy, comedian, comedians, stand up, standup, improv, improvised, roast battle'],
  [
    'food',
    0.88,
    'greenmarket, farmers market, farmers markets, farm stand, farmstand, food market, youth market, smorgasburg, wine tasting, beer tasting, food tour, food truck, food trucks, night market, cooking class, supper club, garlic harvest, restaurant week, fish fry, bake sale, food box, food festival',
  ],
  [
    'art',
    0.88,
    'movies under the stars, muts, film screening, film fest, movie night, film series, exhibition, exhibit, gallery tour, opening reception, art show, artist talk, author talk, author series, sip and paint, paint and sip, paint sip, sip paint, nt live, ntlive, national theatre live, poetry reading, book launch, book reading, literary salon',
  ],
  [
    'family',
    0.86,
    'story time, storytime, story hour, toddler, toddlers, children s, childrens, children, family day, family fun, families, family camping, family program, tot time, puppet, puppets, for kids, kids in motion, first 5 years, first five years, pre k, prek, read and play, after school, afterschool, youth program',
  ],
  [
    'sports',
    0.86,
    'watch party, watch event, vs, nba draft, world cup, tournament, half marathon, marathon, pickleball, basketball clinic, flag football, at new york yankees, at new york mets',
  ],
  [
    'nightlife',
    0.86,
    'dance party, rave, karaoke, happy hour, after party, afterparty, boat party, rooftop party, day party, yacht party, drag brunch, drag show, drag bingo, open decks, club night, silent disco, disco party, all night long, speed dating, bar crawl, pub crawl, viewing party, reggaeton, perreo, boat ride party',
  ],
  [
    'outdoor',
    0.86,
    'hike, hikes, hiking, birding, bird walk, nature walk, kayak, kayaking, canoe, canoeing, stargazing, star gaze, forest bathing, trail run, open run, fishing clinic, fishing tour, bike ride, adventure course, foraging, foragers, horticulture tour, archery, urban wildlife, outdoor skills, birding tour',
  ],
  [
    'theater',
    0.86,
    'the musical, a new musical, musical parody, shakespeare, burlesque, swan lake, nutcracker, macbeth, julius caesar, uncle vanya, as you like it, monologues, circus, one man show, one woman show, dance company, dance theater, theater company, theatre company, broadway, cirque',
  ],
  [
    'concert',
    0.85,
    'concert, concerts, quartet, quintet, trio, sextet, septet, octet, orchestra, symphony, philharmonic, jazz, jam session, live music, album release, ep release, release show, recital, choir, chorus, ensemble, in concert, bluegrass, folk jams, unplugged, singer songwriter, listening party, big band, chamber music',
  ],
  [
    'community',
    0.84,
    'salsa social, bachata social, tango social, dance social, social dance, social dancing, milonga, volunteer, volunteers, volunteer day, its my park, street tree care, forest restoration, stewardship, clean up, cleanup, pitch in, community board, community meeting, input meeting, book club, book discussion, book chat, workshop, seminar, lecture, career fair, job fair, tax clinic, tabling, health fair, hiv, pantry, esl, citizenship, annual meeting, monthly meeting, support group, microsoft, tech time, ask a tech, town hall, gardening, tree care, open house, older adults, computer classes, resource event, financial literacy, pond restoration',
  ],
  ['theater', 0.82, 'musical, ballet, opera, hamlet, romeo juliet, cabaret, theater, theatre, magician, drag'],
  ['food', 0.8, 'brunch, dinner, bbq, barbecue, cookout, picnic, tasting, paella, mozzarella'],
  [
    'art',
    0.79,
    'film, films, screening, movie, movies, cinema, painting, drawing, pottery, ceramics, watercolor, watercolour, photography, photographer, photographs, collage, sculpture, crafts, craft, knitting, crochet, origami, quilting, sewing, coloring, zine, zines, poetry, literary, book fair, museum',
  ],
  ['nightlife', 0.78, 'dj, djs, b2b, disco, techno, house music, trivia, nightclub, yacht, dj set'],
  ['family', 0.76, 'kids, teen, teens, tween, tweens, lego, legos, paddington, family, youth'],
  [
    'community',
    0.72,
    'class, classes, meetup, meet up, meetings, meeting, tours, celebration, juneteenth, parade, march, rally, garden, seniors, senior, chess, mahjong, board games, scrabble, puzzle, restoration, computer, training, exercise',
  ],
  ['outdoor', 0.72, 'nature, paddle, camping, scopes, wildlife, walk, walking tour, stroll, trail, forest, 5k, fun run'],
  [
    'sports',
    0.7,
    'v, race, soccer, softball, baseball, basketball, handball, tennis, yankees, mets, knicks, liberty, boxing, wrestling, skate, pétanque, petanque, run',
  ],
  [
    'concert',
    0.66,
    'band, tribute, piano, songs, sounds, music, acoustic, folk, listening, album, jam, jams, sings, singing, symphonic',
  ],
  ['festival', 0.66, 'carnival, fiesta, palooza, fair'],
  ['nightlife', 0.66, 'party, bingo, singles, salsa night'],
  ['art', 0.7, 'reading, readings, arts, artists'],
  ['theater', 0.64, 'magic, magick, play, dance, performance, show'],
  ['art', 0.6, 'art'],
];

/** Words of titles in French, German, Spanish, Italian, Portuguese and Dutch. */
const OTHER_TITLE_WORDS: readonly WordLine[] = [
  ['festival', 0.9, 'strassenfest, stadtfest, sommerfest, volksfest, fete de la, fete du, fete des, fiestas de'],
  [
    'comedy',
    0.9,
    'humoriste, spectacle d humour, soiree d impro, match d impro, improvisation, kabarett, monologos, noche de comedia',
  ],
  [
    'theater',
    0.86,
    'piece de theatre, comedie musicale, schauspiel, oper, ballett, tanztheater, teatro, obra de teatro, danza, danse, zarzuela, spectacle de danse, toneel, zirkus, cirque, circo, flamenco, titeres',
  ],
  [
    'family',
    0.88,
    'heure du conte, jeune public, enfants, pour enfants, en famille, marionnettes, kinder, kindertheater, marchenstunde, puppentheater, familienfest, cuentacuentos, para ninos, ninos, infantil, bambini, criancas',
  ],
  [
    'concert',
    0.85,
    'konzert, konzerte, liederabend, kammermusik, concierto, conciertos, concerto, concerti, orchestre, orchester, orquesta, quatuor, quartett, cuarteto, quartetto, choeur, chorale, coro, chanson, recital de piano, blaskapelle',
  ],
  [
    'art',
    0.86,
    'exposition, vernissage, ausstellung, exposicion, mostra, exposicao, lesung, soiree poesie, cine club, projection, filmabend, filmvorfuhrung, kinoabend, cortometrajes, in conversation, in conversation with, book signing, book talk, q&a, signing, open studio',
  ],
  [
    'food',
    0.86,
    'marche public, marche fermier, wochenmarkt, bauernmarkt, degustation, weinprobe, verkostung, cata de vinos, mercado de',
  ],
  ['outdoor', 0.84, 'randonnee, balade, wanderung, radtour, senderismo, excursion, escursione, sortie nature'],
  ['nightlife', 0.84, 'afterwork, soiree dansante, tanzparty, fiesta electronica, noche de fiesta, tardeo, discotheque'],
  ['sports', 0.8, 'tournoi, turnier, torneo, torneio, halbmarathon, media maraton'],
  [
    'community',
    0.84,
    'atelier, conference, vortrag, kurs, cours, taller, charla, conferencia, rencontre, benevoles, benevolat, seminar, sprachcafe, cafe linguistique, visite guidee, stadtfuhrung, fuhrung, visita guiada, mesa redonda, conseil municipal',
  ],
  ['concert', 0.72, 'musique, musik, musica'],
  ['theater', 0.64, 'spectacle, espectaculo, spettacolo, auffuhrung'],
];

/** Moving together: in a park it is outdoors, in a library, school or gym it is a class. */
export const FITNESS_WORDS =
  'yoga, zumba, tai chi, qi gong, pilates, fitness, cardio, bodyweight, circuit training, aerobics, dance fitness, stretching, step aerobics, shape up, boot camp, bootcamp, workout, line dance, meditation, total body, hula hoop, athletic body, bollyx, lablast, strong nation, soca sweat, barre, exercise, run club, running group';
export const INDOOR_WORDS =
  'library, school, hospital, hall, room, gymnasium, gym, studio, church, health center, community center, recreation center, senior center, center';

/** Words of venues' names: what mostly happens there. */
export const VENUE_WORDS: readonly WordLine[] = [
  ['comedy', 0.75, 'comedy club, comedy cellar, comedy, improv'],
  [
    'community',
    0.74,
    'library, libraries, senior center, town hall, city hall, bibliotheque, mediatheque, bibliothek, biblioteca, bibliotheek',
  ],
  ['concert', 0.7, 'jazz club, jazz, music hall, concert hall, philharmonic, bandshell, blue note, birdland'],
  [
    'theater',
    0.7,
    'theater, theatre, theatres, theaters, playhouse, opera house, stages, broadway, teatro, schauspielhaus, opernhaus, oper',
  ],
  [
    'art',
    0.68,
    'museum, musee, museo, museu, gallery, galleries, galerie, galeria, cinema, cine, kino, art center, film center, bookstore, kunsthalle',
  ],
  ['sports', 0.66, 'stadium, ballpark, arena, speedway, field house, stade, stadion, estadio, stadio'],
  [
    'community',
    0.64,
    'community center, school, church, community garden, health center, recreation center, meeting room, reading room',
  ],
  ['nightlife', 0.62, 'nightclub, club, bar, lounge, disco, rooftop, karaoke, boat, cruises, marina'],
  ['food', 0.6, 'brewery, brewing, winery, restaurant, greenmarket, farmers market, market, kitchen, cafe'],
  ['theater', 0.58, 'stage'],
  [
    'outdoor',
    0.55,
    'park, playground, garden, gardens, beach, pier, trail, forest, preserve, nature center, field, lawn, plaza, parc, parque, parco, jardin, plage, playa',
  ],
];

export const TAXONOMY: readonly WordLine[] = [...ENGLISH_TAXONOMY, ...OTHER_TAXONOMY];
export const TITLE_WORDS: readonly WordLine[] = [...ENGLISH_TITLE_WORDS, ...OTHER_TITLE_WORDS];
