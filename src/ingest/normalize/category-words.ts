/** What words say of the kind of an event. Each line: the category, how sure it is (0–1), the words, folded. First lines win ties. */

import type { Category } from '../../catalog/index.ts';

export type WordLine = readonly [category: Category, confidence: number, words: string];

/**
 * Words with which providers sort: Ticketmaster's segments and genres, SeatGeek's types, Eventbrite's and DICE's categories, schema.org's
 * types, the topics of New York's parks and permits, OpenAgenda, UiTdatabank, Linked Events. Comedy stands before theater, which holds
 * it; `family` and `theater` alone are weak, as SeatGeek calls a tower *family* and a flower show *theater*.
 */
export const TAXONOMY: readonly WordLine[] = [
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

/** Words of titles. What names the kind of an evening (`Festival`, `Open Mic Comedy`) is surer than what may be a name (`House`). */
export const TITLE_WORDS: readonly WordLine[] = [
  [
    'comedy',
    0.9,
    'comedy, comedian, comedians, stand up comedy, standup, stand up, improv, improvised, sketch comedy, roast battle, open mic comedy, comedy show',
  ],
  ['festival', 0.91, 'festival, fest, film fest, street fair, music festival, carnival, fiesta, palooza, block party'],
  [
    'food',
    0.88,
    'greenmarket, farmers market, farm stand, farmstand, farmers markets, food market, smorgasburg, tasting, wine tasting, beer tasting, food tour, food truck, food trucks, night market, cooking class, brunch, dinner, supper club, bbq, barbecue, cookout, garlic harvest, pizza, paella, mozzarella, restaurant week, fish fry, tacos, oyster, bake sale, youth market, food box',
  ],
  [
    'family',
    0.86,
    'kids, story time, storytime, story hour, story and play, toddler, toddlers, children, children s, childrens, family day, family fun, families, family camping, bubble show, tot time, lego, legos, puppet, puppets, caterpillar, tweens, tween, teens, teen, youth program, fraggle rock, first 5 years, first five years, pre k, prek, read and play, baby, babies, magic show for kids, paddington, cuentos, after school, afterschool, kids in motion, kim',
  ],
  [
    'outdoor',
    0.85,
    'hike, hikes, hiking, birding, bird walk, nature walk, walking tour, kayak, kayaking, canoe, canoeing, paddle, camping, stargazing, star gaze, forest bathing, trail run, open run, fishing clinic, fishing, scopes, bike ride, nature, open archery, archery, adventure course, bats of, wildlife, terrapins, foraging, foragers, horticulture tour, fun run, 5k, group run',
  ],
  [
    'nightlife',
    0.85,
    'dj, djs, b2b, dance party, rave, techno, disco, karaoke, happy hour, after party, afterparty, boat party, rooftop party, yacht, day party, nightclub, reggaeton, perreo, drag brunch, drag show, drag bingo, house music, open decks, club night, silent disco, cabaret party, all night long, dance music, speed dating, singles, bar crawl, pub crawl, trivia, bingo, viewing party, watch party, ball',
  ],
  [
    'sports',
    0.85,
    'v, vs, at yankees, yankees, mets, knicks, rangers, liberty, nba draft, world cup, tournament, championship, marathon, half marathon, boxing, wrestling, pickleball, basketball clinic, flag football, soccer, softball, baseball, race series, handball, track field',
  ],
  [
    'theater',
    0.85,
    'musical, the musical, a new musical, musical parody, play, ballet, opera, shakespeare, broadway, burlesque, cabaret, theater, theatre, swan lake, nutcracker, hamlet, macbeth, romeo juliet, julius caesar, uncle vanya, as you like it, monologues, circus, magic, magick, one man show, one woman show, dance company, dance theater, playwright',
  ],
  [
    'concert',
    0.85,
    'concert, concerts, quartet, quintet, trio, sextet, septet, octet, orchestra, symphony, philharmonic, jazz, jam session, live music, band, tour, album release, ep release, release show, recital, choir, chorus, ensemble, in concert, tribute, bluegrass, folk jams, piano, unplugged, acoustic, songwriters, songs, listening, folk, summerstage, sounds, music',
  ],
  [
    'art',
    0.85,
    'exhibition, exhibit, gallery tour, gallery, opening reception, art show, artist talk, film, films, film screening, screening, movie, movies, movies under the stars, movie night, cinema, painting, drawing, pottery, ceramics, museum, paint and sip, sip and paint, watercolor, watercolour, photography, collage, sculpture, crafts, craft, knitting, crochet, origami, quilting, sewing, coloring, book fair, zine, zines, poetry, author talk, author series, reading, literary, book launch, nt live, ntlive',
  ],
  [
    'community',
    0.84,
    'volunteer, volunteers, volunteer day, its my park, street tree care, restoration, stewardship, clean up, cleanup, pitch in, community board, community meeting, input meeting, book club, book discussion, book chat, workshop, class, classes, seminar, lecture, career fair, job fair, tax clinic, tabling, health fair, testing, pantry, esl, citizenship, meeting, meet up, meetup, support group, computer, tech time, ask a tech, excel, powerpoint, training, town hall, celebration, juneteenth, parade, march, rally, gardening, garden, tree care, open house, seniors, older adults, chess, mahjong, board games, scrabble, puzzle, library, commission',
  ],
];

/** Moving together: in a park it is outdoors, in a library, school or gym it is a class. */
export const FITNESS_WORDS =
  'yoga, zumba, tai chi, qi gong, pilates, fitness, cardio, bodyweight, circuit training, aerobics, dance fitness, stretching, step aerobics, shape up, boot camp, bootcamp, workout, line dance, meditation, total body, hula hoop, athletic body, bollyx, labl ast, lablast, strong nation, soca sweat, barre, exercise, run club, running group';
export const INDOOR_WORDS =
  'library, school, hospital, hall, room, gymnasium, gym, studio, church, health center, community center, recreation center, senior center, center';

/** Words of venues' names: what mostly happens there. */
export const VENUE_WORDS: readonly WordLine[] = [
  ['comedy', 0.75, 'comedy club, comedy cellar, comedy'],
  ['concert', 0.7, 'jazz club, jazz, music hall, concert hall, philharmonic, bandshell, blue note, birdland, music'],
  ['theater', 0.7, 'theater, theatre, theatres, theaters, playhouse, opera house, stages, broadway'],
  ['art', 0.68, 'museum, gallery, galleries, cinema, art center, film center, bookstore, books'],
  ['sports', 0.66, 'stadium, ballpark, arena, speedway, field house'],
  [
    'community',
    0.64,
    'library, libraries, community center, senior center, school, church, town hall, city hall, community garden',
  ],
  ['nightlife', 0.62, 'nightclub, club, bar, lounge, disco, rooftop, karaoke, boat, cruises, marina'],
  ['food', 0.6, 'brewery, brewing, winery, restaurant, greenmarket, farmers market, market, kitchen, cafe'],
  ['outdoor', 0.55, 'park, playground, garden, gardens, beach, pier, trail, forest, preserve, nature center, field, lawn, plaza'],
];
