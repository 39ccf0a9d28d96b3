/** Concerts and nights out. */

import { lines } from '../phrase.ts';
import type { Genre } from './genre.ts';

export const MUSIC: readonly Genre[] = [
  {
    category: 'concert',
    weight: 5,
    venues: [
      ['club', 6],
      ['theater', 2],
      ['bar', 1],
      ['brewery', 1],
    ],
    days: 'weekend',
    starts: ['19:00', '19:30', '20:00', '20:30', '21:00'],
    minutes: [120, 210],
    price: { free: 0.05, from: 12, to: 48 },
    cast: 'band',
    tags: ['live music', 'indie', 'rock', 'all ages', 'standing room', 'record release', 'touring', 'local band'],
    topics: lines(`
      Slow Weather :: ten songs written on ferry timetables
      The Long Room Sessions :: recorded in one week with the windows open
      Everybody Out :: their loudest record, made after the van was stolen
      Paper Boats :: the first album with a brass section
      Hinge :: a break-up record with, unusually, jokes in it
      Night Swimming Club :: six years in the making and thirty-one minutes long
      Good Fences :: songs about neighbors, some of them named
      The Understory :: a quieter turn, mostly piano and tape hiss
      Cold Storage :: twelve songs cut live in a former ice house
      Ten Thousand Porches :: the one with the single your barista hums
    `),
    titles: lines(`
      {performer}
      {performer} with {other}
      {performer}: the “{topic}” tour
      {performer}, “{topic}” record release
      An Evening with {performer}
      {performer} at {venue}
    `),
    opens: lines(`
      {performer} {bring|carry|take} “{topic}” to {venue}: {detail}.
      {The new album is|Their latest is} “{topic}”, {detail}, and {performer} play it {front to back|out of order, by request}.
      {performer} are back in {hood} for the first time since the {storm cut the power|second encore that nobody had rehearsed|sold-out week in the spring}.
      A {five-piece|four-piece|seven-piece} now, {performer} {have grown louder without getting less funny|sound nothing like the demos, in the best way}.
    `),
    tells: lines(`
      {The set leans on|Expect} {fuzzed-out guitars and three-part harmonies|long instrumental builds and very short goodbyes|a horn section that arrives late on purpose|two drummers and no click track}.
      {Support comes from friends of the band, first on at doors|The opener plays a half-hour set of new songs}, so being early pays.
      {Merch table runs on the honor system|The lyric sheets are hand-printed two streets away}, and the first fifty through the door get a {seven-inch|risograph poster}.
      {Local radio records the night|There is a live recording being made}, so the room will be asked to sing the last chorus twice.
    `),
    closes: lines(`
      Doors one hour before; {earplugs are free at the bar|coat check is cash only}.
      {All ages until 10 pm|18 and over, bring ID|All ages; under-16s with an adult}.
      {Re-entry until nine|No re-entry}, and the tram runs until one.
    `),
  },
  {
    category: 'concert',
    weight: 3,
    venues: [
      ['bar', 4],
      ['club', 3],
      ['restaurant', 2],
    ],
    days: 'any',
    starts: ['18:30', '19:30', '20:00', '21:30', '22:00'],
    minutes: [90, 180],
    price: { free: 0.3, from: 8, to: 30 },
    run: { chance: 0.15, times: [3, 5], everyDays: 7 },
    cast: 'band',
    tags: ['jazz', 'live music', 'late set', 'quartet', 'two sets', 'blues', 'swing'],
    topics: lines(`
      standards nobody plays anymore :: B-sides of the songbook, dug out of a piano bench in Millrace
      the blue hour :: ballads only until the streetlights come on
      organ trio :: a 1962 console that needed four people and a ramp
      the Chandlery book :: tunes written for this room by people who drank in it
      late set :: the one where the soloists from the first set come back to sit in
      hot club strings :: two guitars, one violin and no drums to hide behind
      a tribute to the ferry band :: dance music that crossed the lake every weekend until 1954
    `),
    titles: lines(`
      {performer}: {topic}
      {performer}, two sets
      Jazz at {venue}: {performer}
      {topic} with {performer}
      Late Jazz: {performer}
      {weekday} Blues with {performer}
    `),
    opens: lines(`
      {topic}, which here means {detail}.
      {performer} {settle in|set up in the corner} at {venue} for {two sets|an early and a late set} of {detail}.
      The {weekday} session {belongs to|has been handed to} {performer} this time, and the theme is {detail}.
    `),
    tells: lines(`
      {First set seated and quiet, second set less so|The first set follows the book, the second follows the room}.
      {Players with a horn and two tunes may sit in after ten|The last half hour is an open jam, rhythm section provided}.
      {The piano was tuned this morning|The bass is older than the building}, and it {shows|sounds like it}.
      {A tip jar goes round for the sidemen|Half the door goes to the school band program on Larder Lane}.
    `),
    closes: lines(`
      {Tables by reservation, bar stools by luck|No reservations at the bar}.
      {Kitchen open until ten|Small plates all night}.
      {Two-drink minimum at tables|No minimum, but do talk after the solo}.
    `),
  },
  {
    category: 'concert',
    weight: 2.5,
    venues: [
      ['theater', 5],
      ['museum', 2],
      ['gallery', 1],
    ],
    days: 'weekend',
    starts: ['15:00', '17:00', '19:00', '19:30'],
    minutes: [75, 150],
    price: { free: 0.15, from: 18, to: 85 },
    run: { chance: 0.25, times: [2, 3], everyDays: 1 },
    cast: 'ensemble',
    tags: ['classical', 'chamber music', 'orchestra', 'choir', 'matinee', 'premiere', 'seated'],
    topics: lines(`
      Water Music for a Lake :: a new suite for strings and harbor bells, in its first performance
      The Winter Serenades :: five centuries of music for getting through February
      Late Quartets :: the two that nobody programs together, together
      Songs Without a Country :: art songs by composers who wrote in borrowed languages
      Requiem for the Lower Docks :: commissioned by the dockers’ chapel and sung where the cranes stood
      A Pocket Opera :: one act, four singers, and a suitcase for a set
      Music for Large Rooms :: organ, eight trombones and a great deal of echo
      The Clockmaker’s Variations :: thirty variations on the tune the courthouse plays at noon
      Bach Before Breakfast :: cello suites with the shutters open and coffee in the foyer
    `),
    titles: lines(`
      {performer}: {topic}
      {topic}
      {topic}, with {performer}
      {performer} plays “{topic}”
    `),
    opens: lines(`
      {performer} {presents|opens the season with} “{topic}”: {detail}.
      “{topic}” is {detail}.
      {A program in two halves|One hour, no intermission}: {performer} and “{topic}”, {detail}.
    `),
    tells: lines(`
      {The composer speaks for ten minutes beforehand|A short talk in the foyer starts forty minutes earlier}, with {examples at the piano|recordings}.
      {The second half is played from the middle of the hall|The players change seats at the interval}, so {choose an aisle|no seat is a bad one}.
      {It is the first time the piece has been heard west of the lake|The score was found, water-stained, in the harbor archive}.
      {Twelve students from the Collegiate join for the finale|The children’s choir of Sparrow Green sings the last ten minutes}.
    `),
    closes: lines(`
      {Under-25s pay five dollars at the door|Rush seats go on sale an hour before}.
      {Latecomers are seated after the first piece|Hearing loop in rows C to H}.
      {Step-free entrance on the side street|Program notes in large print on request}.
    `),
  },
  {
    category: 'concert',
    weight: 2,
    venues: [
      ['brewery', 3],
      ['bar', 3],
      ['park', 2],
      ['restaurant', 1],
    ],
    days: 'weekend',
    starts: ['14:00', '16:00', '18:00', '19:00'],
    minutes: [120, 180],
    price: { free: 0.55, from: 5, to: 22 },
    cast: 'singer',
    tags: ['folk', 'acoustic', 'songwriter', 'americana', 'bluegrass', 'outdoors', 'family friendly'],
    topics: lines(`
      porch songs :: three chords, one microphone and whoever knows the harmony
      murder ballads :: eleven victims in ninety minutes, all of them in three-quarter time
      songs of the Inland Sea :: shanties from a coast that has no salt in it
      fiddle tunes :: reels from both sides of the lake, called for dancing
      the songwriters’ round :: four chairs, no set list, and stories longer than the songs
      hymns for skeptics :: shape-note singing with the books handed out at the door
      a bluegrass breakfast :: banjo before noon, with biscuits as an apology
    `),
    titles: lines(`
      {performer}: {topic}
      {performer} {solo|unplugged|and friends}
      {topic} with {performer}
      {hood} Folk Afternoon: {performer}
      Taproom Sessions: {performer}
    `),
    opens: lines(`
      {performer} {brings|is here with} {topic}: {detail}.
      {An unamplified|A low-volume} {afternoon|set} of {topic}, in other words {detail}.
      {performer} {grew up two blocks from|learned to play in the back room of} {venue} and comes home with {detail}.
    `),
    tells: lines(`
      {Requests are taken, and refused, from the stage|Half the songs are new and may still change}.
      {Bring an instrument for the last half hour|There is a corner for children with a box of shakers}.
      {If it rains everything moves under the awning|The stage faces away from the road, so you can hear the words}.
    `),
    closes: lines(`
      {Blankets welcome, glass is not|Dogs welcome on a lead}.
      {Pay what you like into the guitar case|Hat goes round twice}.
      {Food truck from five|Pretzels until they run out}.
    `),
  },
  {
    category: 'concert',
    weight: 0.7,
    venues: [
      ['arena', 5],
      ['stadium', 1],
    ],
    days: 'weekend',
    starts: ['19:00', '19:30', '20:00'],
    minutes: [150, 210],
    price: { free: 0, from: 45, to: 180 },
    run: { chance: 0.3, times: [2, 2], everyDays: 1 },
    cast: 'band',
    tags: ['arena show', 'pop', 'touring', 'full production', 'reserved seating'],
    topics: lines(`
      Lighthouse Season :: forty dancers, a rain machine and a stage shaped like a pier
      The Big Quiet :: a farewell tour they swear is the last one
      Satellite Summer :: the record that was on in every car in July
      Two Suns :: played in the round, with the band on a slow turntable
      Everything at Once :: three hours, no opener and four costume changes
    `),
    titles: lines(`
      {performer}: {topic} Tour
      {performer} {Live|in the Round}
      {performer}, with {other}
    `),
    opens: lines(`
      {performer} {stop|play} Port Alder on the {topic} Tour: {detail}.
      {The only date within two hundred miles|The last stop before the overseas leg}: {performer} and {detail}.
    `),
    tells: lines(`
      {Floor is standing, lower bowl is reserved|Every seat is reserved, and the floor is flat: pick a row accordingly}.
      {A limited number of obstructed-view seats are sold honestly as such|Side-stage seats were released this week}.
    `),
    closes: lines(`
      {Bags larger than a sheet of paper stay in the car|Clear bags only}.
      {Extra trams run until one|The ferry waits for the encore}.
    `),
  },
  {
    category: 'nightlife',
    weight: 4,
    venues: [
      ['club', 7],
      ['bar', 2],
    ],
    days: 'night',
    starts: ['21:00', '22:00', '22:30', '23:00'],
    minutes: [240, 360],
    price: { free: 0.15, from: 8, to: 32 },
    run: { chance: 0.12, times: [2, 3], everyDays: 14 },
    cast: 'dj',
    tags: ['dj', 'house', 'techno', 'disco', 'dance floor', '21+', 'late', 'vinyl only', 'queer night'],
    topics: lines(`
      Undercurrent :: deep house from ten, faster after two
      Soft Machine :: techno with the strobes switched off
      Disco Parish :: strings, claps and one wedding classic an hour
      Red Line, Last Tram :: breakbeats until the first tram of the morning
      Salon de Minuit :: coupé-décalé, zouk and kuduro
      Honey Static :: lo-fi house on a very hi-fi system
      Dockside Bass :: jungle, dub and a sub you feel in your fillings
      Ladies of the Wax :: women behind the decks and nothing digital
      Moth Ball :: a queer night with a dress code of feathers or effort
      Slow Burn :: nothing over one hundred beats a minute until midnight
      Cumbia Futura :: from the coast of Colombia to the drum machine
      Italo Saturdays :: synthesizers, romance, smoke
    `),
    titles: lines(`
      {topic}: {performer}
      {topic}
      {topic} with {performer} and {other}
      {performer} all night long
      {topic} at {venue}
    `),
    opens: lines(`
      {topic} is {detail}.
      {performer} {takes|has} the {booth|decks} {all night|from open to close} for {topic}: {detail}.
      {Back at|Moving into} {venue}: {topic}, {detail}.
    `),
    tells: lines(`
      {The system was rebuilt over the summer|There is a new floor and a quieter second room} with {sofas|a listening bar}.
      {Phones get a sticker at the door|No photographs on the floor}, and {the bar knows what that means|everyone dances better for it}.
      {Residents warm up, the guest takes over at midnight|No headliner, no posters, just four people who like records}.
      {First hour is cheaper|Free water at both bars}.
    `),
    closes: lines(`
      {21 and over|18 and over until midnight, 21 after}.
      {Last entry at one|Line moves fastest before eleven}.
      {Awareness team on site all night|Night bus N3 stops outside}.
    `),
  },
  {
    category: 'nightlife',
    weight: 3,
    venues: [
      ['bar', 6],
      ['brewery', 3],
    ],
    days: 'weeknight',
    starts: ['19:00', '19:30', '20:00', '21:00'],
    minutes: [120, 180],
    price: { free: 0.7, from: 5, to: 15 },
    run: { chance: 0.5, times: [3, 5], everyDays: 7 },
    cast: 'nobody',
    tags: ['trivia', 'karaoke', 'pub night', 'weekly', 'game night', 'bingo'],
    topics: lines(`
      pub quiz :: six rounds, one of them entirely about bridges
      karaoke :: four thousand songs and a strict two-ballad limit
      drag bingo :: prizes from the thrift shop across the street and numbers called with opinions
      vinyl bring-your-own :: three songs each, no skipping anybody else’s
      shuffleboard league :: open draw, loser keeps score
      board game swap :: bring one you are tired of, take one home
      pinball knockout :: three strikes on the oldest tables in the county
      language tables :: Spanish by the window, French by the stairs, Polish wherever Ewa sits
      dominoes night :: the Orchard Park rules, posted above the bar
      power-point party :: five slides each on something you have no business knowing
    `),
    titles: lines(`
      {weekday} {topic}
      {topic} at {venue}
      {The Great|The Almost Famous|The Very Serious} {hood} {topic}
      {venue} {topic}
    `),
    opens: lines(`
      {Every|It is} {weekday} again: {topic}, {detail}.
      {venue} {clears the back tables|turns down the music} for {topic}: {detail}.
      {No sign-up needed|Sign up at the bar by half past} for {topic}: {detail}.
    `),
    tells: lines(`
      {Teams of up to six|Come alone and be put at a table}, and {the winners drink free next week|the losing table picks next week’s theme}.
      {The host has done this for nine years and takes no appeals|New host, old grudges}.
      {The prize is forty dollars and a taxidermied pike, returnable|Last week’s winners are banned, affectionately}.
    `),
    closes: lines(`
      {Happy hour until eight|Two-dollar tacos until they are gone}.
      {Sit near the front if you want to argue|Seats go fast after seven}.
      {Free to play|Non-drinkers: the ginger beer is made here}.
    `),
  },
];
