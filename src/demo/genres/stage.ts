/** Comedy and theater. */

import { lines } from '../phrase.ts';
import type { Genre } from './genre.ts';

export const STAGE: readonly Genre[] = [
  {
    category: 'comedy',
    weight: 4,
    venues: [
      ['club', 4],
      ['theater', 3],
      ['bar', 3],
    ],
    days: 'weekend',
    starts: ['19:00', '19:30', '20:00', '21:45'],
    minutes: [75, 120],
    price: { free: 0.1, from: 12, to: 42 },
    run: { chance: 0.25, times: [2, 3], everyDays: 1 },
    cast: 'comic',
    tags: ['stand-up', 'two-drink minimum', 'touring', 'late show', 'crowd work', 'recorded live'],
    topics: lines(`
      Mostly Harmless Landlord :: an hour about owning exactly one radiator
      Reply All :: eleven years in municipal government, none of it redacted
      My Mother Reviews the Show :: and she has notes
      Allergic to Horses :: a divorce, a farm, an antihistamine
      Good With Children :: stories from a substitute teacher who is not
      The Slow Lane :: on learning to drive at thirty-eight
      Third Generation Dentist :: the family business and the one who got away
      Indoor Voice :: from the quietest kid in a very loud house
      Certified Pre-Owned :: dating after forty, with paperwork
      Not Technically a Doctor :: a philosophy degree and its consequences
      Small Claims :: twelve true disputes, the audience is the jury
    `),
    titles: lines(`
      {performer}: {topic}
      {performer}
      {performer}: {topic} ({work in progress|recorded live|last night})
      {performer} and Friends
      {performer} at {venue}
    `),
    opens: lines(`
      “{topic}” is {performer}’s {second|third|new} hour: {detail}.
      {performer} {works out|finishes|brings home} “{topic}”, {detail}.
      {After a month on the road|Between two television tapings} {performer} does {an hour|eighty minutes} called “{topic}”: {detail}.
    `),
    tells: lines(`
      {The front row is safe; the third is not|There will be crowd work, so know what you do for a living}.
      {Two openers do ten minutes each|The opener is somebody you will pretend to have seen early}.
      {The late show is the looser one|Expect notes on paper, and expect some of them to be thrown away}.
      {Filmed for a special, so laugh on purpose|Phones go into pouches at the door}.
    `),
    closes: lines(`
      {Two-item minimum, one of which may be soup|No minimum, decent fries}.
      {18 and over for reasons that become clear|Fine for teenagers who have heard worse}.
      {Seating is first come, first seated|Groups of six and more should call ahead}.
    `),
  },
  {
    category: 'comedy',
    weight: 3,
    venues: [
      ['theater', 4],
      ['bar', 3],
      ['brewery', 1],
      ['club', 1],
    ],
    days: 'any',
    starts: ['19:00', '19:30', '20:00', '22:00'],
    minutes: [60, 105],
    price: { free: 0.25, from: 5, to: 22 },
    run: { chance: 0.3, times: [2, 4], everyDays: 7 },
    cast: 'improvisers',
    tags: ['improv', 'sketch', 'open mic', 'local', 'beginner friendly', 'weekly'],
    topics: lines(`
      Town Meeting :: an improvised council session on a motion from the floor
      The Musical Nobody Wrote :: two acts and an interval, made up, in rhyme
      Open Mic for Beginners :: four minutes, one light, extremely kind applause
      Roast of a Household Object :: last month the toaster did not recover
      Closing Time Sketch Show :: twenty sketches, eight chairs, one wig
      Historical Inaccuracies :: a lecture on a year the audience picks
      Improv Jam :: names in a hat, nobody left sitting
      Understudy Hour :: they have learned the wrong play and will perform it anyway
    `),
    titles: lines(`
      {topic}
      {performer}: {topic}
      {performer} present “{topic}”
      {topic} at {venue}
    `),
    opens: lines(`
      {performer} {host|run|present} {topic}: {detail}.
      {topic} is {what it says|simple}: {detail}.
      {It is|This is} {topic}, which means {detail}.
    `),
    tells: lines(`
      {Suggestions are taken in writing, because of last time|You will not be dragged on stage unless you wave}.
      {The pianist decides when scenes are over|A bell rings when somebody repeats a joke}.
      {Graduates of the spring course make their first appearance|Half the cast teaches in the city schools, and it shows}.
    `),
    closes: lines(`
      {Sign-up sheet goes out at half past six|Walk-ins always get in}.
      {Students half price|Pay on the way out}.
      {The bar stays open after|Everyone ends up across the street}.
    `),
  },
  {
    category: 'theater',
    weight: 6,
    venues: [['theater', 1]],
    days: 'weekend',
    starts: ['14:00', '19:00', '19:30', '20:00'],
    minutes: [90, 165],
    price: { free: 0.03, from: 18, to: 95 },
    run: { chance: 0.9, times: [3, 7], everyDays: 1 },
    cast: 'actors',
    tags: ['play', 'drama', 'premiere', 'matinee', 'seated', 'revival', 'two acts', 'captioned'],
    topics: lines(`
      The Clockmaker’s Daughter :: a widowed horologist takes on an apprentice who cannot tell the time
      Seven Letters to the Harbormaster :: a smuggling trial told by the one witness who was asleep
      House Rules :: four roommates, one lease, and a landlord who moves in
      Salt Wife :: a fisherman’s return is less welcome than his memory
      The Last Cartographer :: a mapmaker is ordered to leave a town off the map
      Winter in the Greenhouse :: two sisters inherit a nursery and one of them wants it cold
      Ordinary Time :: a parish council votes on a miracle
      Understorey :: three generations of women and the tree that fell on the house
      An Honest Umbrella :: a farce of eleven doors and a single raincoat
      Notes for a Eulogy :: a man rehearses his father’s funeral with his father
      The Ferrywoman :: a monologue for one actor and forty buckets of water
      Small Hours :: a night shift in an emergency room, played in real time
      The Glass Orchard :: a family sells the land and cannot agree on which memories go with it
      Ask the Lighthouse :: the keeper’s log from 1913, staged as it was found, out of order
      Two Chairs, No Table :: a comedy about a dinner party that cannot begin
      Best in Show :: a blue-ribbon pie, a poisoning, twelve neighbors
      The Quiet Strike :: the tannery women of 1936 and the week nobody spoke
      Mister Pelican Explains the Sea :: a lecture that goes wrong in the second minute
    `),
    titles: lines(`
      {topic}
      {topic}
      “{topic}”
      {topic} at {venue}
    `),
    opens: lines(`
      {detail}: “{topic}” {returns after two sold-out runs|opens the season|gets its first production in the city}.
      In “{topic}”, {detail}.
      {A new play|A revival nobody asked for and everybody needs}: in “{topic}”, {detail}.
    `),
    tells: lines(`
      {performer} plays the lead, {other} everybody else.
      {performer} and {other} {share the stage for the first time since drama school|have been married for nineteen years, which helps}.
      {The set is built of doors salvaged from Gaslight Quay|The whole thing is lit by the actors, from the stage}.
      {Reviewers liked the second act more than the first; audiences say the opposite|The ending was rewritten in previews}.
    `),
    closes: lines(`
      {One interval|No interval; latecomers wait for the storm scene}.
      {Captioned on Thursdays, signed on Saturday matinees|Relaxed performance on the second Sunday}.
      {Contains haze, a gunshot and an honest kiss|Suitable from twelve}.
    `),
  },
  {
    category: 'theater',
    weight: 2,
    venues: [
      ['theater', 4],
      ['gallery', 1],
      ['museum', 1],
    ],
    days: 'weekend',
    starts: ['17:00', '18:30', '19:30', '21:00'],
    minutes: [60, 120],
    price: { free: 0.08, from: 15, to: 60 },
    run: { chance: 0.6, times: [2, 3], everyDays: 1 },
    cast: 'actors',
    tags: ['dance', 'musical', 'circus', 'puppetry', 'opera', 'experimental', 'silent'],
    topics: lines(`
      Weights and Measures :: contemporary dance for six bodies and a freight scale
      Port of Call: The Musical :: a stowaway, a tenor and a customs strike
      Nine Strings :: marionettes for adults, operated in full view
      Ground Rules :: acrobats without a net or, for long stretches, a floor
      The Night Ferry :: an opera for four voices sung on a moving platform
      Furniture :: a silent comedy about moving house
      Bodies of Water :: a solo danced in two inches of lake
      Shadow Assembly :: hand shadows, live foley, no words
    `),
    titles: lines(`
      {topic}
      {topic}: {performer}
      {topic} at {venue}
    `),
    opens: lines(`
      “{topic}”: {detail}.
      {performer} {directs|leads} “{topic}”, {detail}.
      {Made over a winter in a cold warehouse|First seen at the harbor festival}, “{topic}” is {detail}.
    `),
    tells: lines(`
      {The audience sits on three sides|The audience stands and moves with it}, so {wear shoes you like|leave the big coat at home}.
      {Live music by a trio you cannot see|The score is built on stage from loops}.
      {It is funnier than it sounds|It is over sooner than you want}.
    `),
    closes: lines(`
      {Strobe in the last ten minutes|Very loud for about a minute}.
      {Talk with the company on Friday|Pay what you can on the first night}.
    `),
  },
];
