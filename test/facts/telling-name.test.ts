import { expect, it } from 'vitest';
import { isTellingName } from '../../src/facts/index.ts';

it.each([
  ...[
    'Copper Kettle',
    'Kesselhaus',
    'Heron Library',
    'Grebe Rooms',
    'Mairie de Larkholt',
    'Pfarrsaal Sankt Ottmar',
    'The Velvet',
  ],
])('a name that one place has tells it: %s', (name) => expect(isTellingName(name)).toBe(true));

it.each([
  ...['Library', 'Town Hall', 'Public Library', 'Rathaus', 'Altes Rathaus', 'Main Street', 'Community Room', 'Salle des fêtes'],
  ...['Hôtel de Ville', 'Mairie', 'Turnhalle', 'First Church', 'High School', 'Stadthalle', 'BAR', '42'],
])('a name that every town has tells none: %s', (name) => expect(isTellingName(name)).toBe(false));
