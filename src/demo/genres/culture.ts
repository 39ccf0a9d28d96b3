/** Art, food and festivals. */

import { lines } from '../phrase.ts';
import type { Genre } from './genre.ts';

export const CULTURE: readonly Genre[] = [
  {
    category: 'art',
    weight: 4,
    venues: [
      ['gallery', 6],
      ['museum', 1],
    ],
    days: 'weekend',
    starts: ['17:00', '18:00', '18:30', '19:00'],
    minutes: [120, 180],
    price: { free: 0.85, from: 5, to: 15 },
    cast: 'artist',
    tags: ['opening', 'exhibition', 'photography', 'painting', 'sculpture', 'first friday', 'artist present'],
    topics: lines(`
      Things the Lake Gave Back :: driftwood, bottle glass and one complete piano
      Interior With Radiator :: forty small paintings of rooms nobody has tidied
      Tall Ships, Short Tempers :: harbor photographs from the strike years
      The Color of Six O’Clock :: one street corner, painted daily for a year
      Soft Architecture :: courthouses and grain elevators, quilted
      Good Bones :: portraits of houses the week before demolition
      Slow Exposure :: pinhole pictures that took a month each
      Unfired :: clay works that will be gone by the end of the show, by design
      Ledger Drawings :: ink on the account books of a bankrupt tannery
      New Weather :: prints made by leaving copper plates on a roof
      Hands at Work :: ninety-one trades, ninety-one pairs of hands
      All the Reds :: a room of pigments and the people who got rich on them
    `),
    titles: lines(`
      {performer}: {topic}
      Opening: {performer}, “{topic}”
      {topic}: {opening night|closing reception|preview}
      “{topic}” by {performer}
    `),
    opens: lines(`
      “{topic}” is {detail}.
      {performer} shows {detail} under the title “{topic}”.
      {Two years of work|A winter’s work} by {performer}: {detail}.
    `),
    tells: lines(`
      {The artist is there until eight and would rather talk about the frames|The artist walks visitors through the back room at seven}.
      {Half the pieces have never left the studio on Oxbow Street|Several are on loan from the families shown in them}.
      {A small catalog, hand-sewn, comes in an edition of two hundred|Prices are on the wall, for once}.
      {Music by one cello in the stairwell|Wine from a box, conversation from the guests}.
    `),
    closes: lines(`
      {On view for five weeks|Until the end of next month}.
      {The freight elevator is the step-free way in|Bikes may be hung on the loading dock}.
      {Free, as openings should be|No list, no door}.
    `),
  },
  {
    category: 'art',
    weight: 3,
    venues: [
      ['gallery', 4],
      ['museum', 4],
      ['brewery', 1],
    ],
    days: 'daytime',
    starts: ['10:00', '11:00', '13:00', '14:00', '18:00'],
    minutes: [90, 180],
    price: { free: 0.15, from: 15, to: 75 },
    run: { chance: 0.2, times: [2, 4], everyDays: 7 },
    cast: 'artist',
    tags: ['workshop', 'hands-on', 'materials included', 'talk', 'ceramics', 'printmaking', 'drawing'],
    topics: lines(`
      Linocut in an Afternoon :: carve it, ink it, take ten prints home
      Life Drawing :: short poses, then long, with the heating on
      Throwing for the First Time :: one wheel each and nobody laughs
      Bookbinding with Coptic Stitch :: you leave with a notebook that lies flat
      How to Look at a Painting :: one picture, ninety minutes, no jargon
      Cyanotype on the Roof :: paper, plants, sunlight and a hose
      Mending as Drawing :: visible darning taught by a former sailmaker
      Letterpress Night :: set one line of type and ruin only a little of it
      Conservators’ Open Lab :: see what a swab takes off a sky
      Sign Painting :: casual lettering with a brush that is older than you
    `),
    titles: lines(`
      {topic}
      {topic} with {performer}
      Workshop: {topic}
      {topic} at {venue}
    `),
    opens: lines(`
      {topic}: {detail}.
      {performer} teaches {topic}, {detail}.
      {No experience needed|For beginners and the lapsed}: {topic}, {detail}.
    `),
    tells: lines(`
      {Aprons and materials are included|Bring an apron, everything else is there}.
      {Groups stay under twelve, so everyone gets corrected|There is one teacher for every five people}.
      {The kiln is fired on Monday and pieces can be collected after that|You take your work home the same day}.
    `),
    closes: lines(`
      {Members ten percent off|Two sliding-scale places per class}.
      {From fourteen years|Adults only, mostly because of the acid}.
      {Coffee included|Tea, cake and strong opinions included}.
    `),
  },
  {
    category: 'food',
    weight: 4,
    venues: [
      ['restaurant', 6],
      ['brewery', 2],
      ['bar', 2],
    ],
    days: 'any',
    starts: ['17:30', '18:00', '18:30', '19:00', '19:30'],
    minutes: [120, 180],
    price: { free: 0.02, from: 28, to: 140 },
    cast: 'chef',
    tags: ['tasting menu', 'pop-up', 'wine', 'vegetarian option', 'communal table', 'chef’s counter', 'seasonal'],
    topics: lines(`
      Six Ways with Smoke :: trout, plum, butter, rye, onion and, at the end, ice cream
      The Whole Squash :: five courses and no waste bin in the kitchen
      Sunday Gravy :: nine hours in the pot and three cousins at the pass
      Oysters and Small Beer :: four shores, four pints, shuck your own
      Dumplings Without Borders :: pierogi, mandu, kreplach, momo
      A Lake Boil :: whitefish, potatoes, an open fire and one dramatic minute
      Natural and Confused :: eight cloudy wines explained without adjectives
      Orchard Supper :: a long table between the trees, pork in cider
      Grandmothers’ Night :: three cooks over seventy and their least-shared recipes
      Koji Everything :: fermented courses from a cellar you may visit
      Mole in Seven Days :: the sauce was begun last week
      Bread and Nothing :: twelve loaves, cultured butter, and that is dinner
    `),
    titles: lines(`
      {topic}
      {topic} with {performer}
      {topic}: {one night only|a supper|a tasting}
      {performer} at {venue}: {topic}
    `),
    opens: lines(`
      {topic}: {detail}.
      {performer} {takes over|borrows} the kitchen of {venue} for {topic}, {detail}.
      {One seating, one menu|Two seatings}: {topic}, {detail}.
    `),
    tells: lines(`
      {Everything comes from within sixty miles except the lemons|The fish is landed four streets away that morning}.
      {Pairings are optional and generous|There is a pairing without alcohol that is not an afterthought}.
      {Seats are at a shared table, so bring a story|The counter seats see everything, including the mistakes}.
      {Vegetarians get their own menu and not a side dish|Tell them about allergies when you book and they will rise to it}.
    `),
    closes: lines(`
      {Tickets include service|Service is included, and they mean it}.
      {Eighteen covers|Thirty-two seats}.
      {Cancellations until two days before|Wait list at the door}.
    `),
  },
  {
    category: 'food',
    weight: 2.5,
    venues: [
      ['brewery', 3],
      ['restaurant', 3],
      ['park', 2],
      ['museum', 1],
    ],
    days: 'daytime',
    starts: ['09:00', '10:00', '11:00', '12:00', '16:00'],
    minutes: [120, 300],
    price: { free: 0.45, from: 10, to: 65 },
    run: { chance: 0.3, times: [3, 5], everyDays: 7 },
    cast: 'chef',
    tags: ['market', 'cooking class', 'brunch', 'street food', 'beer', 'baking', 'farmers'],
    topics: lines(`
      the Growers’ Market :: thirty stalls and a knife sharpener
      Sourdough, Start to Slice :: leave with a jar of something alive
      Cider Pressing :: bring apples, take juice, the wasps are free
      the Taco Block :: eleven trucks, one street, a salsa nobody admits to making
      Knife Skills :: onions first, so that everyone cries together
      Brewer for a Day :: mash at nine, scrub until noon
      the Pie Social :: judged by children, blind, without mercy
      Coffee Cupping :: slurp twelve cups and learn four words
      Cheese and Its Enemies :: eight cheeses and what fights with them
    `),
    titles: lines(`
      {topic}
      {hood} {day}: {topic}
      {topic} at {venue}
      {topic}, hosted by {performer}
    `),
    opens: lines(`
      {topic}: {detail}.
      {venue} {opens its yard|clears the floor} for {topic}: {detail}.
      {performer} {runs|hosts} {topic}, {detail}.
    `),
    tells: lines(`
      {Come early for eggs, late for bargains|The good bread goes by eleven}.
      {There is a corner where children may make a mess|A kitchen garden tour leaves on the hour}.
      {Tokens from the food bank count double|Bring jars; jars are always needed}.
    `),
    closes: lines(`
      {Cash is quicker, cards are fine|Cards only}.
      {Rain or shine|Under cover if it pours}.
      {Dogs on a lead|Please leave dogs at home}.
    `),
  },
  {
    category: 'festival',
    weight: 3,
    venues: [
      ['park', 6],
      ['stadium', 1],
      ['brewery', 2],
      ['museum', 1],
      ['theater', 1],
    ],
    days: 'daytime',
    starts: ['10:00', '11:00', '12:00', '15:00', '17:00'],
    minutes: [240, 600],
    price: { free: 0.5, from: 10, to: 75 },
    run: { chance: 0.5, times: [2, 3], everyDays: 1 },
    cast: 'band',
    tags: ['festival', 'all day', 'outdoors', 'street fair', 'family friendly', 'parade', 'food trucks', 'two stages'],
    topics: lines(`
      Lanterns on the Water :: two thousand paper boats, one match each
      the Smelt Run :: the annual celebration of a very small fish
      Harvest Moon Fair :: ribbons, tractors and a Ferris wheel from 1926
      Port Alder Book Days :: sixty authors and a tent for people who only like the covers
      Northlight Jazz Weekend :: two stages within earshot, on purpose
      the Festival of Small Machines :: clockwork, model steam and a drone that pours tea
      Beerwright Weekend :: forty taps along the old channel and a barrel race on Sunday
      Blossom Days :: the orchard in flower and the whole city underneath it
      Winter Lights :: the mills lit from inside and hot cider on the towpath
      Festival of Many Kitchens :: thirty countries cooking within a hundred yards
      Puppets in the Park :: giants, shadows and one very rude crocodile
      the Tall Ship Weekend :: four masts, free to board, bring flat shoes
      Port Alder Short Film Days :: seventy films, none longer than your tram ride
      Drum Common :: samba, taiko, bucket lines and earplugs for sale
    `),
    titles: lines(`
      {topic}
      {topic}: {Day One|Opening Day|the Sunday|Family Day|Closing Night}
      {topic} at {venue}
      {topic} in {hood}
    `),
    opens: lines(`
      {topic} {fills|takes over|returns to} {venue}: {detail}.
      {detail}: that is {topic}, {now in its 14th year|older than the tram|started as a dare}.
    `),
    tells: lines(`
      {performer} {play|headline} the evening, {after|between} {the brass parade|a dozen local acts}.
      {The main stage faces the water, the small one faces the shade|Two stages, never at the same time}.
      {Stilt walkers at noon, fireworks only if the harbor agrees|A procession starts at the tram stop at four}.
      {Forty stalls, most of them edible|A lost-children tent with, by tradition, the best snacks}.
    `),
    closes: lines(`
      {Leave the car: the lots fill by eleven|Bike parking guarded by scouts}.
      {Under-twelves free|Free before two}.
      {Quiet hour from ten to eleven|Wheelchair routes are chalked in blue}.
    `),
  },
];
