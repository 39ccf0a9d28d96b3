/** Sports and the open air. */

import { lines } from '../phrase.ts';
import type { Genre } from './genre.ts';

export const OUTDOORS: readonly Genre[] = [
  {
    category: 'sports',
    weight: 5,
    venues: [
      ['arena', 4],
      ['stadium', 3],
    ],
    days: 'weekend',
    starts: ['13:05', '15:30', '18:00', '19:05', '19:30'],
    minutes: [120, 180],
    price: { free: 0, from: 14, to: 95 },
    cast: 'teams',
    tags: ['home game', 'family section', 'hockey', 'basketball', 'soccer', 'league', 'rivalry'],
    topics: lines(`
      Bobblehead Night :: the first two thousand through the gates get one, and this year it looks like him
      the Causeway Derby :: forty miles apart and not on speaking terms
      Throwback Jerseys :: the 1974 colors, which were a mistake then too
      Dollar Dog Night :: limit four per trip, unlimited trips
      Scout Night :: campers stay on the field after the final whistle
      the league opener :: banners go up at seven, the puck and the excuses drop later
      a must-win :: one point behind with three to play
      Fan Appreciation :: the players sign until the last child has gone home
    `),
    titles: lines(`
      {performer} vs. {other}
      {performer} vs. {other}: {topic}
      {performer} host {other}
      {topic}: {performer} vs. {other}
    `),
    opens: lines(`
      {performer} {take on|meet|host} {other}, and it is {topic}: {detail}.
      {topic} when {other} come to {venue}: {detail}.
    `),
    tells: lines(`
      {The home side has won the last four here|Nobody has won away in this pairing since 2019}.
      {The student section sings, and is worth sitting near once|The quiet section behind the north end fills first}.
      {A minute of noise for the retiring groundskeeper|The marching band from Lantern Hill plays the interval}.
      {The top line is back from injury|The goalkeeper is nineteen and unimpressed by everyone}.
    `),
    closes: lines(`
      {Kids under twelve half price in the family section|Four tickets and four drinks for sixty dollars}.
      {Gates open ninety minutes before|Trams every six minutes after the whistle}.
    `),
  },
  {
    category: 'sports',
    weight: 2.5,
    venues: [
      ['park', 5],
      ['brewery', 1],
      ['arena', 1],
    ],
    days: 'daytime',
    starts: ['07:00', '08:00', '09:00', '10:00', '17:30'],
    minutes: [90, 240],
    price: { free: 0.35, from: 10, to: 45 },
    cast: 'nobody',
    tags: ['running', 'cycling', 'amateur', 'race', 'open to all', 'charity', 'roller derby'],
    topics: lines(`
      Bluff to Beach 10K :: downhill for six kilometers, then sand
      the Towpath Half :: flat, shaded and paced to the minute
      Barrel Roll criterium :: thirty laps round the brewery block
      Sunrise Swim :: a mile along the breakwater with a kayak for every ten
      Dockworkers’ Tug of War :: twelve a side, soap forbidden
      Pier to Pier rowing regatta :: gigs, whalers and one converted bathtub
      open bouldering cup :: thirty problems, four hours, no experience needed
      Pickleball for Cowards :: a round robin with handicaps
      Midnight Ride :: a slow one, with music on a trailer
    `),
    titles: lines(`
      {topic}
      {topic} at {venue}
      {topic} ({hood})
      {The 12th|The 30th|The Second} Annual {topic}
    `),
    opens: lines(`
      {topic}: {detail}.
      {Registration closes on Thursday|Numbers can be collected the evening before} for {topic}, {detail}.
    `),
    tells: lines(`
      {Every finisher gets a cup, not a medal, because cups are useful|Prizes for first, last and best hat}.
      {Roads close for two hours and reopen behind the last runner|The course is marked in chalk the day before}.
      {Volunteers run the water stops and the gossip|Timing by chip, cheering by the brass band at the turn}.
    `),
    closes: lines(`
      {Beginners start at the back and are clapped in|Children’s course at half past ten}.
      {Proceeds to the lifeboat station|Bag drop by the pavilion}.
      {Swim caps are provided; wetsuits are sensible|Rain changes nothing}.
    `),
  },
  {
    category: 'outdoor',
    weight: 5,
    venues: [['park', 1]],
    days: 'daytime',
    starts: ['06:30', '08:00', '09:30', '10:00', '14:00', '17:00'],
    minutes: [75, 180],
    price: { free: 0.65, from: 5, to: 25 },
    run: { chance: 0.2, times: [2, 4], everyDays: 7 },
    cast: 'nobody',
    tags: ['guided walk', 'birds', 'hiking', 'nature', 'beginner friendly', 'small group', 'conservation'],
    topics: lines(`
      Warblers Before Work :: forty species on a good morning and coffee on any
      Reading the Bluffs :: four hundred million years of limestone in two miles
      Night Herons :: a walk on the boardwalk after the lamps go off
      Edible Edges :: what grows along the towpath and which half of it to leave alone
      Full Moon Paddle :: canoes around Gull Island, paddles provided
      Tree Identification for the Impatient :: six trees, well learned
      Sketching Outdoors :: pencils, folding stools, no talent required
      Kestrel Count :: binoculars, a clipboard and the county’s longest-running survey
      Moss and Lichen :: a walk of three hundred yards that takes two hours
      Dune Repair Morning :: planting grass where the storm took it
      Stargazing on the Lawn :: six telescopes and the people who ground the mirrors
      Fungi After Rain :: look, smell, and please do not lick
    `),
    titles: lines(`
      {topic}
      {topic} at {venue}
      {Guided walk|Morning walk}: {topic}
      {topic} with {guide}
    `),
    opens: lines(`
      {topic}: {detail}.
      {guide} leads {topic}, {detail}.
      {A slow outing|An easy loop} from {venue}: {topic}, {detail}.
    `),
    tells: lines(`
      {The pace is set by the youngest|Expect two miles and many stops}.
      {Loaner binoculars for the first ten who ask|Bring water, a layer and patience}.
      {Rangers close the gate behind the group, so be on time|The path is gravel and fine for sturdy strollers}.
      {Sightings go straight into the county record|Last time there was a fox; nothing is promised}.
    `),
    closes: lines(`
      {Meet at the notice board|Meet by the boathouse}; {no dogs this time|dogs on a short lead}.
      {Rain or shine, not in thunder|Cancelled in high wind, see the sign}.
      {Fifteen places|Free, with a box for the trail fund}.
    `),
  },
  {
    category: 'outdoor',
    weight: 3,
    venues: [
      ['park', 5],
      ['brewery', 1],
    ],
    days: 'weekend',
    starts: ['09:00', '11:00', '18:00', '19:30', '20:30'],
    minutes: [60, 150],
    price: { free: 0.5, from: 8, to: 30 },
    run: { chance: 0.25, times: [2, 4], everyDays: 7 },
    cast: 'nobody',
    tags: ['yoga', 'open-air cinema', 'picnic', 'kayak', 'gardening', 'wellness', 'sunset'],
    topics: lines(`
      Cinema on the Grass :: a film about a lighthouse, projected on the actual one
      Yoga Facing the Water :: sixty minutes, and the gulls do not count as music
      Open Rowing :: one hour in a wooden gig under a patient cox
      Seed Swap and Soil Clinic :: bring a jar of your garden and hear the truth about it
      Sunset Kayak :: two hours along the pier with lights on every boat
      Slow Flow in the Orchard :: a class between the rows, shoes optional
      Kite Morning :: loaner kites, a repair tent and plenty of lake wind
      Beach Sauna :: twelve minutes in, one minute in the lake, repeat
      Silent Picnic :: two hours without a word, a phone or, oddly, any awkwardness
    `),
    titles: lines(`
      {topic}
      {topic} at {venue}
      {hood} Outdoors: {topic}
    `),
    opens: lines(`
      {topic}: {detail}.
      {On the lawn at|Down at} {venue}: {topic}, {detail}.
    `),
    tells: lines(`
      {Mats, cushions and one spare sweater are to hand|Everything you need is on the trailer}.
      {It stays light until it does not: bring a lamp for the way back|The volunteers arrive at the same time as you and appreciate a hand}.
      {The snack window opens at six|Bring something to share and it will be shared}.
    `),
    closes: lines(`
      {Book ahead: places follow the tide|Just turn up}.
      {Under-tens free|Children with a grown-up}.
      {Moves to Sunday if the wind is above twenty knots|Cancelled only for lightning}.
    `),
  },
];
