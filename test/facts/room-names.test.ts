/** Names of rooms lead to the house that is known, however they are written. */

import { describe, expect, it } from 'vitest';
import { createPlaceIndex } from '../../src/facts/index.ts';

const HOUSES = [
  'Wren Street Library',
  'Wren Street Library Annex',
  'Bellweather Theatre',
  'Fennimore Arts Center',
  'Gannet Museum',
  'Tamarack College',
  'Orchid Park',
  'Stadthalle Ulmenau',
  'Kulturhaus Ahorn',
  'Médiathèque des Saules',
  'Théâtre du Roseau',
];
const at = (name: string) => ({ name, address: null, latitude: null, longitude: null });
const places = HOUSES.map((name, index) => ({ ...at(name), id: name, latitude: 40 + index * 0.03, longitude: -73 }));
const find = (name: string) => createPlaceIndex(places).find(at(name))?.place.name ?? null;

describe('the house of a room', () => {
  it.each<[house: string, ...rooms: string[]]>([
    [
      'Wren Street Library',
      'Reading Room - Wren Street Library',
      'Wren Street Library, Lower Level Auditorium',
      'Story Corner in the Wren Street Library',
      'Wren Street Library (3rd Floor, East Wing)',
      'Children’s Room [Wren Street Library]',
    ],
    [
      'Bellweather Theatre',
      'Bellweather Theatre / Studio B',
      'Rehearsal Studio 4 at Bellweather Theatre',
      'Black Box @ Bellweather Theatre',
      'Main Stage, Bellweather Theatre, Downtown',
      'Bellweather Theatre - Lobby Bar',
    ],
    [
      'Fennimore Arts Center',
      'Fennimore Arts Center: Upstairs Gallery',
      'Fennimore Arts Center West Wing',
      'The Green Room, Fennimore Arts Center',
    ],
    ['Gannet Museum', 'Gannet Museum Rooftop Terrace', 'Lake Room, Gannet Museum', 'Gannet Museum Annex'],
    ['Tamarack College', 'Room 101, Hollis Hall, Tamarack College'],
    [
      'Stadthalle Ulmenau',
      'Großer Saal, Stadthalle Ulmenau',
      'Stadthalle Ulmenau - Foyer',
      'Kleiner Saal der Stadthalle Ulmenau',
    ],
    [
      'Kulturhaus Ahorn',
      'Kulturhaus Ahorn, Raum 2.04',
      'Seminarraum im Kulturhaus Ahorn',
      'Kulturhaus Ahorn (1. OG, Kleiner Saal)',
    ],
    ['Médiathèque des Saules', 'Médiathèque des Saules - Salle polyvalente', 'Salle de conférence, Médiathèque des Saules'],
    ['Théâtre du Roseau', 'Grande salle du Théâtre du Roseau', 'Foyer du Théâtre du Roseau', 'Petite salle (Théâtre du Roseau)'],
  ])('%s is found by each of its rooms', (house, ...rooms) => {
    expect(rooms.map((room) => [room, find(room)])).toEqual(rooms.map((room) => [room, house]));
  });

  it('is the annex where that is known itself', () => {
    expect(find('Community Room - Wren Street Library Annex')).toBe('Wren Street Library Annex');
    expect(find('Wren Street Library Annex, 2nd Floor')).toBe('Wren Street Library Annex');
  });

  it.each([
    'Wren Street Cafe',
    'Orchid Park Tavern',
    'Gannet Museum of Toys',
    'Bellweather Theatre School',
    'Fennimore Dance Center',
    'Roseau Bar',
    'Grand Theatre',
    'Old Library',
    'Grande Salle',
  ])('is none of “%s”', (name) => {
    expect(find(name)).toBeNull();
  });
});
