/** Community and family. */

import { lines } from '../phrase.ts';
import type { Genre } from './genre.ts';

export const NEIGHBORS: readonly Genre[] = [
  {
    category: 'community',
    weight: 4,
    venues: [
      ['museum', 2],
      ['park', 2],
      ['brewery', 2],
      ['restaurant', 1],
      ['theater', 1],
      ['bar', 2],
    ],
    days: 'weeknight',
    starts: ['17:30', '18:00', '18:30', '19:00'],
    minutes: [75, 150],
    price: { free: 0.85, from: 5, to: 15 },
    run: { chance: 0.2, times: [2, 4], everyDays: 7 },
    cast: 'nobody',
    tags: ['meeting', 'volunteer', 'neighbors', 'free', 'drop in', 'civic', 'mutual aid', 'language exchange'],
    topics: lines(`
      the Tram Extension Hearing :: maps on easels, engineers by the coffee, minutes taken
      Fix-It Evening :: lamps, zippers, toasters, and the people who can
      Tenants’ Clinic :: three lawyers, no appointment, bring the lease
      Block Captains’ Supper :: soup, a map, and who shovels for whom
      Citizenship Class :: the hundred questions and how to say the answers
      Blood Drive :: forty beds, good cookies, a sticker
      Tool Library Open House :: borrow a ladder like a book
      Welcome Table :: newcomers, old-timers, and a rule against name tags
      Harbor Clean-Up :: gloves and grabbers provided, tetanus shots assumed
      Bike Kitchen :: fix your own with somebody else’s tools
      Coding for Grown-Ups :: bring a laptop and one thing that annoys you
      Death Café :: cake, tea and the subject nobody raises
      Neighborhood Archive Night :: bring photographs, they scan while you talk
    `),
    titles: lines(`
      {topic}
      {hood} {topic}
      {topic} at {venue}
      {topic} ({drop in|all welcome|newcomers especially})
    `),
    opens: lines(`
      {topic}: {detail}.
      {The neighbors of {hood}|Volunteers} {run|hold} {topic} at {venue}: {detail}.
      {Once a month|Again this week}: {topic}, {detail}.
    `),
    tells: lines(`
      {Interpreters for Spanish and Polish are in the room|Childcare in the side room, run by people who like children}.
      {Nobody needs to speak to attend|Every hand is useful and most jobs take ten minutes to learn}.
      {The last one ended in an actual decision|It started with six people and a kettle, and now needs a sign-in sheet}.
      {Soup at six, business at half past|There will be coffee; bring a cup}.
    `),
    closes: lines(`
      {Drop in, drop out|Stay as long as you like}.
      {Step-free, with a hearing loop|Masks available at the door}.
      {All ages|Well-behaved dogs considered}.
    `),
  },
  {
    category: 'community',
    weight: 3,
    venues: [
      ['bar', 2],
      ['museum', 3],
      ['theater', 2],
      ['gallery', 2],
      ['brewery', 1],
    ],
    days: 'any',
    starts: ['18:00', '18:30', '19:00', '19:30'],
    minutes: [60, 120],
    price: { free: 0.5, from: 5, to: 28 },
    cast: 'author',
    tags: ['talk', 'reading', 'book launch', 'history', 'science', 'signing', 'storytelling', 'poetry'],
    topics: lines(`
      The Tannery Fire, Revisited :: what the insurance papers say and what the widows said
      A Field Guide to Fog :: meteorology for people who have to walk home in it
      Poems at the Bar :: three poets, one lamp, the ice machine switched off
      Who Owns the Shoreline? :: two centuries of fences in the sand
      The Woman Who Measured the Lake :: a biography two decades in the making
      Ask an Astronomer :: anything, including the silly things
      How Bridges Fall Down :: an engineer explains, with spaghetti
      True Stories, Five Minutes Each :: names from a hat, no notes
      The Secret Life of Harbor Seals That Are Not Here :: on wishful sightings and how memory works
      Bees, Mostly :: a novelist and a beekeeper disagree
      Letters from the Lower Docks :: read aloud by the grandchildren of those who sent them
    `),
    titles: lines(`
      {performer}: {topic}
      {topic}
      {topic}, with {performer}
      {performer} reads from “{topic}”
    `),
    opens: lines(`
      {performer} on “{topic}”: {detail}.
      “{topic}” is the subject: {detail}.
      {performer} {launches|talks about|reads from} “{topic}”, {detail}.
    `),
    tells: lines(`
      {Questions take up half the time, by popular demand|Half an hour of talk, half an hour of argument}.
      {Signed copies from the Sparrow Green bookshop|The book is for sale; the maps are worth it alone}.
      {It sold out in the spring, so there is a bigger room this time|The talk is recorded for the college radio}.
    `),
    closes: lines(`
      {Captioned live|Signed in ASL}.
      {Under-18s free|Students free with a card}.
      {The bar opens a half hour before|Tea afterwards}.
    `),
  },
  {
    category: 'family',
    weight: 4,
    venues: [
      ['museum', 5],
      ['theater', 3],
      ['park', 3],
    ],
    days: 'daytime',
    starts: ['09:30', '10:00', '11:00', '13:30', '15:00'],
    minutes: [45, 120],
    price: { free: 0.4, from: 5, to: 24 },
    run: { chance: 0.3, times: [2, 3], everyDays: 7 },
    cast: 'nobody',
    tags: ['kids', 'ages 3–7', 'ages 6–12', 'toddlers', 'hands-on', 'storytime', 'stroller friendly', 'sensory friendly'],
    topics: lines(`
      The Bear Who Took the Ferry :: a puppet show with sea spray
      Build a Very Bad Robot :: cardboard, motors, no success required
      Story Hour in the Lighthouse :: sixty-one steps and three books
      Dinosaur Dentistry :: casts, brushes and a very large molar
      Baby Opera :: thirty minutes of singing to people who put shoes in their mouths
      Slime, Scientifically :: polymers explained by someone covered in them
      The Great Apple Census :: count, taste, draw, repeat
      Owl Pellets :: take one apart and find out who was dinner
      My First Orchestra :: touch the instruments, then hear them
      Night at the Observatory :: pajamas, cocoa and the rings of Saturn
      Toy Hospital :: bring the patient, help with the stitches
      The Princess Who Would Not Be Quiet :: a musical for ages four and up
      Mud Kitchen :: rubber boots, old pans, very clean towels after
      Build-a-Boat Regatta :: corks at ten, races at noon
    `),
    titles: lines(`
      {topic}
      {topic} at {venue}
      {Family|Kids’} {day}: {topic}
      {topic} ({ages 3–6|ages 6–10|all ages})
    `),
    opens: lines(`
      {topic}: {detail}.
      {For children and the people they bring|For small persons}: {topic}, {detail}.
      {venue} {presents|hosts} {topic}, {detail}.
    `),
    tells: lines(`
      {Grown-ups may help but must not take over|Siblings welcome, strollers parked by the door}.
      {There is a quiet room with cushions, and no one asks why|Lights stay half up and the doors stay open}.
      {Things made can be taken home, wet|Everyone leaves with something sticky}.
      {Snacks at the halfway point|Bring a snack and a spare shirt}.
    `),
    closes: lines(`
      {Babes in arms free|Members’ families free}.
      {Book: places go by midweek|No booking; come ten minutes early}.
      {Sensory-friendly session at nine|Spanish-language session at noon}.
    `),
  },
];
