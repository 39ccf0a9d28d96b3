import { describe, expect, it } from 'vitest';
import { clusterEvents, compareEvents, type EventFacts, NO_CLOCKS } from '../../src/facts/index.ts';
import { event, OLD_MILL } from './made-events.ts';

const outcome = (a: EventFacts, b: EventFacts) => compareEvents(a, b, { clocks: NO_CLOCKS }).outcome;
const north = (meters: number) => ({ latitude: OLD_MILL.latitude + meters / 111_320 });
const atlas = (said: Parameters<typeof event>[0] = {}) => event({ provider: 'Atlas', ...said });
const beacon = (said: Parameters<typeof event>[0] = {}) => event({ provider: 'Beacon', ...said });
const groups = (...facts: EventFacts[]) => clusterEvents(facts, { clocks: NO_CLOCKS, decisions: [] }).groups.length;

describe('two bills of one house and hour', () => {
  it.each([
    ['Ida Lark', 'Marrow / Copper Kettle / Ida Lark'],
    ['Ida Lark', 'Marrow/CopperKettle/IdaLark'],
    ['Ida Lark', 'Salt Night: Marrow, Copper Kettle, Ida Lark & more'],
    ['Ida Lark', 'Marrow w/ Copper Kettle + Ida Lark'],
    ['Ida Lark', 'Marrow x Ida Lark'],
    ['Ida Lark Quartet', 'In the Pocket: Ida Lark'],
    ['Jørn Głyk', 'In the Pocket: Jorn Glyk'],
    ['Ida Lark', 'Ida Lark’s Guitar Evening with Tin Whistle'],
    ['Ida Lark', 'Tin Whistle (members of Marrow + Ida Lark)'],
    ['Marrow: The Long Road Tour / Salt / Pine', 'Marrow'],
    ['Loud Harbor @ Old Mill [Planet Harvest]', 'Planet Harvest'],
  ])('are one by an act or by the name of the night: %s, %s', (one, other) => {
    expect(outcome(atlas({ title: one }), beacon({ title: other }))).toBe('same');
    expect(groups(atlas({ title: one }), beacon({ title: other }))).toBe(1);
  });

  it('are one if the titles name a night and an act, and nobody lists another event there at that hour', () => {
    const [night, act] = [atlas({ id: 'a', title: 'Big Harvest Street Party' }), beacon({ id: 'b', title: 'Ida Lark' })];
    expect(groups(night, act)).toBe(1);
    const upstairs = atlas({ id: 'c', title: 'Tin Whistle', start: '2031-05-02T20:30' });
    expect(groups(night, act, upstairs)).toBe(3);
    const hall = (fact: EventFacts, name: string) => ({ ...fact, place: { ...fact.place, name } });
    const inHall = [hall(night, 'Copper Hall, Marrow Campus'), hall(act, 'Copper Hall, Marrow Campus')] as const;
    expect(groups(...inHall, hall(upstairs, 'Salt Hall, Marrow Campus'))).toBe(2);
    expect(groups(...inHall, hall(upstairs, 'Marrow Campus'))).toBe(3);
  });

  it('are a question if they name two acts: support and main act', () => {
    const facts = [atlas({ id: 'a', title: 'Casey Marrow' }), beacon({ id: 'b', title: 'The Reeds' })];
    const { groups: found, asks } = clusterEvents(facts, { clocks: NO_CLOCKS, decisions: [] });
    expect(found).toHaveLength(2);
    expect(asks).toMatchObject([{ left: 'a', right: 'b' }]);
    expect(groups(...facts.map((fact) => ({ ...fact, category: 'food' as const })))).toBe(2);
  });

  it('share nothing by a genre, an occasion or an area', () => {
    const titles = ['Afrobeats & Amapiano: Pine', 'Afrobeats & Amapiano: Oak'] as const;
    expect(outcome(atlas({ title: titles[0], start: '2031-05-02T20:45' }), beacon({ title: titles[1] }))).not.toBe('same');
    expect(outcome(atlas({ title: 'Brooklyn Night' }), beacon({ title: 'Brooklyn Party', at: 'Brooklyn' }))).not.toBe('same');
  });
});

describe('an act', () => {
  const act = { title: 'Ida Lark' };
  const bill = { title: 'Ida Lark / Marrow / Pine' };

  it('is in one place at one minute: a borough, a room, a house next door', () => {
    expect(outcome(atlas(act), beacon({ ...bill, at: 'Brooklyn' }))).toBe('same');
    expect(outcome(atlas(act), beacon({ ...bill, at: 'Brooklyn', start: '2031-05-02T19:00' }))).toBe('same');
    const rooms = [{ name: 'Old Mill (Hall)' }, { name: 'Old Mill – Zone One', ...north(11) }];
    expect(outcome(atlas({ ...act, at: rooms[0] as object }), beacon({ ...bill, at: rooms[1] as object }))).toBe('same');
    expect(outcome(atlas(act), beacon({ ...bill, at: { name: 'Glass House', ...north(40) } }))).toBe('same');
  });

  it('far apart is the same where the names of the places share a word, and a question elsewhere', () => {
    const stage = { name: 'First City Parks Lakestage', ...north(4_000) };
    expect(outcome(atlas({ ...act, at: { name: 'Lakestage' } }), beacon({ ...bill, at: stage }))).toBe('same');
    expect(outcome(atlas(act), beacon({ ...bill, at: { name: 'Glass House', ...north(4_000) } }))).toBe('ask');
  });

  it('may play twice a night: ninety minutes apart are two', () => {
    expect(outcome(atlas(act), beacon({ ...bill, start: '2031-05-02T21:30' }))).toBe('different');
    expect(outcome(atlas({ title: 'Ida Lark (early show)' }), beacon({ title: 'Marrow, Ida Lark, Pine (late show)' }))).toBe(
      'different',
    );
  });

  it('makes two listings of one provider one only at one place and minute', () => {
    const twice = { title: 'House Matters: Ida Lark Sunset Cruise' };
    expect(outcome(atlas({ id: '1', ...twice }), atlas({ id: '2', title: 'Boat Series: Ida Lark' }))).toBe('same');
    expect(outcome(atlas({ id: '1', ...act }), atlas({ id: '2', ...bill, start: '2031-05-02T20:30' }))).toBe('different');
  });
});

describe('a pier from which many boats leave', () => {
  it('holds as many events as titles that are half alike', () => {
    const boats = ['Latin Sunset Yacht Cruise', 'Hip Hop Sunset Yacht Cruise', 'Tribute Sunset Yacht Cruise'];
    const facts = boats.map((title, index) => atlas({ id: `${index}`, title, category: 'nightlife' }));
    expect(clusterEvents(facts, { clocks: NO_CLOCKS, decisions: [] })).toMatchObject({ groups: [['0'], ['1'], ['2']], asks: [] });
  });
});
